import type { Vary } from './elements.js'

/** A small story that breaks the client. */
export interface ReportedFinding {
  /** The scenario that fails by itself; null if it could not be written. */
  readonly file: string | null
  /** The changes of the story, as data and in words. */
  readonly elements: readonly object[]
  readonly story: readonly string[]
  /** `command`, `expectation`, or the name of an invariant. */
  readonly judged_by: string
  /** What the client did wrong, in a line. */
  readonly why: string
  readonly advice: string
  readonly found_after_runs: number
  readonly shrink_runs: number
  /** Whether the file failed when it was replayed; null where the search was interrupted before that. */
  readonly steady: boolean | null
  /** The command that shows it again, from the name of the program on. */
  readonly again: string
}

/** A failure that did not come each time. */
export interface ReportedFlake {
  readonly story: readonly string[]
  readonly why: string
  readonly failures: number
  readonly repeats: number
}

/** How much was tried. */
export interface ReportedCoverage {
  /** Runs in which the client met nothing of the plan. */
  readonly vacuous_runs: number
  /** Elements of each kind: how many there are, how many the client met, how many were only tried. */
  readonly kinds: Readonly<
    Partial<Record<Vary, { readonly known: number; readonly met: number; readonly vacuous: number }>>
  >
  readonly readings: {
    readonly met: readonly string[]
    readonly tried: readonly string[]
    readonly never_met: readonly string[]
  }
  /** How often a kind of fault met an operation: `threads.list 503: 4`. */
  readonly faults: Readonly<Record<string, number>>
  readonly seeds: { readonly search: number; readonly scenario: number }
}

/** What a search found. */
export interface FuzzReport {
  readonly format: 'agent-mailbox-sim/fuzz-report'
  readonly version: 1
  /** The command and its arguments, secrets masked. */
  readonly command: readonly string[]
  readonly scenario: string
  readonly seed: number
  /** Plans that were tried. */
  readonly runs: number
  readonly passed: boolean
  readonly interrupted: boolean
  /** How the client ended without any change; null if that was fine. */
  readonly already_fails: string | null
  readonly findings: readonly ReportedFinding[]
  readonly flaky: readonly ReportedFlake[]
  readonly coverage: ReportedCoverage
  /** All runs of the client, those for believing and shrinking included. */
  readonly played: number
  /** The story time at which each run begins, ISO 8601 UTC. */
  readonly started_at: string
  readonly wall_ms: number
}
