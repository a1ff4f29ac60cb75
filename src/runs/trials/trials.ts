import { counted, truncate } from '../../base/text.js'
import { stopwatch } from '../../service/time/wall-time.js'
import type { ExpectationResult } from '../../story/expectations/kinds.js'
import type { Story } from '../../story/story.js'
import { RunError } from '../errors.js'
import { jobsFor, type PlansWatcher, runPlans } from '../plans.js'
import type { Play } from '../play.js'
import { headOf, type ReplayReport, type StoryHead } from '../replay/outcome.js'
import { loadStory, type ReplayOptions, replayAndKeep } from '../replay/replay.js'
import { describeProblems, replayReport } from '../replay/report.js'
import { formatSeconds, type Report, type Table, type TableRow } from '../reports/report.js'

/** The options of trials. */
export interface TrialsOptions extends Omit<ReplayOptions, 'watcher'> {
  /** How often the story is played. */
  readonly trials: number
  /** `all` by default. */
  readonly require?: Requirement | undefined
  /**
   * The number of concurrent trials; one by default, and one if the agent listens at an address that only one trial can use.
   */
  readonly jobs?: number | undefined
  /** Whether each trial has another seed; the first has the given one. */
  readonly varySeed?: boolean | undefined
  /** Whether to stop once the requirement can no longer be met. */
  readonly bail?: boolean | undefined
  readonly watcher?: TrialsWatcher | undefined
}

/** A trial that is about to be played. */
export interface TrialPlan {
  /** Its number, from 1. */
  readonly trial: number
  /** What it is about if there are several series, e.g. `under refund-to-stranger`. */
  readonly series?: string
}

/** Observes the progress of trials. */
export type TrialsWatcher = PlansWatcher<TrialPlan, TrialRun>

/** A run with its world as it was at the end, and what became of the attacks on it. */
export interface RecordedTrial extends Pick<Play, 'simulator' | 'attacks' | 'listens'> {
  readonly run: TrialRun
}

/** Finished trials. */
interface PlayedTrials {
  readonly report: TrialsReport
  /** The first trial that failed, or else the first that passed, or else the first. */
  readonly main: RecordedTrial
}

/**
 * Plays a story several times against an agent, each time in a fresh world, and reports how often it passed.
 * The agent finds the number of its trial in `MAILBOX_TRIAL`.
 * @throws ScenarioError, WorldError, ServerError, RunError
 */
export async function playTrials(options: TrialsOptions): Promise<PlayedTrials> {
  const { trials: count, require = 'all', jobs = 1, bail, signal, watcher } = options
  const story = await loadStory(options)
  const elapsed = stopwatch()
  let main: RecordedTrial | undefined
  const played = await runPlans(numbersTo(count), {
    ...{
      signal,
      watcher,
      jobs: jobsFor({ jobs, options, story, watcher, listens: () => main?.listens === true }),
    },
    async play(plan, interrupted) {
      const seed = seedOf(plan.trial, story.seed, options)
      const own = seed === story.seed ? story : await loadStory({ ...options, seed, initialState: undefined })
      const recorded = await playTrial(plan, own, options, interrupted)
      main = moreTelling(recorded, main)
      return recorded.run
    },
    isEnough: (runs) => bail === true && !canBeMet(runs, require, count),
  })
  if (!main) throw new RunError('interrupted', 'Interrupted before the first trial.')
  const ended = { interrupted: signal?.aborted === true, wall_ms: Math.round(elapsed()) }
  const runs = played.map(({ result }) => result)
  return { report: summarizeTrials(runs, { count, require, ...ended }), main }
}

/** Returns the plans of some trials. */
export function numbersTo(count: number): TrialPlan[] {
  return Array.from({ length: count }, (_, index) => ({ trial: index + 1 }))
}

/** Plays a story as one of several trials. An aborted signal interrupts it. */
export async function playTrial(
  plan: TrialPlan,
  initialState: Story,
  options: Omit<TrialsOptions, 'trials'>,
  signal: AbortSignal,
): Promise<RecordedTrial> {
  const { trial } = plan
  const { report, simulator, attacks, listens, close } = await replayAndKeep({
    ...{ ...options, initialState, signal, watcher: options.watcher?.of?.(plan) },
    variables: { MAILBOX_TRIAL: String(trial), ...options.variables },
  })
  await close()
  return { run: { trial, ...report }, simulator, attacks, listens }
}

/** Returns the one of two trials that a report shows: a failure before what passed, and that before what was not judged. */
export function moreTelling<Trial extends RecordedTrial>(one: Trial, other: Trial | undefined): Trial {
  return !other || orderOf(one.run) < orderOf(other.run) ? one : other
}

function orderOf({ not_judged, passed, trial }: TrialRun): number {
  return trial + (not_judged !== null ? 2e6 : passed ? 1e6 : 0)
}

/** Returns the seed of a trial, given that of the first. */
export function seedOf(trial: number, first: number, { varySeed }: Pick<TrialsOptions, 'varySeed'>): number {
  return varySeed ? first + trial - 1 : first
}

/** Returns whether the requirement is met if all remaining trials pass. */
function canBeMet(runs: readonly TrialRun[], require: Requirement, count: number): boolean {
  const judged = runs.filter(({ not_judged }) => not_judged === null)
  const left = count - runs.length
  return meetsRequirement(require, judged.filter(({ passed }) => passed).length + left, judged.length + left)
}

/** What is required of trials: that all judged ones pass, or at least this share of them, from 0 to 1. */
export type Requirement = 'all' | number

/** A share of trials as an interval that holds the true one with 95 % confidence, after Wilson. */
type Interval = readonly [low: number, high: number]

/** One of several runs of the same story. */
export interface TrialRun extends ReplayReport {
  /** Its number, from 1. */
  readonly trial: number
}

/** How often an expectation held, of the trials in which it was judged. */
interface ExpectationTally extends Pick<ExpectationResult, 'index' | 'key' | 'kind' | 'describe'> {
  readonly held: number
  readonly of: number
  readonly interval: Interval
}

/** The outcome of a story that was played several times, each time in a fresh world. */
export interface TrialsReport extends StoryHead {
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
  const judged = runs.filter(({ not_judged }) => not_judged === null)
  const passed = judged.filter((run) => run.passed)
  return {
    ...headOf(runs[0] as TrialRun),
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
  const results = runs.flatMap((run) => run.verdicts.filter((one) => one.index === index))
  const held = results.filter(({ passed }) => passed).length
  const interval = wilsonInterval(held, results.length)
  return { index, key, kind, describe, held, of: results.length, interval }
}

/** Returns whether a requirement is met; nothing judged meets none. */
export function meetsRequirement(require: Requirement, passed: number, judged: number): boolean {
  return judged > 0 && passed / judged >= (require === 'all' ? 1 : require)
}

/** Returns the interval that holds a share with 95 % confidence, after Wilson. */
function wilsonInterval(held: number, of: number): Interval {
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
function passPowers(passed: number, judged: number): number[] {
  let chance = 1
  return Array.from({ length: judged }, (_, before) => {
    chance *= Math.max(0, passed - before) / (judged - before)
    return chance
  })
}

/** Prepares the report of trials for the printers: a table, and the first trial that failed in full. */
export function trialsReport(report: TrialsReport): Report {
  const { passed, trials, runs, scenario, wall_ms } = report
  const first = runs.find(({ trial }) => trial === trials.first_failed)
  const shown = first ?? (trials.judged === 0 ? runs[0] : undefined)
  const { findings = [], output, notes = [] } = shown ? replayReport(shown) : {}
  const seeds = [...new Set(runs.map(({ seed }) => seed))]
  return {
    document: report,
    name: scenario,
    passed,
    isEmpty: runs.every(({ not_judged }) => not_judged === 'nothing-checked'),
    headline: headlineOf(report),
    paragraphs: trials.judged === 0 ? [] : [describeChances(report)],
    table: trials.judged === 0 ? undefined : tableOf(report),
    about:
      shown &&
      `Trial ${shown.trial} of ${scenario}${first ? `, the first that failed: ${describeProblems(first)}` : ''}`,
    findings,
    output,
    notes: [...notes, ...notesOf(report)],
    facts: [
      `${counted(runs.length, 'trial')} in ${formatSeconds(wall_ms)}; ` +
        (seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${seeds.at(-1)}`),
    ],
    wallMs: wall_ms,
  }
}

/** Returns the outcome in one line: `refund-request failed: 7 of 10 trials passed; required: all`. */
function headlineOf({ scenario, passed, interrupted, trials, runs }: TrialsReport): string {
  const { count, judged, require } = trials
  if (judged === 0 && !interrupted) {
    return `None of ${counted(count, 'trial')} could be judged. ${replayReport(runs[0] as TrialRun).headline}`
  }
  const result = `${trials.passed} of ${judged} ${judged === count ? 'trials' : 'judged trials'} passed`
  if (interrupted) return `${scenario} was interrupted: ${result}`
  const required = require === 'all' ? 'all' : formatShare(require)
  const first = passed ? undefined : runs.find(({ trial }) => trial === trials.first_failed)
  const why = first?.cause ? `; trial ${first.trial}: ${first.cause}` : ''
  return truncate(
    `${scenario} ${passed ? 'passed' : 'failed'}: ${result}; required: ${required}${why}`.replace(
      /\s+/g,
      ' ',
    ),
    150,
  )
}

/** Describes the chances that one trial, and that several in a row, pass. */
function describeChances({ trials: { judged, passed, interval, pass_k } }: TrialsReport): string {
  const several = [2, 3, 5, 10, 20, 50, 100, judged].filter((k, place, all) => {
    return k > 1 && k <= judged && all.indexOf(k) === place
  })
  const chances = several.map((k) => `${k}: ${formatShare(pass_k[k - 1] ?? 0)}`)
  const rate = `Success rate: ${formatShare(passed / judged)} (95 % interval: ${formatInterval(interval)}).`
  return chances.length === 0
    ? rate
    : `${rate} Chance that k trials in a row pass (pass^k): ${chances.join(', ')}.`
}

function formatShare(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`
}

/** Formats an interval as `21–86 %`. */
function formatInterval([low, high]: Interval): string {
  return `${Math.round(100 * low)}–${Math.round(100 * high)} %`
}

/** Returns a table with a row for each expectation, and one for how the command ended. */
function tableOf({ expectations, runs }: TrialsReport): Table {
  const ends = runs.flatMap(({ command, not_judged }) => (command && not_judged === null ? command : []))
  const [held, of] = [ends.filter(({ passed }) => passed).length, ends.length]
  const end = { describe: 'The command succeeds.', held, of, interval: wilsonInterval(held, of) }
  const rows = [...expectations, ...(of > 0 ? [end] : [])].map(
    (row): TableRow => ({
      name: row.describe,
      cells: [
        { text: `${row.held} of ${row.of}`, tone: toneOf(row) },
        { text: row.of === 0 ? '' : formatInterval(row.interval) },
      ],
    }),
  )
  const title = 'How often each expectation held'
  return { title, subject: 'expectation', columns: ['held', '95 % interval'], rows }
}

function toneOf({ held, of }: Pick<ExpectationTally, 'held' | 'of'>) {
  if (of === 0) return 'none'
  return held === of ? 'passed' : held === 0 ? 'failed' : 'unsure'
}

function notesOf({ trials: { count }, runs, interrupted }: TrialsReport): string[] {
  const unjudged = runs.filter(({ not_judged }) => not_judged !== null)
  const listed = unjudged.map((run) => `trial ${run.trial}: ${run.not_judged}`)
  const why = interrupted ? 'the trials were interrupted' : 'the requirement could no longer be met'
  return [
    ...(listed.length > 0
      ? [`${counted(listed.length, 'trial')} could not be judged: ${truncate(listed.join(', '), 200)}`]
      : []),
    ...(count > runs.length ? [`${counted(count - runs.length, 'trial')} not played, since ${why}`] : []),
  ]
}
