import { namesOfAssumptions } from '../../contract/gaps/gap.js'
import { type Assumptions, type GapId, gaps as registered } from '../../contract/gaps.js'
import type { OwnGaps } from '../../service/assumptions/assumptions.js'
import {
  type Change,
  type Changes,
  combineChanges,
  countChanges,
  formatChange,
  inRegisterOrder,
  isSubset,
  listChanges,
} from './changes.js'
import type { ReliedGaps } from './relied.js'
import type { RunResult, VariantResult, Variants } from './variants.js'

/** The gaps to test: those the command relied on, all, or those of a list. */
export type WantedGaps = 'relied' | 'all' | readonly GapId[]

/** The assumptions of the first run. */
export interface BaseAssumptions {
  /** Those of the server. */
  readonly assumptions: Assumptions
  /** Those that were chosen for all runs, whatever scenario a simulator has. */
  readonly chosen: Changes
  /** The gaps of extensions of the server. */
  readonly own?: OwnGaps
}

/** The options of a survey. */
export interface SurveyOptions {
  readonly gaps: WantedGaps
  readonly base: BaseAssumptions
}

/**
 * Why a variant was tested. `assumption`: one other assumption. `further`: an assumption that matters only under
 * another one, together with that one.
 */
export type TestKind = 'assumption' | 'further'

/** A variant that was tested, and why. */
export interface TestedVariant extends VariantResult {
  readonly kind: TestKind
}

/** The result of a survey. */
export interface SurveyResult {
  /** The first run again; null if it could not be repeated. */
  readonly control: RunResult | null
  /** Everything that was tested, always in the same order. */
  readonly tests: readonly TestedVariant[]
}

/**
 * Tests the command under assumptions other than those of the first run: one at a time, then those that come up
 * only under another one.
 */
export async function survey(
  variants: Variants,
  first: RunResult,
  options: SurveyOptions,
): Promise<SurveyResult> {
  const singles = firstChanges(first.relied, options.gaps, options.base).map((change) =>
    combineChanges([change]),
  )
  // The control run comes first, since every failure waits for it.
  const alone = await variants.testAll([{}, ...singles])
  const further = await followUp(variants, first, alone, options.gaps)
  const tests = [...ofKind('assumption', alone), ...ofKind('further', further)]
  return { control: variants.control, tests }
}

/**
 * Tests a command that fails without changes under the other assumptions it relied on, since it may fail only under the
 * present ones. A command that passes on the second run is flaky and is not tested further.
 */
export async function surveyFailing(
  variants: Variants,
  first: RunResult,
  { gaps, base }: SurveyOptions,
): Promise<SurveyResult> {
  await variants.testAll([{}])
  const { control } = variants
  if (!control || control.passed) return { control, tests: [] }
  const singles = firstChanges(first.relied, gaps, base).map((change) => combineChanges([change]))
  const tested = await variants.testAll(singles, 'remedies')
  return { control, tests: ofKind('assumption', tested) }
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
    relied.flatMap(({ gap, instead }) => instead.map((assumption) => formatChange({ gap, assumption }))),
  )
  const found: VariantResult[] = []
  for (let level = alone; level.length > 0; ) {
    level = await variants.testAll(furtherChanges(level, known, gaps))
    found.push(...level)
  }
  return found
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

/**
 * Returns the single changes to test after the first run, without duplicates, in the order of the register.
 * For gaps that the command relied on, these are the assumptions that would have changed a response; for
 * requested gaps, all other assumptions. Gaps whose assumption the command chooses itself are skipped, and those
 * whose assumption the scenario names, unless they were requested.
 */
export function firstChanges(relied: ReliedGaps, wanted: WantedGaps, base: BaseAssumptions): Change[] {
  const known = new Set([...(Object.keys(base.assumptions) as GapId[]), ...relied.keys()])
  const gaps = inRegisterOrder([...known]).filter(
    (gap) => wanted === 'all' || (wanted === 'relied' ? relied : new Set(wanted)).has(gap),
  )
  const changeable = gaps.filter((gap) => {
    const { fixed, pinned } = relied.get(gap) ?? {}
    return !fixed && !(pinned && wanted === 'relied')
  })
  return changeable.flatMap((gap) => {
    const instead = relied.get(gap)?.instead ?? []
    const gapOf = relied.get(gap)?.own ?? base.own?.get(gap)
    const all = namesOfAssumptions(gapOf ?? registered[gap])
    const others = all.filter((name) => name !== base.assumptions[gap] || instead.includes(name))
    return (wanted === 'relied' ? instead : others)
      .filter((name) => name !== base.chosen[gap])
      .map((assumption) => ({ gap, assumption }))
  })
}

/**
 * Returns the variants to test next: each assumption that matters only under a change, together with the first such
 * change. `known` has the changes tested so far as `gap=assumption`; new ones are added, so that the search ends.
 */
function furtherChanges(
  results: readonly VariantResult[],
  known: Set<string>,
  wanted: WantedGaps,
): Changes[] {
  return results.flatMap(({ changes, outcome, runs: [run] }) => {
    if (outcome !== 'passed') return []
    const others = [...run.relied.values()].filter(({ gap, pinned }) => {
      if (changes[gap] !== undefined || (pinned && wanted === 'relied')) return false
      return typeof wanted === 'string' || wanted.includes(gap)
    })
    return others
      .flatMap(({ gap, instead }) => instead.map((assumption) => ({ gap, assumption })))
      .filter((change) => isNew(change, known))
      .map((change) => combineChanges([...listChanges(changes), change]))
  })
}

function isNew(change: Change, known: Set<string>): boolean {
  const key = formatChange(change)
  if (known.has(key)) return false
  known.add(key)
  return true
}
