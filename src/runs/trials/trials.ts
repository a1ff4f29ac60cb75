import type { Simulator } from '../../doors/simulator/index.js'
import { stopwatch } from '../../service/time/index.js'
import type { Story } from '../../story/index.js'
import { jobsFor, loadStory, type PlansWatcher, RunError, runPlans } from '../index.js'
import { type ReplayOptions, replayAndKeep } from '../replay/index.js'
import {
  meetsRequirement,
  type Requirement,
  summarizeTrials,
  type TrialRun,
  type TrialsReport,
} from './trials-summary.js'

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

/** A run with its world as it was at the end. */
export interface RecordedTrial {
  readonly run: TrialRun
  readonly simulator: Simulator
}

/** Finished trials. */
export interface PlayedTrials {
  readonly report: TrialsReport
  /** The first trial that failed, or else the first that passed, or else the first. */
  readonly main: RecordedTrial
  /** The first that passed, if another failed. */
  readonly beside: RecordedTrial | undefined
}

/**
 * Plays a story several times against an agent, each time in a fresh world, and reports how often it passed.
 * The agent finds the number of its trial in `MAILBOX_TRIAL`.
 * @throws ScenarioError, ReadingError, ServerError, RunError
 */
export async function playTrials(options: TrialsOptions): Promise<PlayedTrials> {
  const { trials: count, require = 'all', jobs = 1, bail, signal, watcher } = options
  const story = await loadStory(options)
  const series = new TrialSeries({ ...options, initialState: story })
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

/** The trials of one story, which is loaded with the first. */
export class TrialSeries {
  readonly #options: TrialsOptions
  readonly #keep: (trial: RecordedTrial) => void
  readonly #runs: TrialRun[] = []
  /** The first trials that failed, that passed and that were not judged. */
  readonly #first: { failed?: RecordedTrial; passed?: RecordedTrial; unjudged?: RecordedTrial } = {}
  #story: Promise<Story> | undefined
  #elapsed: (() => number) | undefined
  #wallMs = 0
  /** Whether the agent listened for deliveries. */
  listens = false

  /** `keep` is called with each trial that ended. */
  constructor(options: TrialsOptions, keep: (trial: RecordedTrial) => void = () => undefined) {
    this.#options = options
    this.#keep = keep
  }

  /** Plays a trial. An aborted signal interrupts it. */
  async play(plan: TrialPlan, signal: AbortSignal): Promise<TrialRun> {
    const { trial } = plan
    const { variables, watcher } = this.#options
    this.#elapsed ??= stopwatch()
    this.#story ??= loadStory(this.#options)
    const initialState = await storyOf(trial, await this.#story, this.#options)
    const { report, simulator, listens, close } = await replayAndKeep({
      ...{ ...this.#options, initialState, signal, watcher: watcher?.of?.(plan) },
      variables: { MAILBOX_TRIAL: String(trial), ...variables },
    })
    await close()
    const run = { trial, ...report }
    const how = run.not_judged !== null ? 'unjudged' : run.passed ? 'passed' : 'failed'
    if ((this.#first[how]?.run.trial ?? Infinity) > trial) this.#first[how] = { run, simulator }
    this.#runs.push(run)
    this.#keep({ run, simulator })
    this.listens ||= listens
    this.#wallMs = Math.round(this.#elapsed())
    return run
  }

  /** Reports the trials that were played; undefined if none was. */
  conclude(): PlayedTrials | undefined {
    const { trials: count, require = 'all', signal } = this.#options
    const { failed, passed, unjudged } = this.#first
    const main = failed ?? passed ?? unjudged
    if (!main) return undefined
    const ended = { interrupted: signal?.aborted === true, wall_ms: this.#wallMs }
    const report = summarizeTrials(this.#runs.sort(byTrial), { count, require, ...ended })
    return { report, main, beside: failed && passed }
  }
}

/** Returns the story of a trial, which may have a seed of its own. */
async function storyOf(trial: number, story: Story, options: TrialsOptions): Promise<Story> {
  if (!options.varySeed || trial === 1) return story
  const distance = trial - 1
  // The greatest seed has no successor.
  const seed = Number.isSafeInteger(story.seed + distance) ? story.seed + distance : story.seed - distance
  return loadStory({ ...options, initialState: undefined, onProgress: undefined, seed })
}

/** Returns whether the requirement is met if all remaining trials pass. */
function canBeMet(runs: readonly TrialRun[], require: Requirement, count: number): boolean {
  const judged = runs.filter(({ not_judged }) => not_judged === null)
  const left = count - runs.length
  return meetsRequirement(require, judged.filter(({ passed }) => passed).length + left, judged.length + left)
}
