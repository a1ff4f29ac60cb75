import type { ExpectationResult } from '../../story/expectations/index.js'
import { RunError } from '../index.js'
import { judgedExpectations } from '../replay/index.js'
import type { TrialRun } from '../trials/index.js'
import type { Results } from './results.js'
import { type Flips, holm, signTest, trialsToSee } from './statistics.js'

/** How often something held before and after, in the pairs of trials in which both judged it. */
export interface RateChange extends Flips {
  /** The number of these pairs. */
  readonly pairs: number
  readonly before: number
  readonly after: number
  /** The chance of flips as uneven as these if nothing has changed; of expectations, corrected for their number. */
  readonly p: number
}

/** How an expectation fared. */
export interface ExpectationChange extends RateChange {
  /** Its key, or else its description, by which the two results have it in common. */
  readonly name: string
  readonly describe: string
}

/** A trial that passed in one of the results and failed in the other. */
export interface FlippedTrial {
  readonly trial: number
  readonly seed: number
  readonly became: 'worse' | 'better'
  /** The names of the expectations that flipped in the same direction. */
  readonly at: readonly string[]
}

/** What has changed between two results of the same story. */
export interface TrialsComparison extends RateChange {
  readonly format: 'agent-mailbox-sim/comparison'
  readonly version: 1
  readonly scenario: string
  /** `worse` or `better` if chance hardly explains it, by `alpha`. */
  readonly verdict: 'worse' | 'better' | 'same'
  readonly alpha: number
  readonly names: { readonly before: string; readonly after: string }
  readonly expectations: readonly ExpectationChange[]
  readonly flipped: readonly FlippedTrial[]
  /** The trials that have no counterpart, or were not judged in both results. */
  readonly unpaired: number
  /** How many pairs of trials would show a rate that falls by ten points; null if it cannot fall that far. */
  readonly trials_to_see_10_points: number | null
}

/** Two trials of the same seed. */
export interface Pair {
  readonly before: TrialRun
  readonly after: TrialRun
}

/** A drop of the rate that a comparison should see. */
const tenPoints = 0.1

/**
 * Compares two results of a story by their trials: those of the same seed are a pair.
 * @throws RunError `no-results` if they are about different stories, or have no pair that was judged
 */
export function compareResults(before: Results, after: Results, alpha = 0.05): TrialsComparison {
  if (before.scenario !== after.scenario) {
    throw new RunError(
      'no-results',
      `${before.name} is about the story ${before.scenario}, ${after.name} about ${after.scenario}; compare results of the same story.`,
    )
  }
  const pairs = pairsOf(before, after)
  if (pairs.length === 0) {
    throw new RunError(
      'no-results',
      `${before.name} and ${after.name} have no judged trial of the same seed; play both with the same --seed and --trials.`,
    )
  }
  const whole = changeOf(pairs.map((pair) => [pair.before.passed, pair.after.passed]))
  const single = expectationsIn(pairs)
  const corrected = holm(single.map(({ p }) => p))
  const isClear = whole.p < alpha
  return {
    format: 'agent-mailbox-sim/comparison',
    version: 1,
    scenario: after.scenario,
    verdict:
      isClear && whole.worse !== whole.better ? (whole.worse > whole.better ? 'worse' : 'better') : 'same',
    alpha,
    names: { before: before.name, after: after.name },
    ...whole,
    expectations: single.map((change, index) => ({ ...change, p: corrected[index] ?? 1 })),
    flipped: pairs.flatMap((pair) => flippedIn(pair) ?? []),
    unpaired: Math.max(before.runs.length, after.runs.length) - pairs.length,
    trials_to_see_10_points: trialsToSee(tenPoints, whole.before / whole.pairs) ?? null,
  }
}

/** Returns the trials of the same seed that were judged in both results; equal seeds are paired in their order. */
export function pairsOf(before: Results, after: Results): Pair[] {
  const places = new Map<number, number>()
  return before.runs.flatMap((run) => {
    const place = places.get(run.seed) ?? 0
    places.set(run.seed, place + 1)
    const other = after.runs.filter(({ seed }) => seed === run.seed)[place]
    if (!other || run.not_judged !== null || other.not_judged !== null) return []
    return [{ before: run, after: other }]
  })
}

function changeOf(results: readonly (readonly [before: boolean, after: boolean])[]): RateChange {
  const count = (of: (before: boolean, after: boolean) => boolean) =>
    results.filter((both) => of(...both)).length
  const flips = {
    worse: count((before, after) => before && !after),
    better: count((before, after) => !before && after),
  }
  return {
    pairs: results.length,
    before: count((held) => held),
    after: count((_, held) => held),
    ...flips,
    p: signTest(flips),
  }
}

/** Returns how each expectation fared that both results have, uncorrected. */
function expectationsIn(pairs: readonly Pair[]): ExpectationChange[] {
  const named = new Map<string, { describe: string; results: [boolean, boolean][] }>()
  for (const { before, after } of pairs) {
    const others = new Map(judgedExpectations(after).map((result) => [expectationName(result), result]))
    for (const result of judgedExpectations(before)) {
      const other = others.get(expectationName(result))
      if (!other) continue
      const known = named.get(expectationName(result)) ?? { describe: other.describe, results: [] }
      known.results.push([result.passed, other.passed])
      named.set(expectationName(result), known)
    }
  }
  return [...named].map(([name, { describe, results }]) => ({ name, describe, ...changeOf(results) }))
}

function flippedIn({ before, after }: Pair): FlippedTrial | undefined {
  if (before.passed === after.passed) return undefined
  const held = new Map(judgedExpectations(before).map((result) => [expectationName(result), result.passed]))
  const flipped = judgedExpectations(after).filter((result) => {
    const was = held.get(expectationName(result))
    return was !== undefined && was !== result.passed && result.passed === after.passed
  })
  const became = after.passed ? 'better' : 'worse'
  return { trial: after.trial, seed: after.seed, became, at: flipped.map(expectationName) }
}

/** Returns the name of an expectation that stays the same when others are added. */
export function expectationName({ key, describe }: Pick<ExpectationResult, 'key' | 'describe'>): string {
  return key ?? describe
}
