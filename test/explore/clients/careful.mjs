// Reads until a page is not full, whatever `total` says, and sorts by what it needs.
import { page } from './mailbox.mjs'

const names = ['MAILBOX_BASE_URL', 'MAILBOX_API_KEY', 'MAILBOX_SIM_URL', 'MAILBOX_SIM_TRACE']
for (const name of names) if (!process.env[name]) throw new Error(`${name} is not set`)
const { status } = await (await fetch(`${process.env.MAILBOX_SIM_URL}/health`)).json()
if (status !== 'ok') throw new Error('the control API does not answer')

const threads = []
for (;;) {
  const answer = await page(threads.length)
  threads.push(...answer.threads)
  if (answer.threads.length < 100) break
}
if (new Set(threads.map(({ id }) => id)).size < 150)
  throw new Error(`expected all threads, got ${threads.length}`)
