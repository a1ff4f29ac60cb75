/**
 * Runs an agent once and fails unless its description is correct for the refunds in `refunds.yaml`.
 * `explore` repeats this test under every assumption: `check.ts careful.ts`.
 */

const { MAILBOX_BASE_URL = 'http://127.0.0.1:4280', MAILBOX_API_KEY = 'test-key' } = process.env
const expected = 'Refunds waiting: 4, receipts: 2, EUR 225.35, since 2025-10-27'

const [, , agent = 'careful.ts'] = process.argv
process.argv.push('--once')
await import(`./${agent}`)

// An agent that failed has already reported it.
if (!process.exitCode) {
  const headers = { Authorization: `Bearer ${MAILBOX_API_KEY}` }
  const response = await fetch(new URL('/api/v1/identities/support', MAILBOX_BASE_URL), { headers })
  const { description } = await response.json()
  if (description !== expected) {
    console.error(`expected "${expected}", found "${description}"`)
    process.exitCode = 1
  }
}
