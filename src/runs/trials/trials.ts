import { stopwatch } from '../../service/time/wall-time.js'
import type { Story } from '../../story/story.js'
import { RunError } from '../errors.js'
import { jobsFor, type PlansWatcher, runPlans } from '../plans.js'
import type { Play } from '../play.js'
import { loadStory, type ReplayOptions, replayAndKeep } from '../replay/replay.js'
import {
  meetsRequirement,
  type Requirement,
  summarizeTrials,
  type TrialRun,
  type TrialsReport,
} from './trials-report.js'

/** The options of trials. */
export interface TrialsOptions extends Omit<ReplayOptions, 'watcher'> {
  /** How often the story is played. */
  readonly trials: number
  /** `all` by default. */
  readonly require?: Requirement | undefined
  /**
   * The number of concurrent trials; one by default, and one if the agent listens at an address that only one
   * trial can use.
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
export interface RecordedTrial extends Pick<Play, 'simulator' | 'attacks'> {
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
  const series = new TrialSeries(options, async (trial) => {
    const seed = seedOf(trial, story.seed, options)
    return seed === story.seed ? story : loadStory({ ...options, seed, initialState: undefined })
  })
  await runPlans(numbersTo(count), {
    ...{ signal, watcher, jobs: jobsFor({ jobs, options, story, watcher, receives: () => series.listens }) },
    play: (plan, interrupted) => series.play(plan, interrupted),
    isEnough: (runs) => bail === true && !canBeMet(runs, require, count),
  })
  const played = series.conclude()
  if (!played) throw new RunError('interrupted', 'Interrupted before the first trial.')
  return played
}

/** Returns the plans of some trials. */
export function numbersTo(count: number): TrialPlan[] {
  return Array.from({ length: count }, (_, index) => ({ trial: index + 1 }))
}

/** Compares runs by the numbers of their trials. */
export function byTrial(one: TrialPlan, other: TrialPlan): number {
  return one.trial - other.trial
}

/** The trials of one story. */
export class TrialSeries {
  readonly #options: TrialsOptions
  readonly #storyOf: (trial: number) => Promise<Story>
  readonly #keep: (trial: RecordedTrial) => void
  readonly #runs: TrialRun[] = []
  #main: RecordedTrial | undefined
  #elapsed: (() => number) | undefined
  #wallMs = 0
  /** Whether the agent listened for deliveries. */
  listens = false

  /** `storyOf` returns the story of a trial, and `keep` is called with each that ended. */
  constructor(
    options: TrialsOptions,
    storyOf: (trial: number) => Promise<Story>,
    keep: (trial: RecordedTrial) => void = () => undefined,
  ) {
    this.#options = options
    this.#storyOf = storyOf
    this.#keep = keep
  }

  /** Plays a trial. An aborted signal interrupts it. */
  async play(plan: TrialPlan, signal: AbortSignal): Promise<TrialRun> {
    const { trial } = plan
    const { variables, watcher } = this.#options
    this.#elapsed ??= stopwatch()
    const initialState = await this.#storyOf(trial)
    const played = await replayAndKeep({
      ...{ ...this.#options, initialState, signal, watcher: watcher?.of?.(plan) },
      variables: { MAILBOX_TRIAL: String(trial), ...variables },
    })
    const { report, simulator, attacks, listens, close } = played
    await close()
    const run = { trial, ...report }
    const recorded = { run, simulator, attacks }
    if (!this.#main || orderOf(run) < orderOf(this.#main.run)) this.#main = recorded
    this.#runs.push(run)
    this.#keep(recorded)
    this.listens ||= listens
    this.#wallMs = Math.round(this.#elapsed())
    return run
  }

  /** Reports the trials that were played; undefined if none was. */
  conclude(): PlayedTrials | undefined {
    const { trials: count, require = 'all', signal } = this.#options
    const main = this.#main
    if (!main) return undefined
    const ended = { interrupted: signal?.aborted === true, wall_ms: this.#wallMs }
    const report = summarizeTrials(this.#runs.sort(byTrial), { count, require, ...ended })
    return { report, main }
  }
}

/** Returns the place of a run among those that a report may show: a failure first, what was not judged last. */
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
