import { type RunPlansOptions, runPlans } from '../plans.js'
import type { RecordedRun } from '../reports/report.js'
import { type Changes, countChanges, listChanges } from './changes.js'
import type { ReliedGaps } from './relied.js'

/** How a run of the command ended. */
export interface RunEnd {
  /** Whether the command ended by itself with status 0, or kept running and did what the story expects. */
  readonly passed: boolean
  /** Why it ended: by itself, at its time limit, with the story, or because it could not start. */
  readonly ended: 'by-itself' | 'time-limit' | 'not-started' | 'story-over'
  /** The problem, for people; null if there is none. */
  readonly problem: string | null
  /** The line of output that best explains the failure, or else how it ended; null if it passed. */
  readonly why: string | null
  /** The last lines it wrote to either stream, if it did not pass; plain text. */
  readonly output: string
  /** Further notes, e.g. that it left something running. */
  readonly notes: readonly string[]
  /** Milliseconds of wall time. */
  readonly wall_ms: number
}

/** A run of the command under some assumptions. */
export interface RunResult extends RunEnd {
  readonly changes: Changes
  readonly relied: ReliedGaps
  /** The number of requests to its own server; those to in-process simulators do not count. */
  readonly requests: number
  /** Whether it received deliveries, at an address that two runs cannot share. */
  readonly receives: boolean
  /** The state of its own server at the end, if requested. */
  readonly recording?: RecordedRun | undefined
}

/** Runs the command under changed assumptions. @throws RunError `interrupted` */
export type RunCommand = (changes: Changes, signal?: AbortSignal) => Promise<RunResult>

/**
 * The outcome of a variant. `failed`: it breaks the command in every run. `unsure`: it failed, but not every time, or as
 * it does without changes. `overruled`: it passed, but the simulator's own options chose the assumption of that gap.
 */
export type VariantOutcome = 'passed' | 'failed' | 'unsure' | 'overruled'

/** Changed assumptions, and what they do to the command. */
export interface VariantResult {
  readonly changes: Changes
  readonly outcome: VariantOutcome
  /** Every run under these changes. */
  readonly runs: readonly [RunResult, ...RunResult[]]
}

/** The number of failures that confirm a break, for a steady and for a flaky command. */
const requiredFailures = { steady: 2, flaky: 4 }

/** What variants are tested for: to break a command that passes, or to remedy one that fails. */
export type TestedFor = 'breaks' | 'remedies'

/** Runs the command under variants as often as necessary to confirm the outcome. */
export class Variants {
  readonly #run: RunCommand
  readonly #options: Omit<RunPlansOptions<Changes, RunResult>, 'play' | 'confirm'>
  /** The run without changes that shows whether the command is steady, once it was begun. */
  #control: Promise<RunResult> | undefined
  /** The control run, once it has ended. */
  control: RunResult | null = null

  constructor(run: RunCommand, options: Omit<RunPlansOptions<Changes, RunResult>, 'play' | 'confirm'> = {}) {
    this.#run = run
    this.#options = options
  }

  /**
   * Tests variants; one without changes is the control run, which has no result. After an interruption, returns the
   * results so far.
   */
  async testAll(planned: readonly Changes[], what: TestedFor = 'breaks'): Promise<VariantResult[]> {
    const played = await runPlans(planned, {
      ...this.#options,
      play: (changes, signal) => {
        if (countChanges(changes) > 0) return this.#run(changes, signal)
        this.#control = this.#run(changes, signal)
        return this.#control
      },
      confirm: async (changes, runs) => {
        return countChanges(changes) > 0 && (await this.#isOpen(runs, what))
      },
    })
    this.control = (await this.#control?.catch(() => null)) ?? null
    return played.flatMap(({ plan: changes, results: runs, isConfirmed }) => {
      if (countChanges(changes) === 0 || !isConfirmed) return []
      return [{ changes, outcome: this.#outcomeOf(runs, what), runs }]
    })
  }

  /** Returns whether another run has to confirm what some runs say. */
  async #isOpen(runs: readonly RunResult[], what: TestedFor): Promise<boolean> {
    const isUnchanged = runs.every(({ passed }) => passed === (what === 'remedies'))
    if (what === 'remedies') return isUnchanged && runs.length < 2
    if (!isUnchanged) return false
    const control = await this.#control
    return runs.length < requiredFailures[control?.passed === false ? 'flaky' : 'steady']
  }

  #outcomeOf(runs: readonly [RunResult, ...RunResult[]], what: TestedFor): VariantOutcome {
    const [first, ...others] = runs
    if (what === 'remedies') return !first.passed ? 'failed' : others[0]?.passed ? 'passed' : 'unsure'
    if (first.passed) return isOverruled(first) ? 'overruled' : 'passed'
    const { control } = this
    // A failure that also happens without changes proves nothing about them.
    const isUsual = control?.passed === false && runs.every(({ why }) => why === control.why)
    return isUsual || others.some(({ passed }) => passed) ? 'unsure' : 'failed'
  }
}

/** Returns whether changes had no effect because every simulator that met their gap had chosen its assumption itself. */
function isOverruled({ changes, relied }: RunResult): boolean {
  return listChanges(changes).some(({ gap, assumption }) => {
    const seen = relied.get(gap)?.assumptions
    return seen !== undefined && !seen.includes(assumption)
  })
}
