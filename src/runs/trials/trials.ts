import type { Simulator } from '../../doors/simulator/simulator.js'
import { type InitialState, stopwatch } from '../../service/world/index.js'
import { mapLimited } from '../agent/map-limited.js'
import { RunError } from '../errors.js'
import { localReceivers } from '../pace/readiness.js'
import type { ReplayOptions, ReplayWatcher } from '../replay/options.js'
import { loadStory, replayAndKeep } from '../replay/replay.js'
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
  /** Called with each trial that ended. @internal */
  readonly keep?: ((trial: RecordedTrial) => void) | undefined
}

/** Observes the progress of trials. */
export interface TrialsWatcher {
  started?(trial: number): void
  /** Returns the observer of a trial. */
  of?(trial: number): ReplayWatcher
  ended?(run: TrialRun): void
  /** A note for the user. */
  noted?(note: string): void
}

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
  const { initialState, ...others } = options
  return new Trials(others, initialState ?? (await loadStory(options))).play()
}

/** Returns how many runs of a story may be played at a time. */
export function jobsFor(
  { jobs = 1, ready, port = 0, watcher }: Omit<TrialsOptions, 'trials'>,
  story: InitialState,
): number {
  const [receiver] = localReceivers(story.base.database.all('webhook'))
  const place = ready ?? (receiver ? `${receiver.host}:${receiver.port}` : port > 0 ? `port ${port}` : null)
  if (jobs === 1 || place === null) return jobs
  watcher?.noted?.(`Trials are played one at a time, since only one at a time can have ${place}.`)
  return 1
}

/** The trials of a story. */
class Trials {
  readonly #options: TrialsOptions
  readonly #story: InitialState
  readonly #elapsed = stopwatch()
  /** Aborted when no more trials are needed. */
  readonly #stop = new AbortController()
  readonly #runs: TrialRun[] = []
  /** The first trials that failed, that passed and that were not judged. */
  readonly #first: { failed?: RecordedTrial; passed?: RecordedTrial; unjudged?: RecordedTrial } = {}

  constructor(options: TrialsOptions, story: InitialState) {
    this.#options = options
    this.#story = story
  }

  async play(): Promise<PlayedTrials> {
    const { trials: count, require = 'all', signal } = this.#options
    const numbers = Array.from({ length: count }, (_, index) => index + 1)
    await mapLimited(jobsFor(this.#options, this.#story), numbers, (trial) => this.#play(trial))
    const { failed, passed, unjudged } = this.#first
    const main = failed ?? passed ?? unjudged
    if (!main) throw new RunError('interrupted', 'Interrupted before the first trial.')
    const runs = this.#runs.sort((a, b) => a.trial - b.trial)
    const ended = { interrupted: signal?.aborted === true, wall_ms: Math.round(this.#elapsed()) }
    return { report: summarizeTrials(runs, { count, require, ...ended }), main, beside: failed && passed }
  }

  async #play(trial: number): Promise<void> {
    const { watcher, variables, ...options } = this.#options
    // A new signal, since each run adds its own listeners.
    const signal = AbortSignal.any([this.#stop.signal, ...(options.signal ? [options.signal] : [])])
    if (signal.aborted) return
    watcher?.started?.(trial)
    try {
      const initialState = await this.#storyOf(trial)
      const { report, server } = await replayAndKeep({
        ...{ ...options, initialState, seed: initialState.seed, signal },
        variables: { MAILBOX_TRIAL: String(trial), ...variables },
        watcher: watcher?.of?.(trial),
      })
      await server.close()
      this.#note({ run: { trial, ...report }, simulator: server.simulator })
    } catch (error) {
      if (error instanceof RunError && error.code === 'interrupted') return
      this.#stop.abort()
      throw error
    }
  }

  async #storyOf(trial: number): Promise<InitialState> {
    if (!this.#options.varySeed || trial === 1) return this.#story
    const [first, distance] = [this.#story.seed, trial - 1]
    // The greatest seed has no successor.
    const seed = Number.isSafeInteger(first + distance) ? first + distance : first - distance
    return loadStory({ ...this.#options, onProgress: undefined, seed })
  }

  #note(recorded: RecordedTrial): void {
    const { run } = recorded
    this.#runs.push(run)
    const outcome = run.not_judged !== null ? 'unjudged' : run.passed ? 'passed' : 'failed'
    if ((this.#first[outcome]?.run.trial ?? Infinity) > run.trial) this.#first[outcome] = recorded
    this.#options.watcher?.ended?.(run)
    this.#options.keep?.(recorded)
    if (this.#options.bail && !this.#canBeMet()) this.#stop.abort()
  }

  /** Returns whether the requirement is met if all remaining trials pass. */
  #canBeMet(): boolean {
    const { trials, require = 'all' } = this.#options
    const judged = this.#runs.filter(({ not_judged }) => not_judged === null)
    const left = trials - this.#runs.length
    return meetsRequirement(
      require,
      judged.filter(({ passed }) => passed).length + left,
      judged.length + left,
    )
  }
}
