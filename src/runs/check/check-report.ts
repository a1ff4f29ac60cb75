import { counted, formatCommand, truncate } from '../../base/text.js'
import { replayReport } from '../replay/report.js'
import { type Detail, type Finding, formatSeconds, type Report, type Table } from '../reports/report.js'
import {
  type Disturbance,
  type DisturbedStory,
  type KindName,
  kindNames,
  type PlannedDisturbance,
} from './disturbance.js'
import { type Suspect, sorted, type TriedPlan } from './findings.js'
import { disturbanceOf } from './kinds/kinds.js'
import type { Refused, Settled } from './undisturbed.js'

/** A disturbance under which an agent fails. */
export interface CheckFinding {
  readonly id: string
  /** Other disturbances of the kind under which it fails in the same way. */
  readonly also: readonly string[]
  readonly kind: KindName
  /** What is wrong, in a line. */
  readonly problem: string
  /** The disturbance in words, which follow "when". */
  readonly when: string
  readonly expected: string
  readonly found: string
  /** In how many of its plays it failed. */
  readonly confirmed: readonly [plays: number, of: number]
  readonly advice: string
  /** The command that repeats it. */
  readonly again: string
  /** The file that `replay` plays, if it was written. */
  readonly file: string | null
  /** The place in the scenario of what was expected; null if it is not expected there. */
  readonly place: { readonly file: string; readonly line: number } | null
}

/** The result of a check. */
export interface CheckReport {
  readonly format: 'agent-mailbox-sim/check-report'
  readonly version: 1
  readonly scenario: string
  readonly seed: number
  /** The command and its arguments, secrets masked. */
  readonly command: readonly string[]
  readonly passed: boolean
  /** Whether simulators in the processes of the command were tried, rather than the scenario. */
  readonly in_process: boolean
  readonly undisturbed: {
    readonly plays: number
    readonly passed: number
    /** Why the agent cannot be checked; null if it can. */
    readonly refusal: Refused['refusal'] | null
    /** The invariants that do not hold undisturbed, and are therefore not judged. */
    readonly broken: Settled['broken']
  }
  readonly disturbances: { readonly planned: number; readonly tried: number }
  readonly findings: readonly CheckFinding[]
  /** What the scenario says is known; `problem` is null if it does not fail any more. */
  readonly known: readonly { readonly id: string; readonly reason: string; readonly problem: string | null }[]
  /** Failures that may be accidents. */
  readonly unsure: readonly {
    readonly id: string
    readonly problem: string
    readonly failed: readonly [plays: number, of: number]
  }[]
  /** The disturbances in whose play somebody else than the mailbox was too busy, or failed, or which took too long. */
  readonly spoiled: readonly string[]
  readonly kinds: Readonly<Partial<Record<KindName, KindCounts>>>
  readonly untried: readonly string[]
  readonly interrupted: boolean
  readonly plays: number
  readonly wall_ms: number
}

/** How much of a kind was tried. */
interface KindCounts {
  readonly planned: number
  readonly tried: number
  readonly broke: number
  /** By how many expectations plays were judged. */
  readonly judged_by: number
}

/** Returns the place of an expectation in the scenario; undefined if it is none of its own. */
export type PlaceOf = (expectation: number) => Finding['place']

/** What a report is composed of. */
interface ReportParts extends Pick<CheckReport, 'command' | 'interrupted' | 'plays' | 'wall_ms'> {
  readonly found: Settled | Refused
  /** How often a failure has to occur. */
  readonly repeats: number
  readonly queue: readonly PlannedDisturbance[]
  readonly tried: readonly TriedPlan[]
  readonly story: DisturbedStory
  readonly placeOf: PlaceOf
  /** Returns the command that repeats a disturbance. */
  readonly again: (disturbance: Disturbance) => string
}

/** Composes the result of a check. */
export function composeReport(parts: ReportParts): CheckReport {
  const { found, repeats, queue, tried, story, command, interrupted, plays, wall_ms } = parts
  const { suspects, passed, unsure, spoiled } = sorted(tried)
  const reasons = story.document.known ?? {}
  const isCertain = ({ main }: Suspect): boolean => main.results.length >= repeats
  const certain = suspects.filter(isCertain)
  const open = suspects.filter((one) => !isCertain(one)).flatMap(({ main, also }) => [main, ...also])
  const findings = certain.flatMap((one) => findingOf(one, reasons, parts))
  const problems = new Map([
    ...passed.map(({ plan }) => [plan.id, null] as const),
    ...certain.flatMap(({ main, also, failure }) => {
      return [main, ...also].map(({ plan }) => [plan.id, failure.problem] as const)
    }),
  ])
  const { refusal = null, broken } = found
  return {
    format: 'agent-mailbox-sim/check-report',
    version: 1,
    ...{ scenario: story.story.scenario, seed: story.story.seed, command },
    in_process: found.refusal === undefined && found.isInProcess,
    passed: refusal === null && findings.length === 0 && !interrupted,
    undisturbed: { plays: found.plays, passed: found.passed, refusal, broken },
    disturbances: { planned: queue.length, tried: tried.length },
    findings,
    known: Object.entries(reasons).flatMap(([id, reason]) => {
      const problem = problems.get(id)
      return problem === undefined ? [] : [{ id, reason, problem }]
    }),
    unsure: [...open, ...unsure].map(({ plan: { id }, results }) => {
      const failed = results.flatMap(({ failures }) => failures.slice(0, 1))
      return { id, problem: failed[0]?.problem ?? '', failed: [failed.length, results.length] }
    }),
    spoiled: spoiled.map(({ plan }) => plan.id),
    kinds: countsOf(queue, tried, (id) => typeof problems.get(id) === 'string'),
    untried: queue.map(({ id }) => id).filter((id) => tried.every(({ plan }) => plan.id !== id)),
    ...{ interrupted, plays, wall_ms },
  }
}

/** Returns the finding of a failure, without the disturbances under which it is known; nothing if it is known under all. */
function findingOf(
  { failure, main, also }: Suspect,
  known: Readonly<Record<string, string>>,
  { story, placeOf, again }: ReportParts,
): CheckFinding[] {
  const [id, ...others] = [main, ...also].map(({ plan }) => plan.id).filter((one) => known[one] === undefined)
  const disturbance = id === undefined ? undefined : disturbanceOf(id, story)
  if (!disturbance) return []
  const { kind, words, advice } = disturbance
  const { problem, expected, found } = failure
  const place = failure.place === undefined ? undefined : placeOf(failure.place)
  const { length } = main.results
  return [
    {
      ...{ id: disturbance.id, also: others, kind, problem, when: words },
      expected: `${expected}${place ? ` (${place.file}:${place.line})` : ''}`,
      ...{ found, confirmed: [length, length], advice, again: again(disturbance) },
      ...{ file: null, place: place ?? null },
    },
  ]
}

function countsOf(
  queue: readonly PlannedDisturbance[],
  tried: readonly TriedPlan[],
  hasBroken: (id: string) => boolean,
): CheckReport['kinds'] {
  const names = kindNames.filter((name) => queue.some(({ kind }) => kind === name))
  const counts = names.map((name): [KindName, KindCounts] => {
    const planned = queue.filter(({ kind }) => kind === name).length
    const own = tried.filter(({ plan }) => plan.kind === name)
    const broke = own.filter(({ plan }) => hasBroken(plan.id)).length
    const judged = Math.max(0, ...own.map(({ results }) => results[0].judgedBy))
    return [name, { planned, tried: own.length, broke, judged_by: judged }]
  })
  return Object.fromEntries(counts)
}

/** Prepares the report of a check for the printers; `placeOf` returns the place of an expectation that fails undisturbed. */
export function checkReport(report: CheckReport, refused: Refused | undefined, placeOf: PlaceOf): Report {
  const { passed, findings, undisturbed, wall_ms, plays, seed, scenario } = report
  const failing = refused && replayReport(refused.failed.report)
  return {
    document: report,
    name: scenario,
    passed,
    headline: headlineOf(report, failing?.headline),
    paragraphs: [...(refused ? [refusals[refused.refusal]] : []), ...paragraphsOf(report)],
    table: Object.keys(report.kinds).length > 0 ? tableOf(report) : undefined,
    findings: [
      ...findings.map((one) => printedFinding(one, undisturbed)),
      ...(failing?.findings ?? []).map(({ expectation, ...one }): Finding => {
        return { ...one, place: expectation === undefined ? undefined : placeOf(expectation) }
      }),
    ],
    output: failing?.output,
    notes: [...notesOf(report), ...(failing?.notes ?? [])],
    facts: [
      `${counted(plays, 'play')} in ${formatSeconds(wall_ms)}${report.in_process ? '' : `; ${scenario}, seed ${seed}`}`,
    ],
    wallMs: wall_ms,
  }
}

/** The maximum number of characters of the first line, which a phone can show. */
const lineLength = 150

/** Returns the outcome in one line: `refund breaks: a second reply to ann@example.com, when … (and 2 other findings)`. */
function headlineOf(report: CheckReport, failing: string | undefined): string {
  const { findings, disturbances, interrupted, undisturbed, untried } = report
  const scenario = report.in_process ? formatCommand(report.command) : report.scenario
  const { refusal, passed, plays } = undisturbed
  if (refusal === 'fails') return `Undisturbed, ${failing ?? 'it fails'}`
  if (refusal === 'remembers')
    return `${scenario} passes only the first time: the agent remembers between plays`
  if (refusal === 'uncertain')
    return `${scenario} passes in only ${passed} of ${plays} undisturbed plays, so the agent is too uncertain to be checked`
  const suffix = interrupted ? ', as far as was tried before the interruption' : ''
  const [first, ...others] = findings
  if (first) {
    const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'other finding')})`
    const what = `${scenario} breaks: ${first.problem.replace(/\.$/, '')}, when ${first.when}`
    return `${truncate(what, lineLength - more.length)}${more}${suffix}`
  }
  const open = report.unsure.length + report.spoiled.length
  const left = untried.length === 0 ? '' : `; ${untried.length} were not tried`
  const unclear = open === 0 ? '' : `; ${open} showed nothing certain`
  return `${scenario} passes under ${counted(disturbances.tried - open, 'disturbance')}${unclear}${left}${suffix}`
}

const refusals: Readonly<Record<Refused['refusal'], string>> = {
  fails: 'Nothing was disturbed, since the agent has to pass undisturbed first.',
  remembers:
    'The first play passed, and no other did, so the agent seems to keep something between plays. Let it keep what it ' +
    'remembers in the folder MAILBOX_STATE_DIR, which is new for each play, or clean up with --before CMD, which is run before each.',
  uncertain:
    'A failure under a disturbance would say nothing. `replay --trials` shows how often it passes, and why it does not.',
}

function paragraphsOf({ undisturbed, untried, unsure, spoiled }: CheckReport): string[] {
  const { plays, passed, refusal, broken } = undisturbed
  return [
    ...(refusal === null ? [`Undisturbed, it passed ${passed} of ${counted(plays, 'play')}.`] : []),
    ...broken.map(
      ({ name, found }) => `Undisturbed, it breaks ${name}: ${found}. That is not judged further.`,
    ),
    ...unsure.map(({ id, problem, failed: [failures, of] }) => {
      return `Unsure: ${id} failed in ${failures} of ${counted(of, 'play')}: ${problem}`
    }),
    ...(spoiled.length > 0
      ? [
          `Not judged, since somebody else than the mailbox answered the agent with 429 or 5xx, or it took too long: ${spoiled.join(', ')}.`,
        ]
      : []),
    ...(untried.length > 0
      ? [
          `Not tried: ${listed(untried)}. A longer --time or more --plays tries them, or --resume with the folder of --out.`,
        ]
      : []),
  ]
}

/** The most ids in a sentence. */
const mostListed = 12

function listed(ids: readonly string[]): string {
  const more = ids.length - mostListed
  return `${ids.slice(0, mostListed).join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

function tableOf({ kinds }: CheckReport): Table {
  const rows = Object.entries(kinds).map(([name, { planned, tried, broke, judged_by }]) => ({
    name,
    cells: [
      {
        text: broke > 0 ? `${broke} broke` : tried > 0 ? 'passed' : 'not tried',
        tone: broke > 0 ? ('failed' as const) : tried > 0 ? ('passed' as const) : ('none' as const),
      },
      { text: `${tried} of ${planned} tried, judged by ${counted(judged_by, 'expectation')}` },
    ],
  }))
  return { title: 'What was tried', subject: 'disturbances', columns: ['result', ''], rows }
}

function printedFinding(finding: CheckFinding, { plays, passed }: CheckReport['undisturbed']): Finding {
  const { kind, problem, when, expected, found, confirmed, advice, again, also, file, place } = finding
  const details: Detail[] = [
    ['when', when],
    ['expected', expected],
    ['found', found],
    [
      'sure',
      `failed in ${confirmed[0]} of ${counted(confirmed[1], 'play')}; undisturbed in ${plays - passed} of ${plays}`,
    ],
    ['do', advice],
    ['again', again],
    ...(file === null ? [] : [['file', file] as const]),
    ...(also.length === 0 ? [] : [['also', listed(also)] as const]),
  ]
  const [, gap = ''] = kind === 'assumptions' ? finding.id.split('/') : []
  return {
    ...{ kind, title: problem, name: finding.id, passed: false, details },
    ...(place && { place }),
    ...(gap && { gaps: [gap] }),
  }
}

function notesOf({ known }: CheckReport): string[] {
  return known.map(({ id, reason, problem }) => {
    return problem === null
      ? `${id} is known (${reason}), and now passes: remove it from known`
      : `known: ${id}: ${problem} (${reason})`
  })
}
