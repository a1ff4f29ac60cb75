import * as loaded from 'covertable'
import { breathe } from '../world/index.js'
import {
  type Change,
  type Changes,
  changesOf,
  countChanges,
  isSubset,
  listChanges,
  without,
} from './changes.js'
import { mapLimited, type VariantResult, type Variants } from './variants.js'

/** A CommonJS module: Node has its exports under `default` only, bundlers by name. */
const covertable = 'makeAsync' in loaded ? loaded : (loaded as { default: typeof loaded }).default

/** Stands for a gap that keeps its reading. */
const unchanged = ''

/**
 * Returns few sets of changes in which any two single changes of different gaps come together. Sets of fewer than two
 * changes are left out.
 */
export async function coveringSets(singles: readonly Change[]): Promise<Changes[]> {
  const factors: Record<string, string[]> = {}
  for (const { gap, reading } of singles) {
    factors[gap] ??= [unchanged]
    factors[gap].push(reading)
  }
  const sets: Changes[] = []
  if (Object.keys(factors).length < 2) return sets
  for (const row of covertable.makeAsync(factors)) {
    sets.push(changesOf(singles.filter(({ gap, reading }) => row[gap] === reading)))
    // With many gaps a row takes some time, in which servers have to answer.
    await breathe()
  }
  return sets.filter((changes) => countChanges(changes) > 1)
}

/**
 * Finds the changes in failing sets that are enough to break the command: first by testing any two of them that never
 * passed together, then, if none of these explains a set, by leaving out one change after another. Returns all variants
 * it has tested.
 */
export async function narrow(
  failed: readonly VariantResult[],
  passed: readonly VariantResult[],
  variants: Variants,
): Promise<VariantResult[]> {
  const suspects = pairsOf(failed).filter((pair) => !passed.some(({ changes }) => isSubset(pair, changes)))
  const tested = await variants.testAll(suspects)
  const broken = tested.filter(({ outcome }) => outcome === 'failed')
  const unexplained = failed.filter(({ changes }) => !broken.some((pair) => isSubset(pair.changes, changes)))
  const shrunk = await mapLimited(variants.jobs, unexplained, ({ changes }) => shrink(changes, variants))
  return [...tested, ...shrunk.flat()]
}

/** Leaves out one change after another as long as the rest still breaks the command. */
async function shrink(whole: Changes, variants: Variants): Promise<VariantResult[]> {
  const tested: VariantResult[] = []
  let rest = whole
  for (const { gap } of listChanges(whole)) {
    const fewer = without(rest, gap)
    if (countChanges(fewer) < 2) break
    const results = await variants.testAll([fewer])
    tested.push(...results)
    if (results.some(({ outcome }) => outcome === 'failed')) rest = fewer
  }
  return tested
}

/** Returns any two changes that are together in one of the sets, each pair once. */
function pairsOf(sets: readonly VariantResult[]): Changes[] {
  const pairs = sets.flatMap(({ changes }) => {
    const singles = listChanges(changes)
    return singles.flatMap((one, index) => singles.slice(index + 1).map((other) => changesOf([one, other])))
  })
  return pairs.filter((pair, index) => !pairs.slice(0, index).some((before) => isSubset(before, pair)))
}
