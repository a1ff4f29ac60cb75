import * as loaded from 'covertable'
import { breathe } from '../world/index.js'
import { type Change, type Changes, changesOf, countChanges } from './changes.js'

/** A CommonJS module: Node has what it exports as its default alone, others name by name. */
const covertable = 'makeAsync' in loaded ? loaded : (loaded as { default: typeof loaded }).default

/** Stands for a gap that is left as it was. */
const asItWas = ''

/**
 * Sets of changes, few of them, such that any two single changes of different gaps are together in one. Those of
 * fewer than two changes are left out. The same for the same changes.
 */
export async function coveringSet(singles: readonly Change[]): Promise<Changes[]> {
  const factors: Record<string, string[]> = {}
  for (const { gap, reading } of singles) {
    factors[gap] ??= [asItWas]
    factors[gap].push(reading)
  }
  const rows: Changes[] = []
  if (Object.keys(factors).length < 2) return rows
  for (const row of covertable.makeAsync(factors)) {
    const changed = singles.filter(({ gap, reading }) => row[gap] === reading)
    rows.push(changesOf(changed))
    // With many gaps a row takes its time, in which servers are to answer.
    await breathe()
  }
  return rows.filter((changes) => countChanges(changes) > 1)
}
