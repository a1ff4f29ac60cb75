// Takes `total` for the number of threads there are to read.
import { page } from './mailbox.mjs'

const threads = []
for (let total = 1; threads.length < total; ) {
  const answer = await page(threads.length)
  threads.push(...answer.threads)
  total = answer.total
  if (answer.threads.length === 0) break
}
process.stdout.write(`read ${threads.length} threads\n`)
if (threads.length < 150) throw new Error(`expected all threads of the desk, got ${threads.length}`)
