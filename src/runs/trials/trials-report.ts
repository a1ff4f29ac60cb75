import { counted, truncate } from '../../base/text.js'
import type { NotJudged } from '../replay/outcome.js'
import { describeProblems, replayReport } from '../replay/report.js'
import type { JunitSuite } from '../reports/junit.js'
import { formatSeconds, type Report } from '../reports/report.js'
import type { Table, TableRow, Tone } from '../reports/table.js'
import {
  type ExpectationTally,
  type Interval,
  type TrialRun,
  type TrialsReport,
  wilsonInterval,
} from './trials-summary.js'

/** Prepares the report of trials for the reporters: a table, and the first trial that failed in full. */
export function trialsReport(report: TrialsReport): Report {
  const { passed, trials, runs, scenario, wall_ms } = report
  const first = runs.find(({ trial }) => trial === trials.first_failed)
  const shown = first ?? (trials.judged === 0 ? runs[0] : undefined)
  const { findings = [], output, notes = [] } = shown ? replayReport(shown) : {}
  const seeds = [...new Set(runs.map(({ seed }) => seed))]
  return {
    document: report,
    passed,
    isEmpty: runs.every(({ not_judged }) => not_judged === 'nothing-checked'),
    headline: headlineOf(report),
    paragraphs: trials.judged === 0 ? [] : [describeChances(report)],
    table: trials.judged === 0 ? undefined : tableOf(report),
    about:
      shown &&
      `Trial ${numberOf(shown)} of ${scenario}${first ? `, the first that failed: ${describeProblems(first)}` : ''}`,
    findings,
    output,
    notes: [...notes, ...notesOf(report)],
    facts: [
      `${counted(runs.length, 'trial')} in ${formatSeconds(wall_ms)}; ` +
        (seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${seeds.at(-1)}`),
    ],
    suites: runs.map(suiteOf),
  }
}

/** Returns the outcome in one line: `refund-request failed: 7 of 10 trials passed; required: all`. */
function headlineOf({ scenario, passed, interrupted, trials, runs }: TrialsReport): string {
  const { count, judged, require } = trials
  if (judged === 0 && !interrupted) {
    return `None of ${counted(count, 'trial')} could be judged. ${replayReport(runs[0] as TrialRun).headline}`
  }
  const result = `${trials.passed} of ${judged} ${judged === count ? 'trials' : 'judged trials'} passed`
  if (interrupted) return `${scenario} was interrupted: ${result}`
  const required = require === 'all' ? 'all' : formatShare(require)
  const first = passed ? undefined : runs.find(({ trial }) => trial === trials.first_failed)
  const why = first?.cause ? `; trial ${numberOf(first)}: ${first.cause}` : ''
  return truncate(
    `${scenario} ${passed ? 'passed' : 'failed'}: ${result}; required: ${required}${why}`.replace(
      /\s+/g,
      ' ',
    ),
    150,
  )
}

/** Returns the number of a trial, with what it is about if they differ. */
function numberOf({ trial, play }: TrialRun): string {
  return play === undefined ? `${trial}` : `${trial} (${play})`
}

/** Describes the chances that one trial, and that several in a row, pass. */
function describeChances({ trials: { judged, passed, interval, pass_k } }: TrialsReport): string {
  const several = [2, 3, 5, 10, 20, 50, 100, judged].filter((k, place, all) => {
    return k > 1 && k <= judged && all.indexOf(k) === place
  })
  const chances = several.map((k) => `${k}: ${formatShare(pass_k[k - 1] ?? 0)}`)
  const rate = `Success rate: ${formatShare(passed / judged)} (95 % interval: ${formatInterval(interval)}).`
  return chances.length === 0
    ? rate
    : `${rate} Chance that k trials in a row pass (pass^k): ${chances.join(', ')}.`
}

function formatShare(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`
}

/** Formats an interval as `21–86 %`. */
export function formatInterval([low, high]: Interval): string {
  return `${Math.round(100 * low)}–${Math.round(100 * high)} %`
}

/** Returns a table with a row for each expectation, and one for how the command ended. */
function tableOf({ expectations, runs }: TrialsReport): Table {
  const ends = runs.flatMap(({ command, not_judged }) => (command && not_judged === null ? command : []))
  const [held, of] = [ends.filter(({ passed }) => passed).length, ends.length]
  const end = { describe: 'The command succeeds.', held, of, interval: wilsonInterval(held, of) }
  const rows = [...expectations, ...(of > 0 ? [end] : [])].map(
    (row): TableRow => ({
      name: row.describe,
      cells: [
        { text: `${row.held} of ${row.of}`, tone: toneOf(row) },
        { text: row.of === 0 ? '' : formatInterval(row.interval) },
      ],
    }),
  )
  const title = 'How often each expectation held'
  return { title, subject: ['expectation'], columns: ['held', '95 % interval'], rows }
}

function toneOf({ held, of }: Pick<ExpectationTally, 'held' | 'of'>): Tone {
  if (of === 0) return 'none'
  return held === of ? 'passed' : held === 0 ? 'failed' : 'unsure'
}

/** Why a trial was not judged, in words. */
const reasons: Readonly<Record<NotJudged, string>> = {
  interrupted: 'it was ended before its story had ended',
  'not-started': 'the command could not be started',
  'not-ready': 'the command was not ready in time',
  'port-taken': 'another program had its port',
  waiting: 'its story ended while the agent waited as a response required',
  'nothing-checked': 'the agent did nothing that could be checked',
}

/** The maximum number of trials that notes name one by one. */
const namedTrials = 5

function notesOf({ trials: { count }, runs, interrupted }: TrialsReport): string[] {
  const unjudged = runs.flatMap((run) => {
    const { not_judged: why } = run
    return why === null ? [] : [`trial ${numberOf(run)} could not be judged: ${reasons[why]}`]
  })
  const more = unjudged.length - namedTrials
  const why = interrupted ? 'the trials were interrupted' : 'the requirement could no longer be met'
  return [
    ...unjudged.slice(0, namedTrials),
    ...(more > 0 ? [`${counted(more, 'other trial')} could not be judged`] : []),
    ...(count > runs.length ? [`${counted(count - runs.length, 'trial')} not played, since ${why}`] : []),
  ]
}

/** Returns the suite of a trial; one that was not judged has a single test case, which is an error. */
function suiteOf(run: TrialRun): JunitSuite {
  const { not_judged, scenario } = run
  const { headline, suites } = replayReport(run)
  const [suite] = suites as [JunitSuite]
  const name = `${scenario} trial ${numberOf(run)}`
  if (not_judged === null) return { ...suite, name }
  const message = reasons[not_judged]
  const problem = { is: 'error' as const, type: not_judged, message, text: headline }
  const cases = [{ name: 'The trial is judged.', className: `${scenario}.trial`, seconds: 0, problem }]
  return { ...suite, name, cases }
}
