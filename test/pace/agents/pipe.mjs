// Two processes: this one polls, and gives what is new to a worker, by its standard input.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { call, inbox, pause, replyTo, think } from './desk.mjs'

if (process.argv[2] === 'worker') {
  for await (const line of createInterface({ input: process.stdin })) {
    const received = JSON.parse(line)
    await think()
    const text = replyTo(received)
    if (text) await call(`mail/messages/${received.at(-1).id}/reply`, { text })
  }
} else {
  const worker = spawn(process.execPath, [import.meta.filename, 'worker'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const news = inbox()
  for (;;) {
    for await (const received of news()) worker.stdin.write(`${JSON.stringify(received)}\n`)
    await pause(5)
  }
}
