import type { ExpectationResult } from '../../story/expectations/result.js'
import { RunError } from '../errors.js'
import { judgedExpectations } from '../replay/outcome.js'
import type { TrialRun } from '../trials/trials-summary.js'
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

/** Something in two results. */
export interface Pair<One> {
  readonly before: One
  readonly after: One
}

/** An expectation that was judged in both trials of a pair. */
interface JudgedTwice extends Pair<ExpectationResult> {
  /** Its key, or else its description, which stay the same when others are added. */
  readonly name: string
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
  return {
    format: 'agent-mailbox-sim/comparison',
    version: 1,
    scenario: after.scenario,
    verdict: verdictOn(whole, alpha),
    alpha,
    names: { before: before.name, after: after.name },
    ...whole,
    expectations: single.map((change, index) => ({ ...change, p: corrected[index] ?? 1 })),
    flipped: pairs.flatMap((pair) => flippedIn(pair) ?? []),
    unpaired: Math.max(before.runs.length, after.runs.length) - pairs.length,
    trials_to_see_10_points: trialsToSee(tenPoints, whole.before / whole.pairs) ?? null,
  }
}

/** Returns in which direction something changed, if chance hardly explains it. */
export function verdictOn({ worse, better, p }: RateChange, alpha: number): TrialsComparison['verdict'] {
  if (p >= alpha || worse === better) return 'same'
  return worse > better ? 'worse' : 'better'
}

/** Returns the trials of the same seed that were judged in both results; equal seeds are paired in their order. */
export function pairsOf(before: Results, after: Results): Pair<TrialRun>[] {
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
function expectationsIn(pairs: readonly Pair<TrialRun>[]): ExpectationChange[] {
  const named = new Map<string, { describe: string; results: [boolean, boolean][] }>()
  for (const { name, before, after } of pairs.flatMap(judgedTwice)) {
    const known = named.get(name) ?? { describe: after.describe, results: [] }
    known.results.push([before.passed, after.passed])
    named.set(name, known)
  }
  return [...named].map(([name, { describe, results }]) => ({ name, describe, ...changeOf(results) }))
}

function flippedIn(pair: Pair<TrialRun>): FlippedTrial | undefined {
  const { trial, seed, passed } = pair.after
  if (pair.before.passed === passed) return undefined
  const at = flippedExpectations(pair).filter(({ after }) => after.passed === passed)
  return { trial, seed, became: passed ? 'better' : 'worse', at: at.map(({ name }) => name) }
}

/** Returns the expectations that held in only one of the trials of a pair. */
export function flippedExpectations(pair: Pair<TrialRun>): JudgedTwice[] {
  return judgedTwice(pair).filter(({ before, after }) => before.passed !== after.passed)
}

function judgedTwice({ before, after }: Pair<TrialRun>): JudgedTwice[] {
  const former = byName(judgedExpectations(before))
  return [...byName(judgedExpectations(after))].flatMap(([name, result]) => {
    const was = former.get(name)
    return was ? [{ name, before: was, after: result }] : []
  })
}

/** Returns results by their names; those with equal words are told apart by their order. */
function byName(results: readonly ExpectationResult[]): ReadonlyMap<string, ExpectationResult> {
  const named = new Map<string, ExpectationResult>()
  for (const result of results) {
    const name = result.key ?? result.describe
    const same = [...named.keys()].filter((one) => one === name || one.startsWith(`${name} (`)).length
    named.set(same === 0 ? name : `${name} (${same + 1})`, result)
  }
  return named
}
