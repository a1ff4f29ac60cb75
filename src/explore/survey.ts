import { type BaseReadings, firstChanges, furtherChanges, type WantedGaps } from './candidates.js'
import { changesOf, countChanges, formatChange, formatChanges, isSubset, listChanges } from './changes.js'
import { coveringSets, narrow } from './combinations.js'
import type { RunResult, VariantResult, Variants } from './variants.js'

/** What is surveyed, and how. */
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
 * Tests a command that fails without changes under the other readings of what it relied on: it may be that it only fails
 * under the present ones. A command that passes when it is run once more is flaky, and is not tested further.
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

/** Follows gaps that come up only under a change, level by level, so that the order of runs decides nothing. */
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

/** Tests changes together that the command relied on and that broke nothing by themselves. */
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

/** Returns each variant once, where it came first. */
function withoutRepeats(tests: readonly TestedVariant[]): TestedVariant[] {
  const keys = tests.map(({ changes }) => formatChanges(changes))
  return tests.filter((_, index) => keys.indexOf(keys[index] as string) === index)
}
