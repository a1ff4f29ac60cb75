import { detailLines, type Finding, type Report, type Table } from './report.js'

/** Formats a report as Markdown, for the summary of a CI job. */
export function formatMarkdown(report: Report): string {
  const { passed, isUnclear, headline, paragraphs, table, about, findings, output, notes, facts } = report
  const blocks = [
    `### ${isUnclear ? '❔' : passed ? '✅' : '❌'} ${cell(headline)}`,
    ...paragraphs.map(escapeText),
    ...(table ? [formatTable(table)] : findings.length > 0 ? [formatFindings(findings)] : []),
    ...(about === undefined ? [] : [escapeText(about)]),
    ...findings
      .filter(({ details }) => details.length > 0)
      .map(({ title, details }) => fold(title, detailLines(details).join('\n'))),
    ...(output ? [fold(output.title, output.text)] : []),
    ...notes.map((note) => `Note: ${escapeText(note)}`),
    ...facts.map(escapeText),
  ]
  return `${withoutControls(blocks.join('\n\n'))}\n\n`
}

/** Returns a text with its control characters in a visible form: a terminal or a log would follow them. */
function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced.
  return text.replace(/\r\n?/g, '\n').replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, (character) => {
    return `\\u{${(character.codePointAt(0) as number).toString(16)}}`
  })
}

function formatFindings(findings: readonly Finding[]): string {
  const rows = findings.map(({ passed, title }) => [passed ? '✅' : '❌', cell(title)])
  return formatRows(['', 'what must be true'], rows)
}

function formatTable(table: Table): string {
  const marks = { passed: '✅', failed: '❌', unsure: '❔', none: '➖' }
  const lines = table.rows.map(({ name, cells: [result, why] }) => {
    return [marks[result?.tone ?? 'none'], cell(name), result?.text ?? '', cell(why?.text ?? '')]
  })
  return formatRows(['', table.subject, 'result', ''], lines)
}

function formatRows(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, header.map(() => '---'), ...rows]
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Formats text that is shown when its title is clicked; the code fence is longer than any in the text. */
function fold(title: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `<details><summary>${cell(title)}</summary>\n\n${fence}text\n${text}\n${fence}\n\n</details>`
}

function cell(text: string): string {
  return escapeText(text).replace(/\s+/g, ' ')
}

/** Escapes characters that Markdown or HTML would interpret. */
function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|~]/g, '\\$&')
}
