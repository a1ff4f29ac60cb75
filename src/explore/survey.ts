import * as loaded from 'covertable'
import { type GapId, type Readings, readingsOf } from '../contract/gaps.js'
import { type OwnGaps, yieldToEventLoop } from '../world/index.js'
import {
  type Change,
  type Changes,
  changesOf,
  countChanges,
  formatChange,
  formatChanges,
  inRegisterOrder,
  isSubset,
  listChanges,
  without,
} from './changes.js'
import type { ReliedGaps } from './relied.js'
import { mapLimited, type RunResult, type VariantResult, type Variants } from './variants.js'

/** The gaps to test: those the command relied on, all, or those of a list. */
export type WantedGaps = 'relied' | 'all' | readonly GapId[]

/** The readings of the first run. */
export interface BaseReadings {
  /** Those of the server. */
  readonly readings: Readings
  /** Those that were chosen for all runs, whatever scenario a simulator has. */
  readonly chosen: Changes
  /** The gaps of extensions of the server. */
  readonly own?: OwnGaps
}

/** The options of a survey. */
export interface SurveyOptions {
  readonly gaps: WantedGaps
  readonly base: BaseReadings
  /** Whether changes that break nothing by themselves are also tested together. */
  readonly pairs: boolean
}

/**
 * Why a variant was tested. `reading`: one other reading. `further`: one that matters only under another change, with
 * that. `pairs`: a set in which any two come together. `narrowing`: to find what in such a set breaks the command.
 */
export type TestKind = 'reading' | 'further' | 'pairs' | 'narrowing'

/** A variant that was tested, and why. */
export interface TestedVariant extends VariantResult {
  readonly kind: TestKind
}

/** The result of a survey. */
export interface SurveyResult {
  /** The first run again; null if it could not be repeated. */
  readonly control: RunResult | null
  /** Everything that was tested, in an order that is always the same. */
  readonly tests: readonly TestedVariant[]
}

/**
 * Tests the command under other readings than those of the first run: one at a time, then those that come up only under
 * another one, then, if wanted, several together.
 */
export async function survey(
  variants: Variants,
  first: RunResult,
  options: SurveyOptions,
): Promise<SurveyResult> {
  const singles = firstChanges(first.relied, options.gaps, options.base).map((change) => changesOf([change]))
  // The control run comes first, since every failure waits for it.
  const alone = await variants.testAll([{}, ...singles])
  const further = await followUp(variants, first, alone, options.gaps)
  const tests = [...ofKind('reading', alone), ...ofKind('further', further)]
  const together = options.pairs ? await testTogether(variants, first, tests) : []
  return { control: await variants.control(), tests: withoutRepeats([...tests, ...together]) }
}

/**
 * Tests a command that fails without changes under the other readings it relied on, since it may fail only under the
 * present ones. A command that passes on the second run is flaky and is not tested further.
 */
export async function surveyFailing(
  variants: Variants,
  first: RunResult,
  { gaps, base }: SurveyOptions,
): Promise<SurveyResult> {
  await variants.testAll([{}])
  const control = await variants.control()
  if (control.passed) return { control, tests: [] }
  const singles = firstChanges(first.relied, gaps, base).map((change) => changesOf([change]))
  const tested = await variants.testAll(singles, (changes) => variants.testRemedy(changes))
  return { control, tests: ofKind('reading', tested) }
}

/** Tests gaps that matter only under a change, level by level, so that the order of runs has no influence. */
async function followUp(
  variants: Variants,
  first: RunResult,
  alone: readonly VariantResult[],
  gaps: WantedGaps,
): Promise<VariantResult[]> {
  const relied = [...first.relied.values()]
  const known = new Set(
    relied.flatMap(({ gap, instead }) => instead.map((reading) => formatChange({ gap, reading }))),
  )
  const found: VariantResult[] = []
  for (let level = alone; level.length > 0; ) {
    level = await variants.testAll(furtherChanges(level, known, gaps))
    found.push(...level)
  }
  return found
}

/** Tests combinations of the changes that the command relied on and that broke nothing alone. */
async function testTogether(
  variants: Variants,
  first: RunResult,
  tests: readonly TestedVariant[],
): Promise<TestedVariant[]> {
  const harmless = tests.filter(({ kind, outcome }) => kind === 'reading' && outcome === 'passed')
  const singles = harmless.flatMap(({ changes }) => listChanges(changes))
  const relied = singles.filter(({ gap, reading }) => first.relied.get(gap)?.instead.includes(reading))
  const tested = await variants.testAll(await coveringSets(relied))
  const failed = tested.filter(({ outcome }) => outcome === 'failed')
  const passed = [...tests, ...tested].filter(({ outcome }) => outcome === 'passed')
  const narrowed = await narrow(failed, passed, variants)
  return [...ofKind('pairs', tested), ...ofKind('narrowing', narrowed)]
}

/** Returns the failing variants that contain no other failing one, those of a single change first. */
export function smallestBreaks(tests: readonly TestedVariant[]): TestedVariant[] {
  const failed = tests.filter(({ outcome }) => outcome === 'failed')
  const minimal = failed.filter(({ changes }) => {
    return failed.every((other) => other.changes === changes || !isSubset(other.changes, changes))
  })
  return minimal.toSorted((one, other) => countChanges(one.changes) - countChanges(other.changes))
}

function ofKind(kind: TestKind, results: readonly VariantResult[]): TestedVariant[] {
  return results.map((result) => ({ ...result, kind }))
}

/** Returns the variants without repetitions. */
function withoutRepeats(tests: readonly TestedVariant[]): TestedVariant[] {
  const keys = tests.map(({ changes }) => formatChanges(changes))
  return tests.filter((_, index) => keys.indexOf(keys[index] as string) === index)
}

/**
 * Returns the single changes to test after the first run, without duplicates, in the order of the register. For gaps
 * that the command relied on, these are the readings that would have changed an answer; for requested gaps, all
 * other readings. Gaps whose reading the command chooses itself are skipped.
 */
export function firstChanges(relied: ReliedGaps, wanted: WantedGaps, base: BaseReadings): Change[] {
  const known = new Set([...(Object.keys(base.readings) as GapId[]), ...relied.keys()])
  const gaps = inRegisterOrder([...known]).filter(
    (gap) => wanted === 'all' || (wanted === 'relied' ? relied : new Set(wanted)).has(gap),
  )
  const changeable = gaps.filter((gap) => !relied.get(gap)?.fixed)
  return changeable.flatMap((gap) => {
    const instead = relied.get(gap)?.instead ?? []
    const gapOf = relied.get(gap)?.own ?? base.own?.get(gap)
    const all = (gapOf?.readings ?? readingsOf(gap)).map(({ name }) => name)
    const others = all.filter((name) => name !== base.readings[gap] || instead.includes(name))
    return (wanted === 'relied' ? instead : others)
      .filter((name) => name !== base.chosen[gap])
      .map((reading) => ({ gap, reading }))
  })
}

/**
 * Returns the variants to test next: each reading that matters only under a change, together with the first such
 * change. `known` has the changes tested so far as `gap=reading`; new ones are added, so that the search ends.
 */
function furtherChanges(
  results: readonly VariantResult[],
  known: Set<string>,
  wanted: WantedGaps,
): Changes[] {
  return results.flatMap(({ changes, outcome, runs: [run] }) => {
    if (outcome !== 'passed') return []
    const others = [...run.relied.values()].filter(({ gap }) => {
      return changes[gap] === undefined && (typeof wanted === 'string' || wanted.includes(gap))
    })
    return others
      .flatMap(({ gap, instead }) => instead.map((reading) => ({ gap, reading })))
      .filter((change) => isNew(change, known))
      .map((change) => changesOf([...listChanges(changes), change]))
  })
}

function isNew(change: Change, known: Set<string>): boolean {
  const key = formatChange(change)
  if (known.has(key)) return false
  known.add(key)
  return true
}

/** A CommonJS module: Node has its exports under `default` only, bundlers by name. */
const covertable = 'makeAsync' in loaded ? loaded : (loaded as { default: typeof loaded }).default

/** Represents a gap that keeps its reading. */
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
    await yieldToEventLoop()
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

/** Removes changes one by one while the rest still breaks the command. */
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

/** Returns every pair of changes that occurs in one of the sets, once. */
function pairsOf(sets: readonly VariantResult[]): Changes[] {
  const pairs = sets.flatMap(({ changes }) => {
    const singles = listChanges(changes)
    return singles.flatMap((one, index) => singles.slice(index + 1).map((other) => changesOf([one, other])))
  })
  return pairs.filter((pair, index) => !pairs.slice(0, index).some((before) => isSubset(before, pair)))
}
