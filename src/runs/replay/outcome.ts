import { truncate } from '../../base/text.js'
import type { RelianceSummary } from '../../service/assumptions/settle.js'
import type { PlayedEntry } from '../../service/world/story-entry.js'
import type { ExpectationResult } from '../../story/expectations/kinds.js'

import type { CommandEnd } from '../agent/run-command.js'
import type { PaceFacts } from '../pace/pace.js'
import type { Play } from '../play.js'

/**
 * Why a run says nothing about the agent: it was interrupted; its command could not start, or was not ready
 * in time; another program had its port; or the agent sent no request and received no delivery, and nothing failed.
 */
type NotJudged = 'interrupted' | 'not-started' | 'not-ready' | 'port-taken' | 'nothing-checked'

/** The outcome of a scenario that was played against an agent. */
export interface ReplayReport
  extends Pick<Play, 'interrupted' | 'verdicts' | 'broken_rules' | 'timeline' | 'requests' | 'served'>,
    Partial<Pick<Play, 'starts'>> {
  readonly format: 'agent-mailbox-sim/replay-report'
  readonly version: 1
  readonly scenario: string
  readonly describe: string
  readonly seed: number
  /** Assumptions at the start that are not the default ones, by gap. */
  readonly assumptions: Readonly<Record<string, string>>
  /**
   * How time passed: `10x`, `real`, `frozen`; without a command it is `frozen`, and the story is played
   * immediately.
   */
  readonly clock: string
  /** Story time, ISO 8601 UTC. */
  readonly started_at: string
  readonly ended_at: string
  /** Whether everything passed: every expectation, the command and the timeline, in a run that was judged. */
  readonly passed: boolean
  /** Why the run says nothing about the agent; null if it was judged. */
  readonly not_judged: NotJudged | null
  /**
   * The share of the expectations that hold, by their weights; whether the run passed, if none counts. Null if the run
   * was not judged.
   */
  readonly score: number | null
  /** The digest of the world at the end, as that of `GET /_sim/world?digest=true`. */
  readonly digest: string
  /**
   * What is known of why it did not pass, in a line: a leak, a refused request, how the command ended; or else the first
   * expectation that failed. Null if it passed or was interrupted.
   */
  readonly cause: string | null
  /** Likely mistakes in the agent's requests, as `serve` prints them. */
  readonly hints: readonly string[]
  /** Null if no command was run. */
  readonly command: Omit<CommandEnd, 'complaint'> | null
  /** Why a message of the agents was refused: they had sent as many as the story allows; null if none was. */
  readonly runaway: string | null
  readonly deliveries: number
  readonly reliances: readonly RelianceSummary[]
  /** How the agent was paced, in the clock modes that know. */
  readonly pace?: PaceFacts | undefined
  /** Wall time in milliseconds: the only figure that differs between two equal runs. */
  readonly wall_ms: number
}

/** What the reports of several runs of a story say of it. */
export type StoryHead = Pick<
  ReplayReport,
  'format' | 'version' | 'scenario' | 'describe' | 'seed' | 'assumptions' | 'clock' | 'started_at'
>

/** Returns what a report of several runs says of their story, given that of one of them. */
export function headOf({ format, version, scenario, describe, ...run }: StoryHead): StoryHead {
  const { seed, assumptions, clock, started_at } = run
  return { format, version, scenario, describe, seed, assumptions, clock, started_at }
}

/** The parts of a report that a run is judged by. */
type JudgedParts = Pick<ReplayReport, 'verdicts' | 'command' | 'timeline' | 'runaway' | 'interrupted'>

/** What is known about an agent in addition to the results of its run. */
interface AgentFacts {
  /** Whether it did anything. */
  readonly tookPart: boolean
  /** Whether another program was listening where it receives deliveries. */
  readonly portTaken: boolean
  /** How much each expectation counts. */
  readonly weights: readonly number[]
}

/** Returns whether a run passed, or why it says nothing about the agent, and its score. */
export function judge(
  report: JudgedParts,
  agent: AgentFacts,
): Pick<ReplayReport, 'passed' | 'not_judged' | 'score'> {
  const not_judged = whyNotJudged(report, agent)
  const passed = not_judged === null && !hasFailed(report)
  return { passed, not_judged, score: not_judged === null ? scoreOf(report, agent.weights, passed) : null }
}

function scoreOf({ verdicts }: JudgedParts, weights: readonly number[], passed: boolean): number {
  const sumOf = (results: readonly ExpectationResult[]): number => {
    return results.reduce((sum, { index }) => sum + (weights[index] ?? 1), 0)
  }
  const all = sumOf(verdicts)
  return all === 0 ? Number(passed) : sumOf(verdicts.filter((one) => one.passed)) / all
}

function whyNotJudged(report: JudgedParts, { tookPart, portTaken }: AgentFacts): NotJudged | null {
  const { interrupted, command } = report
  if (interrupted) return 'interrupted'
  if (command?.ended === 'not-started' || command?.ended === 'not-ready') return command.ended
  if (portTaken && command?.passed === false) return 'port-taken'
  if (hasFailed(report)) return null
  return tookPart ? null : 'nothing-checked'
}

/** Returns whether anything failed that was judged. */
function hasFailed(report: JudgedParts): boolean {
  const isStoryFine = failedExpectations(report).length === 0 && failedEntries(report).length === 0
  return !isStoryFine || report.runaway !== null || report.command?.passed === false
}

/** Returns the results of the expectations that failed, in the order of the file. */
export function failedExpectations({ verdicts }: Pick<ReplayReport, 'verdicts'>): ExpectationResult[] {
  return verdicts.filter(({ passed }) => !passed)
}

/** Returns the entries of the timeline that could not happen as written, in order. */
export function failedEntries({ timeline }: Pick<ReplayReport, 'timeline'>): PlayedEntry[] {
  return timeline.played.filter(({ problem }) => problem !== null)
}

/** Describes a failed expectation in a line: what must be true, and what was found, what came closest or what is too much. */
export function describeFailed({ describe, kind, found, nearest }: ExpectationResult): string {
  const what = kind === 'invariant' && nearest ? found : truncate(describe.replace(/\.$/, ''), 100)
  // The lines of all that match are in the report.
  const different = nearest?.differences.filter((line) => !/^\d+\. |^and \d+ more$/.test(line)).slice(0, 2)
  return [what, nearest?.line ?? found, ...(different?.length ? [different.join(', ')] : [])].join(': ')
}
