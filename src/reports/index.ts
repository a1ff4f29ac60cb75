import { formatHtml } from './html.js'
import { formatHuman, type HumanOptions } from './human.js'
import { formatJunit } from './junit.js'
import { formatMarkdown } from './markdown.js'
import type { Report } from './report.js'

export type { HumanOptions } from './human.js'
export type { JunitCase, JunitProblem, JunitSuite } from './junit.js'
export { type RecordedRun, type Recording, recordWorld } from './recording.js'
export { type Detail, type Finding, plainStyle, type Report, type Style, type TableRow } from './report.js'
export { formatCommand, formatSeconds, formatSpan, hideRunDetails, hideSecretArguments } from './text.js'
export { type FileBeside, isFolder, makeFolder, openBeside, writeFileWhole } from './write-file.js'

const formats = {
  human: formatHuman,
  json: ({ document }: Report) => `${JSON.stringify(document, null, 2)}\n`,
  junit: ({ suite }: Report) => formatJunit(suite),
  markdown: formatMarkdown,
  html: formatHtml,
} satisfies Readonly<Record<string, (report: Report, options?: HumanOptions) => string>>

/** A format that reports are written in. */
export type ReportFormat = keyof typeof formats

/** The formats that reports are written in. */
export const reportFormats = Object.keys(formats) as readonly ReportFormat[]

/** Formats a report; the options are for people's format. */
export function formatReport(format: ReportFormat, report: Report, options?: HumanOptions): string {
  return formats[format](report, options)
}

/** Returns the format that the name of a file stands for. */
export function formatByFileName(path: string): ReportFormat {
  if (path.endsWith('.json')) return 'json'
  if (path.endsWith('.xml')) return 'junit'
  if (/\.html?$/.test(path)) return 'html'
  return path.endsWith('.md') ? 'markdown' : 'human'
}
