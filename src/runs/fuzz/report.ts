import { counted, truncate } from '../../base/text.js'
import { formatCommand } from '../reports/command-line.js'
import type { JunitCase } from '../reports/junit.js'
import { type Detail, type Finding, formatSeconds, type Report } from '../reports/report.js'
import type { TableRow } from '../reports/table.js'
import type { FuzzedScenario } from './fuzzed-scenario.js'
import type { PlanElement, Pool } from './kinds/kinds.js'
import { type Vary, varyKinds } from './kinds/vary.js'
import type { SearchResult } from './search.js'

/** A small story that breaks the client. */
export interface ReportedFinding {
  /** The scenario that fails by itself; null if it could not be written. */
  readonly file: string | null
  /** The changes of the story, as data and in words. */
  readonly elements: readonly object[]
  readonly story: readonly string[]
  /** `command`, `expectation`, `outcome`, or the name of an invariant. */
  readonly judged_by: string
  /** The failure in one line. */
  readonly why: string
  readonly advice: string
  readonly found_after_runs: number
  readonly shrink_runs: number
  /** Whether the file failed when replayed; null if the search was interrupted first. */
  readonly steady: boolean | null
  /** The command that repeats it, beginning with the name of the program. */
  readonly again: string
}

/** A failure that did not recur every time. */
export interface ReportedFlake {
  readonly story: readonly string[]
  readonly why: string
  readonly failures: number
  readonly repeats: number
}

/** What was not judged in a story, since the client does not reach it there even without a disturbance. */
export interface ReportedLimit {
  readonly story: readonly string[]
  /** Expectations in words, and the exit status. */
  readonly not_judged: readonly string[]
}

/** The coverage of a search. */
export interface ReportedCoverage {
  /** The number of runs on which the plan had no effect. */
  readonly vacuous_runs: number
  /** Elements of each kind: how many there are, how many the client met, how many were only tried. */
  readonly kinds: Readonly<
    Partial<Record<Vary, { readonly known: number; readonly met: number; readonly vacuous: number }>>
  >
  readonly assumptions: {
    readonly met: readonly string[]
    readonly tried: readonly string[]
    readonly never_met: readonly string[]
  }
  /** How often a kind of fault met an operation: `threads.list 503: 4`. */
  readonly faults: Readonly<Record<string, number>>
  readonly seeds: { readonly search: number; readonly scenario: number }
}

/** The result of a search as reported. */
export interface FuzzReport {
  readonly format: 'agent-mailbox-sim/fuzz-report'
  readonly version: 1
  /** The command and its arguments, secrets masked. */
  readonly command: readonly string[]
  readonly scenario: string
  readonly seed: number
  /** The number of plans that were tried. */
  readonly runs: number
  readonly passed: boolean
  readonly interrupted: boolean
  /** How the client ended without any change; null if it passed. */
  readonly already_fails: string | null
  /** The command line that repeats that, beginning with the name of the program; null if it was fine. */
  readonly again: string | null
  readonly findings: readonly ReportedFinding[]
  readonly flaky: readonly ReportedFlake[]
  readonly limits: readonly ReportedLimit[]
  /** The expectations that could not be judged under some plans, in words, and why. */
  readonly not_judged: readonly { readonly expectation: string; readonly why: readonly string[] }[]
  readonly coverage: ReportedCoverage
  /** All runs of the client, including those that confirm and shrink failures. */
  readonly played: number
  /** The story time at which each run begins, ISO 8601 UTC. */
  readonly started_at: string
  readonly wall_ms: number
}

/** Returns the coverage of a search; without a result, nothing was tried. */
export function coverageOf(
  { initialState }: FuzzedScenario,
  seed: number,
  pool?: Pool,
  result?: SearchResult,
): FuzzReport['coverage'] {
  const met = result?.met ?? new Map<PlanElement, number>()
  const missed = [...(result?.missed.keys() ?? [])].filter((element) => !met.has(element))
  const kinds = Object.fromEntries(
    varyKinds.map((kind) => {
      const count = (elements: Iterable<PlanElement>) =>
        [...elements].filter(({ vary }) => vary === kind).length
      return [kind, { known: pool?.[kind].length ?? 0, met: count(met.keys()), vacuous: count(missed) }]
    }),
  )
  const faults: Record<string, number> = {}
  for (const [element, count] of met) {
    if (element.vary !== 'faults') continue
    const { operation, status, times: _, retry_after: __, performed, ...effect } = element.fault
    const name = `${operation} ${status ?? Object.keys(effect)[0]}${performed ? ' (performed)' : ''}`
    faults[name] = (faults[name] ?? 0) + count
  }
  const named = (elements: Iterable<PlanElement>): string[] => {
    const all = [...elements].flatMap((one) =>
      one.vary === 'assumptions' ? [`${one.gap}=${one.assumption}`] : [],
    )
    return [...new Set(all)].sort()
  }
  return {
    vacuous_runs: result?.vacuousRuns ?? 0,
    kinds,
    assumptions: {
      met: named(met.keys()),
      tried: named([...met.keys(), ...missed]),
      never_met: named(missed),
    },
    faults,
    seeds: { search: seed, scenario: initialState.seed },
  }
}

/** Prepares the report of a search for the reporters. */
export function fuzzReport(report: FuzzReport): Report {
  const { passed, findings, flaky, runs, played, scenario, seed, wall_ms, coverage } = report
  const rows = varyKinds.flatMap((kind) => rowOf(kind, report))
  return {
    document: report,
    passed,
    headline: headlineOf(report),
    paragraphs: paragraphsOf(report),
    table:
      rows.length === 0
        ? undefined
        : { title: 'What was varied', subject: ['varied', 'elements'], columns: ['met', ''], rows },
    findings: [...findings.map(findingOf), ...flaky.slice(0, 5).map(flakeOf)],
    conclusion: findings[0] && `Fix the first, then run it again: npx ${findings[0].again}`,
    notes: notesOf(report),
    facts: [
      `${counted(runs, 'plan')} (${coverage.vacuous_runs} without effect), ${counted(played, 'run')} against ${scenario}, ` +
        `seed ${seed}, in ${formatSeconds(wall_ms)}`,
    ],
    suites: [
      {
        name: formatCommand(report.command),
        package: 'agent-mailbox-sim.fuzz',
        seconds: wall_ms / 1000,
        properties: { scenario, seed: String(seed), runs: String(runs) },
        cases: casesOf(report),
        output: flaky
          .map(({ why, failures, repeats }) => `flaky: ${failures} of ${repeats}: ${why}`)
          .join('\n'),
      },
    ],
  }
}

/** Returns the outcome in a line: `python3 agent.py breaks in 2 ways, in 300 plans`. */
function headlineOf({ command, findings, runs, already_fails, interrupted }: FuzzReport): string {
  const words = formatCommand(command)
  if (already_fails !== null) return `${words} already fails without any change: ${already_fails}`
  if (interrupted && runs === 0) return `${words} was interrupted before any plan was tried`
  const [found, ...others] = findings
  if (found) {
    const suffix = interrupted ? ', as far as was tried before the interruption' : ''
    const first = others.length === 0 ? ': ' : '; the first: '
    // Of several changes, the list of findings says more.
    const [change = '', ...further] = found.story
    const where = change === '' || further.length > 0 ? '' : `${truncate(change, 120)}: `
    return `${words} breaks in ${counted(findings.length, 'way')}${suffix}${first}${where}${found.why.replace(/\.$/, '')}`
  }
  if (interrupted) return `${words} broke under none of ${counted(runs, 'plan')} before the interruption`
  return `${words} passes under ${runs === 1 ? 'the only plan' : `all ${counted(runs, 'plan')}`}`
}

function paragraphsOf({ already_fails, again, flaky }: FuzzReport): string[] {
  if (already_fails !== null) return ['Nothing was fuzzed.', `This shows why: npx ${again}`]
  if (flaky.length === 0) return []
  return [
    `It may be flaky: ${counted(flaky.length, 'failure')} did not recur, and ${flaky.length === 1 ? 'does' : 'do'} not count.`,
  ]
}

function notesOf({ interrupted, limits, not_judged: left }: FuzzReport): string[] {
  const shown = limits.slice(0, 3).map(({ story, not_judged }) => {
    return `not judged where ${story.join('; ')}, since the client does not reach it there even without a disturbance: ${not_judged.join(' ')}`
  })
  const more = limits.length - shown.length
  return [
    ...(interrupted ? ['it was interrupted; the results are as of that moment'] : []),
    ...left
      .slice(0, 5)
      .map(
        ({ expectation, why }) =>
          `under some plans not judged, but compared with a run in which all mail is there from the start: ${expectation} (${why.join('; ')})`,
      ),
    ...shown,
    ...(more > 0
      ? [
          `not judged in ${counted(more, 'other such story', 'other such stories')}; --reporter json lists them`,
        ]
      : []),
  ]
}

function rowOf(kind: Vary, { coverage }: FuzzReport): TableRow[] {
  const row = coverage.kinds[kind]
  if (!row || row.known === 0) return []
  const { known, met, vacuous } = row
  const why = vacuous === 0 ? '' : `${vacuous} tried and never met`
  const cells = [{ text: String(met), tone: 'none' as const }, { text: why }]
  return [{ name: kind, lines: [[kind, String(known)]], cells }]
}

function findingOf({ story, why, file, advice, judged_by, steady, again }: ReportedFinding): Finding {
  const lines = story.map((line, index): Detail => [index === 0 ? 'story' : '', line])
  const place: Detail[] = file === null ? [] : [['file', file]]
  const doubt: Detail[] = steady === null ? [['note', 'interrupted before its file was replayed']] : []
  return {
    kind: judged_by,
    title: why,
    passed: false,
    why,
    details: [...lines, ['advice', advice], ...place, ...doubt, ['see it', `npx ${again}`]],
  }
}

function flakeOf({ story, why, failures, repeats }: ReportedFlake): Finding {
  return {
    kind: 'flaky',
    title: `Flaky: ${why}`,
    passed: true,
    why: '',
    details: [['failed', `${failures} of ${repeats} times`], ...story.map((line): Detail => ['story', line])],
  }
}

function casesOf({ scenario, findings, already_fails, runs, wall_ms }: FuzzReport): JunitCase[] {
  const className = `${scenario}.fuzz`
  if (already_fails !== null) {
    const problem = { is: 'error' as const, type: 'command', message: already_fails, text: already_fails }
    return [{ name: 'no change', className, seconds: wall_ms / 1000, problem }]
  }
  const failed = findings.map(({ story, why, judged_by, advice, file }): JunitCase => {
    const text = [why, ...story, `Advice: ${advice}`, file ?? ''].join('\n')
    return {
      name: story.join('; '),
      className: `${className}.${judged_by}`,
      seconds: 0,
      problem: { is: 'failure', type: judged_by, message: why, text },
    }
  })
  if (failed.length > 0) return failed
  return [{ name: counted(runs, 'plan'), className, seconds: wall_ms / 1000, problem: null }]
}
