import { largestOf } from '../figures/spread.mjs'
import { table } from '../figures/table.mjs'
import { loadingAt } from './growth/loading.mjs'
import { usingAt } from './growth/using.mjs'

/** What grows with a mailbox and what does not: loading, memory, lists, reset and fork, in one table. */
export async function growth({ quick, progress }) {
  const sizes = quick ? [1_000, 10_000] : [1_000, 100_000, 1_000_000]
  const loading = await loadingAt(sizes, { rounds: quick ? 1 : 3, progress })
  const using = await usingAt(sizes, { quick, progress })
  const lists = using.filter(({ isList }) => isList)
  const row = (name) => using.find(({ what }) => what === name)
  return {
    tables: [
      table(
        ['growth', ...sizes.map((size) => `${size.toLocaleString('en')} messages`), 'last against first'],
        [...loading.rows, ...using.map(({ what, figures, ratio }) => [what, ...figures, ratio])],
      ),
    ],
    figures: {
      'growth.list': largestOf(lists.map(({ ratio }) => ratio)),
      'growth.loading': loading.took.at(-1),
      'growth.memory': loading.peak.at(-1),
      'growth.reset': largestOf(row('reset after ten changes').figures),
      'growth.reset-apart': row('reset after ten changes').ratio,
      'growth.small': loading.took[0],
      'growth.fork': largestOf(row('fork and drop').figures),
    },
  }
}
