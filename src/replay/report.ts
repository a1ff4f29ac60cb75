import type { PlayedEntry, RelianceSummary } from '../world/index.js'
import type { TapeOutcome } from './tape/comparison.js'
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
  /**
   * How it came to its end: by itself; because the story was over; because it did not answer where it should have
   * before the story could begin; or it could not be started. Of the last two, the story was not played.
   */
  readonly ended: 'by-itself' | 'story-over' | 'not-ready' | 'not-started'
  /** Whether that is fine: status 0, or ended because the story was over. */
  readonly passed: boolean
  /** For people, where it did not pass: what happened, with the remedy where there is one. */
  readonly problem: string | null
  /** What is worth telling besides, e.g. what it left running. */
  readonly notes: readonly string[]
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
  /** Readings at the start that are not the default ones, by gap. */
  readonly readings: Readonly<Record<string, string>>
  /** How time passed: `10x`, `real`, `frozen`; a story without a command is `frozen`, and moved on as a whole. */
  readonly clock: string
  /** Story time, ISO 8601 UTC. */
  readonly started_at: string
  readonly ended_at: string
  /** Whether all of it is fine: every verdict, the command, the timeline, and the tape. */
  readonly passed: boolean
  /** In the order of the file; none where the story was not played. */
  readonly verdicts: readonly Verdict[]
  /** Null where no command was run. */
  readonly command: CommandOutcome | null
  readonly timeline: { readonly played: readonly PlayedEntry[]; readonly left: number }
  /** Null where the requests were not compared with a tape. */
  readonly tape: TapeOutcome | null
  readonly requests: number
  readonly deliveries: number
  readonly reliances: readonly RelianceSummary[]
  /** Wall time, in milliseconds: the only figure that two equal runs differ in. */
  readonly wall_ms: number
}

/** Whether the story was played: not where there was to be an agent and none came up. */
export function wasPlayed({ command }: Pick<ReplayReport, 'command'>): boolean {
  return command?.ended !== 'not-started' && command?.ended !== 'not-ready'
}

/** The verdicts that are not as they should be, in the order of the file. */
export function failedVerdicts({ verdicts }: Pick<ReplayReport, 'verdicts'>): Verdict[] {
  return verdicts.filter(({ passed }) => !passed)
}

/** What of the story could not happen as it was written, in order. */
export function failedEntries({ timeline }: Pick<ReplayReport, 'timeline'>): PlayedEntry[] {
  return timeline.played.filter(({ problem }) => problem !== null)
}

/** Whether all of a report's parts are fine. */
export function isFine(report: Pick<ReplayReport, 'verdicts' | 'command' | 'timeline' | 'tape'>): boolean {
  const { command, tape } = report
  const asItShould = failedVerdicts(report).length === 0 && failedEntries(report).length === 0
  return asItShould && command?.passed !== false && tape?.same !== false
}
