import { getResponse } from 'msw'
import { createSimulator } from '../dist/index.js'
import { mailboxOf, requestTo } from './mailbox.mjs'
import { interleave, microseconds, table, timeOf } from './measure.mjs'

const paths = [
  '/api/v1/mail/threads',
  '/api/v1/mail/threads?agent=agent',
  '/api/v1/mail/messages',
  '/api/v1/identities/agent',
]

/** What the journal and knowing reliances cost, by fetch through the interceptor's handlers: bar 15 %. */
export async function observing({ quick }) {
  const on = await createSimulator({ scenario: mailboxOf(4_000) })
  const off = await createSimulator({ scenario: mailboxOf(4_000), journal: false })
  const rows = []
  for (const path of paths) {
    const measure = (simulator) => () =>
      timeOf(async () => (await getResponse(simulator.handlers, requestTo(path))).text(), quick ? 30 : 500)
    const results = await interleave({ on: measure(on), off: measure(off) }, { rounds: quick ? 2 : 25 })
    const cost = (results.on.median / results.off.median - 1) * 100
    rows.push([path, microseconds(results.on), microseconds(results.off), `${cost.toFixed(0)} %`])
  }
  return table(['handlers alone', 'journal and reliances on', 'off', 'cost'], rows)
}
