import { extname } from 'node:path'
import { formatHtml } from './html.js'
import { formatHuman, type HumanOptions } from './human.js'
import { formatJunit } from './junit.js'
import { formatMarkdown } from './markdown.js'
import { detailLines, type Report, type ReportFormat } from './report.js'

const formats = {
  human: formatHuman,
  json: ({ document }: Report) => `${JSON.stringify(document, null, 2)}\n`,
  junit: formatJunit,
  markdown: formatMarkdown,
  html: formatHtml,
  github: formatGithub,
} satisfies Readonly<Record<ReportFormat, (report: Report, options?: HumanOptions) => string>>

/** Formats a report; the options only affect the format `human`. */
export function formatReport(format: ReportFormat, report: Report, options?: HumanOptions): string {
  return formats[format](report, options)
}

const formatsByEnding: Readonly<Record<string, ReportFormat>> = {
  txt: 'human',
  json: 'json',
  xml: 'junit',
  md: 'markdown',
  html: 'html',
}

/**
 * Returns the format for a file name. @throws Error that lists the known endings, and what a folder in place of the file would
 * contain, if the ending is unknown
 */
export function formatByFileName(path: string, folderFor?: string): ReportFormat {
  const ending = extname(path)
  const format = formatsByEnding[ending === '.htm' ? 'html' : ending.slice(1)]
  if (format) return format
  const found = ending === '' ? 'has no file extension' : `ends in ${ending}, which is not a known format`
  const endings = Object.entries(formatsByEnding).map(([known, stands]) => `.${known} (${stands})`)
  if (folderFor !== undefined) endings.push(`/ (a folder for ${folderFor})`)
  throw new Error(`the name ${found}; end it in ${endings.join(', ')}, or choose a format with --reporter`)
}

/**
 * Formats a report as workflow commands of GitHub Actions, which shows them as annotations: an error for each failure, at the
 * place in the scenario of what was expected, or a notice if nothing failed.
 */
function formatGithub({ passed, headline, findings }: Report): string {
  const failures = findings.filter((finding) => !finding.passed)
  if (passed || failures.length === 0) return workflowCommand(passed ? 'notice' : 'error', {}, headline)
  const commands = failures.map(({ title, details, place }) => {
    const lines = [title, ...detailLines(details)]
    return workflowCommand('error', { ...place, title: headline }, lines.join('\n'))
  })
  return commands.join('')
}

/** Formats a workflow command, with the escapes that GitHub documents for its properties and its message. */
function workflowCommand(name: string, properties: object, message: string): string {
  const written = Object.entries(properties).map(([key, value]) => {
    return `${key}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`
  })
  return `::${[name, written.join(',')].filter(Boolean).join(' ')}::${escaped(message)}\n`
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
