import { extname } from 'node:path'
import type { ReportFormat } from './formats.js'
import { formatGithub } from './github.js'
import { formatHtml } from './html.js'
import { formatHuman, type HumanOptions } from './human.js'
import { formatJunit } from './junit.js'
import { formatMarkdown } from './markdown.js'
import type { Report } from './report.js'

const formats = {
  human: formatHuman,
  json: ({ document }: Report) => `${JSON.stringify(document, null, 2)}\n`,
  junit: ({ suites }: Report) => formatJunit(suites),
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
