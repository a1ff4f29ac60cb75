import { type GapId, gaps } from '../contract/gaps.js'
import { type Changes, listChanges } from './changes.js'
import type { Relied } from './relied.js'
import { type SurveyResult, smallestBreaks, type TestedVariant, type TestKind } from './survey.js'
import type { Outcome, RunEnd, RunResult } from './variants.js'

/** The part of a report besides the results. */
export interface ReportHead {
  /** The command and its arguments, secrets masked. */
  readonly command: readonly string[]
  readonly scenario: string
  readonly seed: number
  /** The story time at which the server of each run begins, ISO 8601 UTC. */
  readonly started_at: string
  /** Readings that were chosen for all runs, by gap. */
  readonly readings: Changes
  readonly gaps: 'relied' | 'all' | readonly GapId[]
  readonly pairs: boolean
  /** Whether the exploration was interrupted before everything was tested. */
  readonly interrupted: boolean
  /** How often the command was run. */
  readonly runs: number
  /** Milliseconds of wall time: only these figures differ between two equal explorations. */
  readonly wall_ms: number
}

/** The effects of changed readings on a command. */
export interface ExploreReport extends ReportHead {
  readonly format: 'agent-mailbox-sim/explore-report'
  readonly version: 1
  /** Whether the command passes without changes, nothing that was tested breaks it, and everything was tested. */
  readonly passed: boolean
  /** The run without changes. */
  readonly first: RunEnd
  /** A second run without changes, made beside the others; null if the command could not be started. */
  readonly control: RunEnd | null
  /** Whether nothing but the changes was seen to affect how the command ends. */
  readonly steady: boolean
  /** The number of requests to the server of the first run. */
  readonly requests: number
  /** The gaps that the command relied on without changes. */
  readonly relied: readonly Relied[]
  readonly tries: readonly ReportedTest[]
  /** The changes that break the command, the smallest first. */
  readonly breaks: readonly ReportedBreak[]
  /** Readings under which a command passes that fails without changes, one at a time; empty if it passes. */
  readonly passes_under: readonly Changes[]
}

/** A variant that was tested. */
export interface ReportedTest extends Omit<RunEnd, 'passed' | 'ended'> {
  readonly changes: Changes
  readonly kind: TestKind
  readonly outcome: Outcome
  /** Whether any answer to the command depended on the changed gaps. */
  readonly came_up: boolean
  /** How often the command was run under these changes, and how often it failed. */
  readonly runs: number
  readonly failures: number
}

/** Changes that break the command, none of which can be left out. */
export interface ReportedBreak {
  readonly changes: Changes
  readonly why: string
  /** For each gap, how a client can be correct under every reading. */
  readonly advice: Readonly<Partial<Record<GapId, string>>>
}

/** Composes the report. */
export function composeReport(
  head: ReportHead,
  first: RunResult,
  { control, tests }: SurveyResult,
): ExploreReport {
  // Gaps that matter only under a change are known from the runs under it.
  const everRelied = [first, ...tests.flatMap(({ runs }) => runs)].flatMap(({ relied }) => [
    ...relied.values(),
  ])
  const breaks = first.passed ? smallestBreaks(tests).map((one) => reportBreak(one, everRelied)) : []
  const remedies = first.passed ? [] : tests.filter(({ outcome }) => outcome === 'passed')
  const { runs, wall_ms, ...about } = head
  return {
    format: 'agent-mailbox-sim/explore-report',
    version: 1,
    ...about,
    passed: first.passed && breaks.length === 0 && !head.interrupted,
    first: reportRun(first),
    control: control && reportRun(control),
    steady:
      (control?.passed ?? first.passed) === first.passed &&
      tests.every(({ outcome }) => outcome !== 'unsure'),
    requests: first.requests,
    relied: [...first.relied.values()],
    tries: tests.map(reportTest),
    breaks,
    passes_under: remedies.map(({ changes }) => changes),
    runs,
    wall_ms,
  }
}

function reportRun({ passed, ended, problem, why, output, notes, wall_ms }: RunResult): RunEnd {
  return { passed, ended, problem, why, output, notes, wall_ms }
}

function reportTest({ changes, kind, outcome, runs }: TestedVariant): ReportedTest {
  // A failed run tells more than one that passed.
  const { problem, why, output, notes } = runs.find(({ passed }) => !passed) ?? runs[0]
  return {
    changes,
    kind,
    outcome,
    came_up: listChanges(changes).every(({ gap }) => runs.some(({ relied }) => relied.has(gap))),
    runs: runs.length,
    failures: runs.filter(({ passed }) => !passed).length,
    problem,
    why,
    output,
    notes,
    wall_ms: runs[0].wall_ms,
  }
}

function reportBreak({ changes, runs: [first] }: TestedVariant, relied: readonly Relied[]): ReportedBreak {
  const advice = listChanges(changes).map(({ gap }): [GapId, string] => [gap, adviceOf(gap, relied)])
  return { changes, why: first.why ?? '', advice: Object.fromEntries(advice) }
}

/** Returns the advice for a gap: how a client can be correct under every reading. */
export function adviceOf(gap: GapId, relied: readonly Relied[]): string {
  return gaps[gap]?.advice ?? relied.find((one) => one.gap === gap)?.own?.advice ?? ''
}
