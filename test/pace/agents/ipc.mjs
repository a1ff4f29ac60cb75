// Two processes: this one polls, and gives what is new to a child, by messages between them; awaits the reply.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { call, inbox, pause, replyTo, think } from './desk.mjs'

if (process.send) {
  process.on('message', async (received) => {
    await think()
    process.send({ text: replyTo(received) })
  })
} else {
  const worker = fork(import.meta.filename)
  const news = inbox()
  for (;;) {
    for await (const received of news()) {
      worker.send(received)
      const [{ text }] = await once(worker, 'message')
      if (text) await call(`mail/messages/${received.at(-1).id}/reply`, { text })
    }
    await pause(2)
  }
}
