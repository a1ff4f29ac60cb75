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
