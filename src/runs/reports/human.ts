import { truncate } from '../../base/index.js'
import { type Finding, type Matrix, plainStyle, type Report, type Style, type Table } from './report.js'

/** Options of the format `human`. */
export interface HumanOptions {
  readonly style?: Style
  /** The maximum width of a table row, in characters. */
  readonly columns?: number
}

/**
 * The maximum number of failures without a list above them; if there is a list, failures without details
 * appear only in it.
 */
const unlistedFailures = 5

/** The maximum number of failures in that list. */
const listedFailures = 8

/** Formats a report as text for people; the first lines say what failed. */
export function formatHuman(
  report: Report,
  { style = plainStyle, columns = Number.POSITIVE_INFINITY }: HumanOptions = {},
): string {
  const { passed, headline, paragraphs = [], table, matrix, about, findings, output } = report
  const { conclusion, notes, facts } = report
  const failures = findings.filter((finding) => !finding.passed)
  const passes = findings.filter((finding) => finding.passed)
  const width = Math.max(...failures.flatMap(({ details }) => details.map(([label]) => label.length)))
  const isListed = failures.length > unlistedFailures && !table
  const listed = isListed ? failures.slice(0, listedFailures) : []
  const detailed = failures.filter((finding) => finding.details.length > 0 || !listed.includes(finding))
  const blocks = [
    `${markOf(passed, style)} ${style.strong(headline)}`,
    ...paragraphs,
    isListed ? formatList(listed, failures.length, style) : '',
    table ? formatTable(table, style, columns) : '',
    matrix ? formatMatrix(matrix, style) : '',
    about === undefined ? '' : style.strong(about),
    ...detailed.map((finding) => formatFailure(finding, width, style)),
    passes.map(({ title }) => `${style.good('✓')} ${title}`).join('\n'),
    output ? `${output.title}:\n${indent(output.text, style.faint('│'))}` : '',
    conclusion === undefined ? '' : style.strong(conclusion),
    [...notes.map((note) => `note: ${note}`), ...facts.map((fact) => style.faint(fact))].join('\n'),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function markOf(passed: boolean, style: Style): string {
  return passed ? style.good('✓') : style.bad('✗')
}

function formatList(listed: readonly Finding[], count: number, style: Style): string {
  const lines = listed.map(({ title, why }) => {
    return `${style.bad('✗')} ${title}${why && ` ${style.faint(`(${truncate(why, 80)})`)}`}`
  })
  const more = count - lines.length
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}

function formatTable({ header, rows }: Table, style: Style, columns: number): string {
  const lines = rows.flatMap(({ mark, lines: [first = [], ...others], result, why }) => [
    { isFailure: mark === 'failed', cells: [...first, result, why] },
    ...others.map((cells) => ({ isFailure: false, cells })),
  ])
  const widths = header.map((title, column) => {
    return Math.max(title.length, ...lines.map(({ cells }) => cells[column]?.length ?? 0))
  })
  const format = (cells: readonly string[]): string => {
    return truncate(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
      columns,
    )
  }
  const shown = lines.map(({ isFailure, cells }) => (isFailure ? style.bad(format(cells)) : format(cells)))
  return [style.faint(format(header)), ...shown].join('\n')
}

/** Formats a matrix in 80 columns: letters stand for the names of its columns, which are listed below. */
function formatMatrix({ title, columns, rows }: Matrix, style: Style): string {
  const letters = columns.map((_, index) => String.fromCodePoint('a'.charCodeAt(0) + index))
  const first = Math.max(title.length, ...rows.map(([name = '']) => name.length))
  const width = Math.max(...rows.flatMap(([, ...cells]) => cells.map(({ length }) => length))) + 2
  const line = ([name = '', ...cells]: readonly string[]): string => {
    return `${name.padEnd(first)}${cells.map((cell) => cell.padStart(width)).join('')}`.trimEnd()
  }
  const legend = columns.map((name, index) => `${letters[index]} ${name}`).join(', ')
  return [style.faint(line([title, ...letters])), ...rows.map(line), style.faint(wrap(legend, 80))].join('\n')
}

function wrap(text: string, columns: number): string {
  return text.replace(new RegExp(`(.{1,${columns}})(?: |$)`, 'g'), '$1\n').trimEnd()
}

function formatFailure({ title, details }: Finding, width: number, style: Style): string {
  const lines = details.map(([label, text]) => `    ${style.faint(label.padEnd(width))}  ${text}`)
  return [`${style.bad('✗')} ${title}`, ...lines].join('\n')
}

function indent(text: string, mark: string): string {
  return text
    .split('\n')
    .map((line) => `${mark} ${line}`)
    .join('\n')
}
