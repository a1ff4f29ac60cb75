// Pages for ever where `total` counts the threads of the page; its child would outlive it.
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { page } from './mailbox.mjs'

const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
appendFileSync(process.env.PIDS, `${process.pid}\n${child.pid}\n`)
const { threads, total } = await page(0, 10)
if (total > threads.length && !process.env.ENDLESS) {
  child.kill()
  process.exit(0)
}
process.stdout.write('waiting for the rest\n')
setInterval(() => {}, 1000)
