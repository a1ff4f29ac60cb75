import { createSimulator } from '../../dist/index.js'
import { largestOf } from '../rounds.mjs'
import { mailboxOf } from '../shared.mjs'
import { table } from '../table.mjs'
import { sideBySide } from './side-by-side.mjs'

/** Measures what the journal and reliances cost, with the handlers alone. */
export async function observing(options) {
  const on = await createSimulator({ scenario: mailboxOf(4_000) })
  const off = await createSimulator({ scenario: mailboxOf(4_000), journal: false })
  const rows = await sideBySide({ on, off }, options)
  return {
    tables: [table(['handlers alone', 'journal and reliances on', 'off', 'ratio'], rows)],
    figures: { observing: largestOf(rows.map((row) => row.at(-1))) },
  }
}
