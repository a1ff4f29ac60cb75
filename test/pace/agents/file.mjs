// Two processes: this one polls, and writes what is new to a folder, in which a worker looks every second.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, inbox, pause, replyTo, think } from './desk.mjs'

const [, , folder] = process.argv
if (folder) {
  process.stdout.write('ready')
  for (;;) {
    for (const name of (await readdir(folder)).filter((one) => one.endsWith('.json'))) {
      const received = JSON.parse(await readFile(join(folder, name), 'utf8'))
      await rm(join(folder, name))
      await think()
      const text = replyTo(received)
      if (text) await call(`mail/messages/${received.at(-1).id}/reply`, { text })
    }
    await pause(1)
  }
} else {
  const jobs = await mkdtemp(join(tmpdir(), 'jobs-'))
  const worker = spawn(process.execPath, [import.meta.filename, jobs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Otherwise it would depend on the machine whose first look is the first.
  await once(worker.stdout, 'data')
  process.once('SIGTERM', () => rm(jobs, { recursive: true }).finally(() => process.exit()))
  const news = inbox()
  for (;;) {
    for await (const received of news()) {
      const file = join(jobs, received.at(-1).id)
      await writeFile(file, JSON.stringify(received))
      await rename(file, `${file}.json`)
    }
    await pause(1)
  }
}
