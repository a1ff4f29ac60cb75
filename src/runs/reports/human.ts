import { detailLines, plainStyle, type Report, type Style, type Table } from './report.js'

/** Options of the format `human`. */
export interface HumanOptions {
  readonly style?: Style
  /** Whether minor rows of tables are shown. */
  readonly isWhole?: boolean
}

/** Formats a report as text for people; the first line says what failed. */
export function formatHuman(
  report: Report,
  { style = plainStyle, isWhole = false }: HumanOptions = {},
): string {
  const { passed, isUnclear, headline, paragraphs, table, about, findings, output, notes, facts } = report
  const rows = table?.rows.filter(({ isMinor }) => isWhole || !isMinor) ?? []
  const failures = findings.filter((finding) => !finding.passed)
  const passes = findings.filter((finding) => finding.passed)
  const blocks = [
    `${isUnclear ? '?' : passed ? style.good('✓') : style.bad('✗')} ${style.strong(headline)}`,
    ...paragraphs,
    table && rows.length > 0 ? formatTable({ ...table, rows }, style) : '',
    about === undefined ? '' : style.strong(about),
    ...failures.map(({ title, details }) => {
      return [`${style.bad('✗')} ${title}`, ...detailLines(details).map((line) => `    ${line}`)].join('\n')
    }),
    passes.map(({ title }) => `${style.good('✓')} ${title}`).join('\n'),
    output ? `${output.title}:\n${output.text.replace(/^/gm, `${style.faint('│')} `)}` : '',
    [...notes.map((note) => `note: ${note}`), ...facts.map((fact) => style.faint(fact))].join('\n'),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function formatTable(table: Table, style: Style): string {
  const lines = table.rows.flatMap(({ name, cells }) => {
    // In short lines, so that the results beside it fit on a screen.
    const [first = '', ...others] = name.match(/.{1,45}(?:\s|$)|\S{45}/g) ?? [name]
    return [
      { isFailure: cells[0]?.tone === 'failed', cells: [first.trimEnd(), ...cells.map(({ text }) => text)] },
      ...others.map((line) => ({ isFailure: false, cells: [line.trimEnd()] })),
    ]
  })
  const header = [table.subject, ...table.columns]
  const [title = '', ...shown] = alignCells([header, ...lines.map(({ cells }) => cells)])
  const styled = shown.map((line, index) => (lines[index]?.isFailure ? style.bad(line) : line))
  return [style.faint(title), ...styled].join('\n')
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
