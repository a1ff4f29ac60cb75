import type { ExpectationResult } from '../../story/expectations/kinds.js'

import { judgedExpectations, type ReplayReport } from '../replay/outcome.js'

/** What is required of trials: that all judged ones pass, or at least this share of them, from 0 to 1. */
export type Requirement = 'all' | number

/** A share of trials as an interval that holds the true one with 95 % confidence, after Wilson. */
export type Interval = readonly [low: number, high: number]

/** One of several runs of the same story. */
export interface TrialRun extends ReplayReport {
  /** Its number, from 1. */
  readonly trial: number
  /** What it is about, if there were several plays of the story, e.g. `under refund-to-stranger`. */
  readonly play?: string
}

/** How often an expectation held, of the trials in which it was judged. */
export interface ExpectationTally extends Pick<ExpectationResult, 'index' | 'key' | 'kind' | 'describe'> {
  readonly held: number
  readonly of: number
  readonly interval: Interval
}

/** The outcome of a story that was played several times, each time in a fresh world. */
export interface TrialsReport
  extends Pick<
    ReplayReport,
    'format' | 'version' | 'scenario' | 'describe' | 'seed' | 'assumptions' | 'clock' | 'started_at'
  > {
  /** Whether the requirement is met. */
  readonly passed: boolean
  readonly interrupted: boolean
  readonly trials: {
    /** How many were to be played. */
    readonly count: number
    readonly judged: number
    readonly passed: number
    readonly require: Requirement
    /** The share that passes. */
    readonly interval: Interval
    /** The chance that k trials in a row pass, for k from 1 to the number of those judged. */
    readonly pass_k: readonly number[]
    /** The numbers of the first trials that failed and passed; null if there is none. */
    readonly first_failed: number | null
    readonly first_passed: number | null
  }
  readonly expectations: readonly ExpectationTally[]
  /** The runs in the order of their numbers, each as the report of a replay. */
  readonly runs: readonly TrialRun[]
  /** Wall time in milliseconds. */
  readonly wall_ms: number
}

/** Summarizes the runs of a story, in the order of their numbers; there must be at least one. */
export function summarizeTrials(
  runs: readonly TrialRun[],
  {
    count,
    require,
    ...ended
  }: Pick<TrialsReport['trials'], 'count' | 'require'> & Pick<TrialsReport, 'interrupted' | 'wall_ms'>,
): TrialsReport {
  const { format, version, scenario, describe, seed, assumptions, clock, started_at } = runs[0] as TrialRun
  const judged = runs.filter(({ not_judged }) => not_judged === null)
  const passed = judged.filter((run) => run.passed)
  return {
    ...{ format, version, scenario, describe, seed, assumptions, clock, started_at },
    ...ended,
    passed: !ended.interrupted && meetsRequirement(require, passed.length, judged.length),
    trials: {
      ...{ count, judged: judged.length, passed: passed.length, require },
      interval: wilsonInterval(passed.length, judged.length),
      pass_k: passPowers(passed.length, judged.length),
      first_failed: judged.find((run) => !run.passed)?.trial ?? null,
      first_passed: passed[0]?.trial ?? null,
    },
    expectations: (judged[0]?.verdicts ?? []).map((verdict) => tallyOf(verdict, judged)),
    runs,
  }
}

function tallyOf(
  { index, key, kind, describe }: ExpectationResult,
  runs: readonly ReplayReport[],
): ExpectationTally {
  const results = runs.flatMap((run) => judgedExpectations(run).filter((one) => one.index === index))
  const held = results.filter(({ passed }) => passed).length
  const interval = wilsonInterval(held, results.length)
  return { index, key, kind, describe, held, of: results.length, interval }
}

/** Returns whether a requirement is met; nothing judged meets none. */
export function meetsRequirement(require: Requirement, passed: number, judged: number): boolean {
  return judged > 0 && passed / judged >= (require === 'all' ? 1 : require)
}

/** Returns the interval that holds a share with 95 % confidence, after Wilson. */
export function wilsonInterval(held: number, of: number): Interval {
  if (of === 0) return [0, 1]
  const z = 1.959963984540054
  const share = held / of
  const scale = 1 + z ** 2 / of
  const middle = (share + z ** 2 / (2 * of)) / scale
  const half = (z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))) / scale
  return [held === 0 ? 0 : middle - half, held === of ? 1 : middle + half]
}

/**
 * Returns the chance that k trials in a row pass, for k from 1 to `judged`: the share of the sets of k trials in which all
 * passed, C(passed, k) / C(judged, k), which is not biased.
 */
export function passPowers(passed: number, judged: number): number[] {
  let chance = 1
  return Array.from({ length: judged }, (_, before) => {
    chance *= Math.max(0, passed - before) / (judged - before)
    return chance
  })
}
