import type { GapId } from '../contract/gaps.js'
import type { Changes } from './changes.js'
import type { TryKind } from './survey.js'
import type { TrialEnd } from './trial.js'
import type { Outcome } from './trials.js'

/** What a report says that it is. */
export const reportFormat = 'agent-mailbox-sim/explore-report'

/** The version of the format that is written. */
export const reportVersion = 1

/** One run of the command, as reports show it. */
export interface ReportedRun extends TrialEnd {
  /** Milliseconds of wall time. */
  readonly wall_ms: number
}

/** What the command relied on, without any change. */
export interface ReportedGap {
  readonly gap: GapId
  /** The readings that were in force. */
  readonly readings: readonly string[]
  /** Those under which something would have been another answer. */
  readonly instead: readonly string[]
  /** Whether the command chose all of these readings itself, so that no other one could be tried. */
  readonly fixed: boolean
  /** The others: under them, every answer would have been the same, so they need no run. */
  readonly same: readonly string[]
  readonly operations: readonly string[]
}

/** Some changes, and what became of the command under them. */
export interface ReportedTry {
  /** The reading of each gap that was changed. */
  readonly changes: Changes
  readonly kind: TryKind
  readonly outcome: Outcome
  /** Whether anything the command asked depended on the changed gaps. */
  readonly came_up: boolean
  /** How often the command was run under these changes, and how often it failed. */
  readonly runs: number
  readonly failures: number
  readonly problem: string | null
  readonly why: string | null
  readonly output: string
  readonly notes: readonly string[]
  /** Milliseconds of wall time, of its first run. */
  readonly wall_ms: number
}

/** Changes that break the command, none of which could be left out. */
export interface ReportedBreak {
  readonly changes: Changes
  readonly why: string
  /** For each gap, what makes a client right under every reading. */
  readonly advice: Readonly<Partial<Record<GapId, string>>>
}

/** What becomes of a command under other readings. */
export interface ExploreReport {
  readonly format: typeof reportFormat
  readonly version: typeof reportVersion
  /** The command and its arguments, keys masked. */
  readonly command: readonly string[]
  readonly scenario: string
  readonly seed: number
  /** The story time at which the server of each run begins, ISO 8601 UTC. */
  readonly started_at: string
  /** Readings that were chosen for all runs, by gap. */
  readonly readings: Changes
  /** Which gaps were to be tried. */
  readonly gaps: 'relied' | 'all' | readonly GapId[]
  readonly pairs: boolean
  /** Whether the command passes without any change, and nothing that was tried breaks it. */
  readonly passed: boolean
  /** The run without any change. */
  readonly first: ReportedRun
  /** The same again, beside the others; null where the command could not be started. */
  readonly control: ReportedRun | null
  /** Whether it is the changes alone that decide how the command ends, as far as was seen. */
  readonly steady: boolean
  /** How many requests the first run's own server had. */
  readonly requests: number
  readonly relied: readonly ReportedGap[]
  readonly tries: readonly ReportedTry[]
  /** What breaks the command, the smallest first. */
  readonly breaks: readonly ReportedBreak[]
  /** How often the command was run. */
  readonly runs: number
  /** Milliseconds of wall time: these figures are all that two equal explorations differ in. */
  readonly wall_ms: number
}
