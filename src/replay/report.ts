import type { PlayedEntry, RelianceSummary } from '../world/index.js'
import type { Verdict } from './verdict.js'

/** What a report says that it is. */
export const reportFormat = 'agent-mailbox-sim/replay-report'

/** The version of the format that is written. */
export const reportVersion = 1

/** How the command of a replay ended. */
export interface CommandOutcome {
  /** The command and its arguments as they were given, keys masked. */
  readonly command: readonly string[]
  /** Null where it was ended by a signal, or never began. */
  readonly status: number | null
  /** The signal that ended it, e.g. `SIGKILL`. */
  readonly signal: string | null
  /** How it came to its end: by itself, because the story was over, or because it could not begin. */
  readonly ended: 'by-itself' | 'story-over' | 'not-started'
  /** Whether that is fine: status 0, or ended because the story was over. */
  readonly passed: boolean
  /** For people, where it did not pass: what happened, with the remedy where there is one. */
  readonly problem: string | null
  /** The last lines it wrote, of both streams, where it did not pass. */
  readonly output: string
}

/** One story played against an agent, and what became of every expectation. */
export interface ReplayReport {
  readonly format: typeof reportFormat
  readonly version: typeof reportVersion
  readonly scenario: string
  readonly describe: string
  readonly seed: number
  /** Readings that are not the default ones, by gap. */
  readonly readings: Readonly<Record<string, string>>
  /** Story time, ISO 8601 UTC. */
  readonly started_at: string
  readonly ended_at: string
  readonly passed: boolean
  readonly verdicts: readonly Verdict[]
  /** Null where no command was run. */
  readonly command: CommandOutcome | null
  readonly timeline: { readonly played: readonly PlayedEntry[]; readonly left: number }
  readonly requests: number
  readonly deliveries: number
  readonly reliances: readonly RelianceSummary[]
  /** Wall time, in milliseconds: the only figure that two equal runs differ in. */
  readonly wall_ms: number
}
