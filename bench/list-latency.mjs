import { getResponse } from 'msw'
import { createSimulator } from '../dist/index.js'
import { mailboxOf, requestTo } from './mailbox.mjs'
import { interleave, microseconds, table, timeOf } from './measure.mjs'

const paths = {
  'threads, first page': () => '/api/v1/mail/threads',
  'threads of an agent': () => '/api/v1/mail/threads?agent=agent',
  'threads, page 4': () => '/api/v1/mail/threads?offset=150',
  'messages, first page': () => '/api/v1/mail/messages',
}

/** List latency, handlers alone, at several sizes of the mailbox: bar 1.2 × from the smallest to the largest. */
export async function listLatency({ quick }) {
  const sizes = quick ? [1_000, 10_000] : [1_000, 100_000, 1_000_000]
  const simulators = []
  for (const size of sizes) simulators.push(await createSimulator({ scenario: mailboxOf(size) }))
  const rows = []
  for (const [name, path] of Object.entries(paths)) {
    const candidates = Object.fromEntries(
      simulators.map((simulator, index) => [
        `at ${sizes[index]}`,
        () =>
          timeOf(
            async () => (await getResponse(simulator.handlers, requestTo(path()))).text(),
            quick ? 20 : 200,
          ),
      ]),
    )
    const results = Object.values(await interleave(candidates, { rounds: quick ? 2 : 15 }))
    const ratio = results.at(-1).median / results[0].median
    rows.push([name, ...results.map(microseconds), ratio.toFixed(2)])
  }
  const head = [
    'list, handlers alone',
    ...sizes.map((size) => `p50 at ${size.toLocaleString('en')} messages`),
    'ratio',
  ]
  return table(head, rows)
}
