import { invocation } from '../../base/package.js'
import { counted, truncate } from '../../base/text.js'
import type { Need } from '../../contract/gaps/gap.js'
import type { Report } from '../../runs/reports/report.js'
import type { TableRow } from '../../runs/reports/table.js'
import { Masker } from '../../service/record/masker.js'
import { formatInstant } from '../../service/time/time.js'
import { wallTime } from '../../service/time/wall-time.js'
import type { Calibration } from './calibrate.js'
import { findingsOf, type GapFinding } from './findings.js'

/** The JSON form of a calibration. */
export interface CalibrationDocument {
  readonly format: 'agent-mailbox-sim/calibration'
  readonly version: 1
  /** The base URL of the service. */
  readonly base_url: string
  /** When it ended, ISO 8601 UTC. */
  readonly at: string
  readonly requests: number
  /** Why it stopped early; null if it completed. */
  readonly stopped: string | null
  readonly notes: readonly string[]
  readonly gaps: readonly GapFinding[]
  /** What contradicts the file that it was compared with; null if there was no file. */
  readonly changes: readonly AssumptionChange[] | null
}

/** A gap whose assumption differs from a file. */
interface AssumptionChange {
  readonly gap: string
  readonly before: string
  /** The assumption now; null if several are possible, or none. */
  readonly now: string | null
  readonly because: string
}

/** The options of a document. */
export interface DocumentOptions {
  readonly baseUrl: string
  readonly needs: ReadonlySet<Need>
  /** The assumptions of a file to compare with. */
  readonly before: Readonly<Record<string, string>> | undefined
  /** Secrets to mask. */
  readonly secrets: readonly string[]
}

/** Returns the JSON form of a calibration, with keys and tokens masked. */
export function documentOf(
  calibration: Calibration,
  { baseUrl, needs, before, secrets }: DocumentOptions,
): CalibrationDocument {
  const gaps = findingsOf(calibration, needs)
  const document: CalibrationDocument = {
    format: 'agent-mailbox-sim/calibration',
    version: 1,
    base_url: baseUrl,
    at: formatInstant(wallTime()),
    requests: calibration.sent,
    stopped: calibration.stopped?.message ?? null,
    notes: calibration.notes,
    gaps,
    changes: before ? compareWith(before, gaps) : null,
  }
  return maskerOf(calibration.probed, secrets).content(document) as CalibrationDocument
}

/** Returns the findings that contradict the assumptions of a file. */
function compareWith(
  before: Readonly<Record<string, string>>,
  findings: readonly GapFinding[],
): AssumptionChange[] {
  return findings.flatMap(({ gap, status, assumption, candidates, because }) => {
    const known = before[gap]
    const fits = status !== 'none-fits' && candidates.includes(known ?? '')
    return known === undefined || fits ? [] : [{ gap, before: known, now: assumption, because }]
  })
}

const marks = { learned: 'passed', narrowed: 'unsure', unknown: 'none', 'none-fits': 'failed' } as const

const statusOrder = ['none-fits', 'learned', 'narrowed', 'unknown'] as const

/** Prepares the report of a calibration. */
export function calibrationReport(document: CalibrationDocument): Report {
  const { gaps, requests, stopped, changes, notes, base_url } = document
  const sorted = statusOrder.flatMap((status) => gaps.filter((finding) => finding.status === status))
  const changed = changes ?? []
  const passed = stopped === null && changed.length === 0
  return {
    document,
    passed,
    headline: headlineOf(document),
    paragraphs:
      stopped === null
        ? []
        : [`The run stopped early: ${stopped} The results below were learned until then.`],
    table: {
      title: 'What was learned',
      subject: ['gap', 'assumption'],
      columns: ['because', ''],
      rows: sorted.map(rowOf),
    },
    findings: changed.map(({ gap, before, now, because }) => ({
      kind: 'change',
      title: `${gap} was ${before}, and is ${now ?? 'something else'}`,
      passed: false,
      why: because,
      details: [['because', because]],
    })),
    notes,
    facts: [`${counted(requests, 'request')} to ${base_url}`],
    suites: [
      {
        name: `calibrate ${base_url}`,
        package: 'agent-mailbox-sim.calibrate',
        seconds: 0,
        properties: {},
        cases: sorted.map(({ gap, because }) => {
          const change = changed.find((one) => one.gap === gap)
          const message = change ? `was ${change.before}, and is ${change.now ?? 'something else'}` : ''
          return {
            name: gap,
            className: 'calibrate',
            seconds: 0,
            problem: change ? { is: 'failure' as const, type: 'change', message, text: because } : null,
          }
        }),
        output: notes.join('\n'),
      },
    ],
  }
}

function headlineOf({ gaps, changes, stopped }: CalibrationDocument): string {
  const count = (status: string): number => gaps.filter((finding) => finding.status === status).length
  const learned = `${count('learned')} of ${counted(gaps.length, 'gap')} learned`
  const parts = [
    learned,
    ...(count('narrowed') > 0 ? [`${count('narrowed')} narrowed`] : []),
    ...(count('none-fits') > 0 ? [`${count('none-fits')} that no assumption describes`] : []),
  ]
  if (changes && changes.length > 0)
    return `${counted(changes.length, 'assumption')} changed; ${parts.join(', ')}`
  const suffix = stopped === null ? '' : ', until it stopped'
  return `${parts.join(', ')}${changes ? '; nothing contradicts the file' : ''}${suffix}`
}

function rowOf({ gap, status, assumption, candidates, because, exchanges }: GapFinding): TableRow {
  const value =
    assumption ??
    (status === 'narrowed' ? candidates.join(' | ') : status === 'none-fits' ? 'none matches' : '?')
  const evidence =
    exchanges.length === 0
      ? ''
      : `exchange ${exchanges.slice(0, 4).join(', ')}${exchanges.length > 4 ? ', …' : ''}`
  return {
    name: gap,
    lines: [[gap, value]],
    cells: [
      { text: status === 'unknown' ? because : evidence, tone: marks[status] },
      { text: status === 'none-fits' || status === 'narrowed' ? because : '' },
    ],
  }
}

/** Formats a file of assumptions with the evidence for each. */
export function formatLiveAssumptions({ gaps, base_url, at, requests }: CalibrationDocument): string {
  const learned = gaps.filter(({ status }) => status === 'learned')
  const lines = learned.flatMap(({ gap, assumption, because, exchanges }) => [
    `  # ${oneLine(because)} (exchange ${exchanges.join(', ')}; ${at.slice(0, 10)})`,
    `  ${gap}: ${quoted(assumption ?? '')}`,
  ])
  return [
    `# How ${oneLine(base_url)} settles the points that its interface leaves open: ${learned.length} of ${gaps.length} gaps,`,
    `# learned by agent-mailbox-sim calibrate with ${counted(requests, 'request')}, ${at}.`,
    `# The others have their default assumption. To serve with this file: ${invocation} --assume <this file>`,
    learned.length === 0 ? 'assume: {}' : 'assume:',
    ...lines,
    '',
  ].join('\n')
}

/** Formats foreign text for a comment, in one line of limited length. */
function oneLine(text: string): string {
  // Control characters could end the comment or hide text.
  return truncate(text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' '), 300)
}

/** Formats an assumption as a YAML string. */
function quoted(assumption: string): string {
  return /^[a-z][a-z-]*$/.test(assumption) && !/^(null|true|false|yes|no|on|off)$/.test(assumption)
    ? assumption
    : `'${assumption}'`
}

/** Returns a masker of the keys of the user and of the tokens that a service returned. */
function maskerOf(probed: Calibration['probed'], secrets: readonly string[]): Masker {
  // Found once: the responses may be large.
  const known = [...secrets, ...tokensIn(probed)]
  return new Masker(() => known)
}

/** Returns the tokens of webhooks that responses contain. */
function tokensIn(probed: Calibration['probed']): string[] {
  const texts = probed.flatMap(({ exchange: { answer } }) => {
    return [...answer.text.matchAll(/"auth_token"\s*:\s*"([^"]+)"/g)]
  })
  return [...new Set(texts.map((match) => match[1] as string))]
}
