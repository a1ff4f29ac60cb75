import { type GapId, gaps, readingsOf } from '../contract/gaps.js'
import { type Changes, listChanges } from './changes.js'
import type { Relied } from './relied.js'
import { type SurveyResult, smallestBreaks, type TestedVariant, type TestKind } from './survey.js'
import type { Outcome, RunEnd, RunResult } from './variants.js'

/** What changed readings do to a command. */
export interface ExploreReport {
  readonly format: 'agent-mailbox-sim/explore-report'
  readonly version: 1
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
  /** Whether somebody ended the exploration before everything was tested. */
  readonly interrupted: boolean
  /** Whether the command passes without changes, nothing that was tested breaks it, and everything was tested. */
  readonly passed: boolean
  /** The run without changes. */
  readonly first: ReportedRun
  /** The same again, next to the others; null if the command could not be started. */
  readonly control: ReportedRun | null
  /** Whether, as far as was seen, nothing but the changes decides how the command ends. */
  readonly steady: boolean
  /** How many requests the first run's own server had. */
  readonly requests: number
  readonly relied: readonly ReportedGap[]
  readonly tries: readonly ReportedTest[]
  /** What breaks the command, the smallest first. */
  readonly breaks: readonly ReportedBreak[]
  /** Readings under which a command passes that fails without changes, one at a time; empty if it passes. */
  readonly passes_under: readonly Changes[]
  /** How often the command was run. */
  readonly runs: number
  /** Milliseconds of wall time: only these figures differ between two equal explorations. */
  readonly wall_ms: number
}

/** A run of the command. */
export interface ReportedRun extends RunEnd {
  /** Milliseconds of wall time. */
  readonly wall_ms: number
}

/** A gap that the command relied on, without changes. */
export interface ReportedGap extends Relied {
  /** The other readings: every answer would have been the same, so they need no run. */
  readonly same: readonly string[]
}

/** A variant that was tested. */
export interface ReportedTest {
  readonly changes: Changes
  readonly kind: TestKind
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
  /** Milliseconds of wall time of its first run. */
  readonly wall_ms: number
}

/** Changes that break the command, none of which can be left out. */
export interface ReportedBreak {
  readonly changes: Changes
  readonly why: string
  /** For each gap, what makes a client right under every reading. */
  readonly advice: Readonly<Partial<Record<GapId, string>>>
}

/** What a report says besides the results. */
export type ReportHead = Pick<
  ExploreReport,
  | 'command'
  | 'scenario'
  | 'seed'
  | 'started_at'
  | 'readings'
  | 'gaps'
  | 'pairs'
  | 'interrupted'
  | 'runs'
  | 'wall_ms'
>

/** Composes the report. */
export function composeReport(
  head: ReportHead,
  first: RunResult,
  { control, tests }: SurveyResult,
): ExploreReport {
  // What comes up only under a change is known from the runs under it.
  const everRelied = [first, ...tests.flatMap(({ runs }) => runs)].flatMap(({ relied }) => [
    ...relied.values(),
  ])
  const reported = everRelied.map(reportGap)
  const breaks = first.passed ? smallestBreaks(tests).map((one) => reportBreak(one, reported)) : []
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
    relied: [...first.relied.values()].map(reportGap),
    tries: tests.map(reportTest),
    breaks,
    passes_under: remedies.map(({ changes }) => changes),
    runs,
    wall_ms,
  }
}

function reportRun({ passed, ended, problem, why, output, notes, wallMs }: RunResult): ReportedRun {
  return { passed, ended, problem, why, output, notes, wall_ms: wallMs }
}

function reportGap({ gap, readings, instead, fixed, operations, own }: Relied): ReportedGap {
  const names = (own?.readings ?? readingsOf(gap)).map(({ name }) => name)
  const others = names.filter((name) => !readings.includes(name) && !instead.includes(name))
  return { gap, readings, instead, fixed, same: fixed ? [] : others, operations, ...(own && { own }) }
}

function reportTest({ changes, kind, outcome, runs }: TestedVariant): ReportedTest {
  // Of several runs, a failed one says more than one that passed.
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
    wall_ms: runs[0].wallMs,
  }
}

function reportBreak(
  { changes, runs: [first] }: TestedVariant,
  relied: readonly ReportedGap[],
): ReportedBreak {
  const advice = listChanges(changes).map(({ gap }): [GapId, string] => [gap, adviceOf(gap, relied)])
  return { changes, why: first.why ?? '', advice: Object.fromEntries(advice) }
}

/** Returns what makes a client right under every reading of a gap, of the interface or of an extension. */
export function adviceOf(gap: GapId, relied: readonly Pick<ReportedGap, 'gap' | 'own'>[]): string {
  return gaps[gap]?.advice ?? relied.find((one) => one.gap === gap)?.own?.advice ?? ''
}
