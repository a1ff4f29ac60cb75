import { type GapId, gaps, readingsOf } from '../contract/gaps.js'
import { listChanges } from './changes.js'
import type { Relied } from './relied.js'
import {
  type ExploreReport,
  type ReportedBreak,
  type ReportedGap,
  type ReportedRun,
  type ReportedTry,
  reportFormat,
  reportVersion,
} from './report.js'
import { type Findings, smallestBreaks, type Try } from './survey.js'
import type { Trial } from './trial.js'

/** What a report tells besides what was found. */
export type ReportHead = Pick<
  ExploreReport,
  'command' | 'scenario' | 'seed' | 'started_at' | 'readings' | 'gaps' | 'pairs' | 'runs' | 'wall_ms'
>

/** Puts together the report of an exploration; without findings where the command could not be started. */
export function composeReport(head: ReportHead, first: Trial, findings: Findings | undefined): ExploreReport {
  const { control, tries = [] } = findings ?? {}
  const breaks = smallestBreaks(tries).map(breakOf)
  const { runs, wall_ms, ...about } = head
  return {
    format: reportFormat,
    version: reportVersion,
    ...about,
    passed: first.passed && breaks.length === 0,
    first: runOf(first),
    control: control ? runOf(control) : null,
    steady:
      (control?.passed ?? first.passed) === first.passed &&
      tries.every(({ outcome }) => outcome !== 'unsure'),
    requests: first.requests,
    relied: [...first.relied.values()].map(gapOf),
    tries: tries.map(tryOf),
    breaks,
    runs,
    wall_ms,
  }
}

function runOf({ passed, ended, problem, why, output, notes, wallMs }: Trial): ReportedRun {
  return { passed, ended, problem, why, output, notes, wall_ms: wallMs }
}

function gapOf({ gap, readings, instead, fixed, operations }: Relied): ReportedGap {
  const names = readingsOf(gap).map(({ name }) => name)
  const others = names.filter((name) => !readings.includes(name) && !instead.includes(name))
  return { gap, readings, instead, fixed, same: fixed ? [] : others, operations }
}

function tryOf({ changes, kind, outcome, runs }: Try): ReportedTry {
  // Of several runs, one that failed says more than one that did not.
  const shown = runs.find(({ passed }) => !passed) ?? runs[0]
  const { problem, why, output, notes } = shown
  const came_up = listChanges(changes).every(({ gap }) => runs.some(({ relied }) => relied.has(gap)))
  const failures = runs.filter(({ passed }) => !passed).length
  const [{ wallMs }] = runs
  return {
    changes,
    kind,
    outcome,
    came_up,
    runs: runs.length,
    failures,
    problem,
    why,
    output,
    notes,
    wall_ms: wallMs,
  }
}

function breakOf({ changes, runs: [first] }: Try): ReportedBreak {
  const changed = listChanges(changes).map(({ gap }): [GapId, string] => [gap, gaps[gap].advice])
  return { changes, why: first.why ?? '', advice: Object.fromEntries(changed) }
}
