import type { ExpectationResult } from '../expectations/tracker.js'
import type { PlayedEntry, RelianceSummary } from '../world/index.js'
import type { TapeOutcome } from './tapes/tape-comparison.js'

/** How the command of a replay ended. */
export interface CommandOutcome {
  /** The command and its arguments as they were given, secrets masked. */
  readonly command: readonly string[]
  /** Null if a signal ended it, or it never started. */
  readonly status: number | null
  /** The signal that ended it, e.g. `SIGKILL`. */
  readonly signal: string | null
  /**
   * Why it ended: on its own; because the story was over; because the replay was interrupted; because it was not ready
   * before the story could begin; or because it could not be started. In the last two cases, the story was not played.
   */
  readonly ended: 'by-itself' | 'story-over' | 'interrupted' | 'not-ready' | 'not-started'
  /** Whether that is fine: status 0, or stopped by the replay. */
  readonly passed: boolean
  /** The problem if it did not pass, with the remedy if there is one; null if it passed. */
  readonly problem: string | null
  /** Further notes, e.g. about processes it left running. */
  readonly notes: readonly string[]
  /** The last lines it wrote to either stream, if it did not pass. */
  readonly output: string
}

/** The outcome of a scenario that was played against an agent. */
export interface ReplayReport {
  readonly format: 'agent-mailbox-sim/replay-report'
  readonly version: 1
  readonly scenario: string
  readonly describe: string
  readonly seed: number
  /** Readings at the start that are not the default ones, by gap. */
  readonly readings: Readonly<Record<string, string>>
  /** How time passed: `10x`, `real`, `frozen`; without a command it is `frozen`, and the story happens at once. */
  readonly clock: string
  /** Story time, ISO 8601 UTC. */
  readonly started_at: string
  readonly ended_at: string
  /** Whether everything passed: every expectation, the command, the timeline and the tape, without an interruption. */
  readonly passed: boolean
  /** Whether the replay was interrupted before the story was over; the results are as of then. */
  readonly interrupted: boolean
  /** In the order of the file; empty if the story was not played. */
  readonly verdicts: readonly ExpectationResult[]
  /** Null if no command was run. */
  readonly command: CommandOutcome | null
  readonly timeline: { readonly played: readonly PlayedEntry[]; readonly left: number }
  /** Null if the requests were not compared with a tape. */
  readonly tape: TapeOutcome | null
  readonly requests: number
  readonly deliveries: number
  readonly reliances: readonly RelianceSummary[]
  /** Wall time in milliseconds: the only figure that differs between two equal runs. */
  readonly wall_ms: number
}

/** Returns whether everything that was judged passed. */
export function allPassed(report: Pick<ReplayReport, 'verdicts' | 'command' | 'timeline' | 'tape'>): boolean {
  const { command, tape } = report
  const isStoryFine = failedExpectations(report).length === 0 && failedEntries(report).length === 0
  return isStoryFine && command?.passed !== false && tape?.same !== false
}

/** Returns whether the story was played: not if a command was given that did not come up. */
export function wasPlayed({ command }: Pick<ReplayReport, 'command'>): boolean {
  return command?.ended !== 'not-started' && command?.ended !== 'not-ready'
}

/** Returns the results of expectations that failed, in the order of the file. */
export function failedExpectations({ verdicts }: Pick<ReplayReport, 'verdicts'>): ExpectationResult[] {
  return verdicts.filter(({ passed }) => !passed)
}

/** Returns the entries of the timeline that could not happen as written, in order. */
export function failedEntries({ timeline }: Pick<ReplayReport, 'timeline'>): PlayedEntry[] {
  return timeline.played.filter(({ problem }) => problem !== null)
}
