import { createSimulator } from '../../dist/index.js'
import { largestOf } from '../rounds.mjs'
import { mailboxOf } from '../shared.mjs'
import { table } from '../table.mjs'
import { sideBySide } from './side-by-side.mjs'

/** Measures what extensions cost the documented operations, with the handlers alone. */
export async function extensions(options) {
  const extended = await createSimulator({ scenario: mailboxOf(4_000), extend: ['common'] })
  const plain = await createSimulator({ scenario: mailboxOf(4_000) })
  const rows = await sideBySide({ extended, plain }, options)
  return {
    tables: [table(['handlers alone', 'with the extension common', 'without', 'ratio'], rows)],
    figures: { extensions: largestOf(rows.map((row) => row.at(-1))) },
  }
}
