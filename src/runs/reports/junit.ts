import XMLBuilder from 'fast-xml-builder'
import { formatInstant } from '../../service/time/time.js'
import { wallTime } from '../../service/time/wall-time.js'
import { detailLines, type Finding, numbered, type Report, type TableRow } from './report.js'

/** A test case; its problem explains in a line, and in several, why it did not pass. */
interface Case {
  readonly name: string
  readonly kind: string
  readonly problem: readonly [message: string, text: string] | null
}

/**
 * Formats a report as JUnit XML that is valid under both common schemas, Ant's and Jenkins's. It is dated in wall time, since CI
 * systems drop reports of long ago: those are the dates of stories.
 */
export function formatJunit(report: Report): string {
  const builder = new XMLBuilder({
    format: true,
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    textNodeName: '#',
    suppressBooleanAttributes: false,
    suppressEmptyNode: true,
  })
  const { name, wallMs, headline, paragraphs, output, notes, facts } = report
  const all = casesOf(report)
  // CI systems treat cases of one name as one.
  const names = numbered(all.map((one) => one.name))
  const cases = all.map((one, index) => ({ ...one, name: names[index] as string }))
  const lines = [headline, ...paragraphs, ...(output ? [output.text] : []), ...notes, ...facts]
  const testsuite = {
    '@name': inLine(name),
    '@package': 'agent-mailbox-sim',
    '@id': '0',
    '@timestamp': formatInstant(wallTime() - wallMs).slice(0, 19),
    '@hostname': 'localhost',
    '@tests': String(cases.length),
    '@failures': String(cases.filter(({ problem }) => problem).length),
    '@errors': '0',
    '@skipped': '0',
    '@time': (wallMs / 1000).toFixed(3),
    properties: {},
    testcase: cases.map((one) => caseElement(one, name)),
    'system-out': { '#': printable(lines.join('\n')) },
    'system-err': { '#': '' },
  }
  const xml = { '@version': '1.0', '@encoding': 'UTF-8' }
  return `${builder.build({ '?xml': xml, testsuites: { testsuite } }).trim()}\n`
}

/**
 * Returns a case for each row of the table, and for each finding that is not about one of several plays. Nothing fails in a report
 * that passed; in another one, the first that fails has the outcome as its message, where every tool shows it.
 */
function casesOf(report: Report): Case[] {
  const { passed, headline, paragraphs, table, about, findings } = report
  const rows = (table?.rows ?? []).flatMap((row) => ofRow(row, report))
  const all = [...rows, ...(table && about !== undefined ? [] : findings.map(ofFinding))]
  if (passed) return all.map((one) => ({ ...one, problem: null }))
  const outcome: Case = { name: 'The outcome', kind: 'outcome', problem: ['', ''] }
  const whole = all.some(({ problem }) => problem) ? all : [outcome, ...all]
  const first = whole.find(({ problem }) => problem)
  return whole.map((one) => {
    if (one !== first) return one
    return { ...one, problem: [headline, [...paragraphs, one.problem?.[1]].join('\n')] }
  })
}

function ofRow({ name, cells }: TableRow, { table, findings }: Report): Case[] {
  const tone = cells.find((cell) => cell.tone)?.tone ?? 'none'
  if (tone === 'none') return []
  const results = cells.flatMap(({ text }, index) => {
    return text === '' ? [] : `${table?.columns[index] ?? ''} ${text}`.trim()
  })
  const details = findings.find(({ title }) => title === name)?.details ?? []
  const text = [...results, ...detailLines(details)].join('\n')
  return [{ name, kind: 'table', problem: tone === 'passed' ? null : [results.join(', '), text] }]
}

function ofFinding({ kind, title, name = title, passed, details }: Finding): Case {
  const text = [title, ...detailLines(details)].join('\n')
  const found = details.find(([label]) => label === 'found')?.join(' ') ?? title
  return { name, kind, problem: passed ? null : [found, text] }
}

function caseElement({ name, kind, problem }: Case, suite: string): object {
  const className = inLine(`${suite}.${kind}`)
  const attributes = { '@name': inLine(name), '@classname': className, '@time': '0.000' }
  if (!problem) return attributes
  const [message, text] = problem
  const failure = { '@type': inLine(kind), '@message': inLine(message), '#': printable(text) }
  return { ...attributes, failure }
}

/** Characters in well-formed text that XML cannot represent. */
const impossible = /(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu

function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').toWellFormed().replace(impossible, '')
}

/** Returns text as one line for an attribute, in which XML parsers replace line breaks. */
function inLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim()
}
