import { truncate } from '../../base/text.js'
import { type Finding, plainStyle, type Report, type Style } from './report.js'
import type { Table, TableRow } from './table.js'

/** Options of the format `human`. */
export interface HumanOptions {
  readonly style?: Style
  /** The maximum width of a table row, in characters. */
  readonly columns?: number
  /** Whether minor rows of tables are shown. */
  readonly isWhole?: boolean
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
  { style = plainStyle, columns = Number.POSITIVE_INFINITY, isWhole = false }: HumanOptions = {},
): string {
  const {
    passed,
    isUnclear,
    silences = [],
    headline,
    paragraphs = [],
    table,
    about,
    findings,
    output,
  } = report
  const { conclusion, notes, facts } = report
  const shown = table && { ...table, rows: table.rows.filter(({ isMinor }) => isWhole || !isMinor) }
  const failures = findings.filter((finding) => !finding.passed)
  const passes = findings.filter((finding) => finding.passed)
  const width = Math.max(...failures.flatMap(({ details }) => details.map(([label]) => label.length)))
  const isListed = failures.length > unlistedFailures && !table
  const listed = isListed ? failures.slice(0, listedFailures) : []
  const detailed = failures.filter((finding) => finding.details.length > 0 || !listed.includes(finding))
  const blocks = [
    silences.join('\n'),
    `${isUnclear ? '?' : passed ? style.good('✓') : style.bad('✗')} ${style.strong(headline)}`,
    ...paragraphs,
    isListed ? formatList(listed, failures.length, style) : '',
    shown && shown.rows.length > 0 ? formatTable(shown, style, columns) : '',
    about === undefined ? '' : style.strong(about),
    ...detailed.map((finding) => formatFailure(finding, width, style)),
    passes.map(({ title }) => `${style.good('✓')} ${title}`).join('\n'),
    output ? `${output.title}:\n${indent(output.text, style.faint('│'))}` : '',
    conclusion === undefined ? '' : style.strong(conclusion),
    [...notes.map((note) => `note: ${note}`), ...facts.map((fact) => style.faint(fact))].join('\n'),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function formatList(listed: readonly Finding[], count: number, style: Style): string {
  const lines = listed.map(({ title, why }) => {
    return `${style.bad('✗')} ${title}${why && ` ${style.faint(`(${truncate(why, 80)})`)}`}`
  })
  const more = count - lines.length
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}

function formatTable(table: Table, style: Style, columns: number): string {
  const lines = table.rows.flatMap((row) => {
    const [first = [], ...others] = row.lines ?? linesOf(row)
    return [
      { isFailure: row.cells[0]?.tone === 'failed', cells: [...first, ...row.cells.map(({ text }) => text)] },
      ...others.map((cells) => ({ isFailure: false, cells })),
    ]
  })
  const header = [...table.subject, ...table.columns]
  const [title = '', ...shown] = alignCells([header, ...lines.map(({ cells }) => cells)]).map((line) =>
    truncate(line, columns),
  )
  const styled = shown.map((line, index) => (lines[index]?.isFailure ? style.bad(line) : line))
  return [style.faint(title), ...styled].join('\n')
}

/** Returns what a row is about in short lines, so that the results beside it fit on a screen. */
function linesOf({ name }: TableRow): readonly (readonly string[])[] {
  return (name.match(/.{1,45}(?:\s|$)|\S{45}/g) ?? [name]).map((line) => [line.trimEnd()])
}

/** Returns lines with their cells below each other. */
export function alignCells(lines: readonly (readonly string[])[]): string[] {
  const count = Math.max(...lines.map((cells) => cells.length))
  const widths = Array.from({ length: count }, (_, column) => {
    return Math.max(...lines.map((cells) => cells[column]?.length ?? 0))
  })
  return lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
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
