import { getResponse } from 'msw'
import { createSimulator } from '../../dist/index.js'
import { figureOf, inTurns, largestOf, ratioOf, timeOf } from '../rounds.mjs'
import { mailboxOf, requestTo } from '../shared.mjs'
import { table } from '../table.mjs'

const paths = [
  '/api/v1/mail/threads',
  '/api/v1/mail/threads?agent=agent',
  '/api/v1/mail/messages',
  '/api/v1/identities/agent',
]

/** What the journal and knowing reliances cost, handlers alone. */
export async function observing({ quick, progress }) {
  const on = await createSimulator({ scenario: mailboxOf(4_000) })
  const off = await createSimulator({ scenario: mailboxOf(4_000), journal: false })
  const calls = quick ? 30 : 150
  const rows = []
  for (const path of paths) {
    const measure = (simulator) => () =>
      timeOf(async () => (await getResponse(simulator.handlers, requestTo(path))).text(), { calls })
    const measured = await inTurns(
      { on: measure(on), off: measure(off) },
      { rounds: quick ? 2 : 41, warmUp: 2, progress: (text) => progress(`${path}, ${text}`) },
    )
    const ratio = ratioOf(measured.on, measured.off)
    rows.push([path, figureOf(measured.on, 'µs'), figureOf(measured.off, 'µs'), ratio])
  }
  return {
    tables: [table(['handlers alone', 'journal and reliances on', 'off', 'ratio'], rows)],
    figures: { observing: largestOf(rows.map((row) => row.at(-1))) },
  }
}
