import { mapLimited } from '../agent/map-limited.js'
import type { RecordedRun } from '../reports/index.js'
import { type Changes, countChanges, listChanges } from './changes.js'
import type { ReliedGaps } from './relied.js'

/** How a run of the command ended. */
export interface RunEnd {
  /** Whether the command ended by itself with status 0. */
  readonly passed: boolean
  /** Why it ended: by itself, at its time limit, or because it could not start. */
  readonly ended: 'by-itself' | 'time-limit' | 'not-started'
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

/** A run of the command under some readings. */
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

/** Runs the command under changed readings. @throws RunError `interrupted` */
export type RunCommand = (changes: Changes) => Promise<RunResult>

/**
 * The outcome of a variant. `failed`: it breaks the command in every run. `unsure`: it failed, but not every time, or as
 * it does without changes. `overruled`: it passed, but the simulator's own options chose the reading of that gap.
 */
export type Outcome = 'passed' | 'failed' | 'unsure' | 'overruled'

/** Changed readings, and what they do to the command. */
export interface VariantResult {
  readonly changes: Changes
  readonly outcome: Outcome
  /** Every run under these changes. */
  readonly runs: readonly [RunResult, ...RunResult[]]
}

/** The number of failures that confirm a break, for a steady and for a flaky command. */
const requiredFailures = { steady: 2, flaky: 4 }

/** How variants are tested. */
export interface VariantsOptions {
  /** Runs at a time; one by default. */
  readonly jobs?: number | undefined
  /** Called with variants that are about to be tested; the control run has no changes. */
  readonly onPlanned?: ((planned: readonly Changes[]) => void) | undefined
}

/** Runs the command under variants as often as necessary to confirm the outcome. */
export class Variants {
  /** All results so far. */
  readonly tested: VariantResult[] = []
  /** The control run, once it has ended. */
  controlResult: RunResult | null = null
  readonly #run: RunCommand
  readonly #jobs: number
  readonly #onPlanned: VariantsOptions['onPlanned']
  #pendingControl: Promise<RunResult> | undefined

  constructor(run: RunCommand, { jobs = 1, onPlanned }: VariantsOptions = {}) {
    this.#jobs = jobs
    this.#run = run
    this.#onPlanned = onPlanned
  }

  /** Runs the command once more without changes, which shows whether it is steady. */
  control(): Promise<RunResult> {
    this.#pendingControl ??= this.#run({}).then((result) => {
      this.controlResult = result
      return result
    })
    return this.#pendingControl
  }

  /** Tests variants; a variant without changes is the control run, which has no result. */
  async testAll(
    planned: readonly Changes[],
    test = (changes: Changes): Promise<VariantResult> => this.test(changes),
  ): Promise<VariantResult[]> {
    this.#onPlanned?.(planned)
    const results = await mapLimited(this.#jobs, planned, async (changes) => {
      return countChanges(changes) > 0 ? test(changes) : void (await this.control())
    })
    return results.filter((result) => result !== undefined)
  }

  /** Tests whether changes break the command. */
  async test(changes: Changes): Promise<VariantResult> {
    const result = await this.#test(changes)
    this.tested.push(result)
    return result
  }

  /** Tests whether a command that otherwise fails passes under changes; two passes confirm it. */
  async testRemedy(changes: Changes): Promise<VariantResult> {
    const first = await this.#run(changes)
    const again = first.passed ? [await this.#run(changes)] : []
    const outcome = !first.passed ? 'failed' : again[0]?.passed ? 'passed' : 'unsure'
    const result: VariantResult = { changes, outcome, runs: [first, ...again] }
    this.tested.push(result)
    return result
  }

  async #test(changes: Changes): Promise<VariantResult> {
    const first = await this.#run(changes)
    if (first.passed) return { changes, outcome: isOverruled(first) ? 'overruled' : 'passed', runs: [first] }
    const control = await this.control()
    const runs: [RunResult, ...RunResult[]] = [first]
    while (runs.length < requiredFailures[control.passed ? 'steady' : 'flaky']) {
      const again = await this.#run(changes)
      runs.push(again)
      if (again.passed) return { changes, outcome: 'unsure', runs }
    }
    // A failure that also happens without changes proves nothing about them.
    const isUsual = !control.passed && runs.every(({ why }) => why === control.why)
    return { changes, outcome: isUsual ? 'unsure' : 'failed', runs }
  }
}

/** Returns whether changes had no effect because every simulator that met their gap had chosen its reading itself. */
function isOverruled({ changes, relied }: RunResult): boolean {
  return listChanges(changes).some(({ gap, reading }) => {
    const seen = relied.get(gap)?.readings
    return seen !== undefined && !seen.includes(reading)
  })
}
