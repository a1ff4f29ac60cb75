import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { builtFolder } from '../../base/index.js'
import type { ReportFormat } from './formats.js'
import { formatHuman, type HumanOptions } from './human.js'
import { formatJunit } from './junit.js'
import { formatMarkdown } from './markdown.js'
import { type Report, withSharedBodies } from './report.js'

const formats = {
  human: formatHuman,
  json: ({ document }: Report) => `${JSON.stringify(document, null, 2)}\n`,
  junit: ({ suites }: Report) => formatJunit(suites),
  markdown: formatMarkdown,
  html: formatHtml,
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

/** Returns the format for a file name. @throws Error that lists the known endings, if the ending is unknown */
export function formatByFileName(path: string): ReportFormat {
  const ending = extname(path)
  const format = formatsByEnding[ending === '.htm' ? 'html' : ending.slice(1)]
  if (format) return format
  const found = ending === '' ? 'has no file extension' : `ends in ${ending}, which is not a known format`
  const endings = Object.entries(formatsByEnding).map(([known, stands]) => `.${known} (${stands})`)
  throw new Error(`the name ${found}; end it in ${endings.join(', ')}, or choose a format with --reporter`)
}

/**
 * Formats a report as a single page that needs neither a server nor a network.
 * @throws Error when the page was not built, or when the report has no recording
 */
function formatHtml({ document, headline, passed, recording, beside, others = [] }: Report): string {
  const run = recording?.()
  if (!run) throw new Error('There is no HTML page, because no run was recorded.')
  const bodies: string[] = []
  const other = beside?.()
  const data = {
    ...{ ...withSharedBodies(run, bodies), title: headline, passed, report: document },
    beside: other && withSharedBodies(other, bodies),
    ...(others.length > 0 && { others: others.map((one) => withSharedBodies(one(), bodies)) }),
    bodies,
  }
  // Inside a script element, `<` could begin a tag that ends the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  const page = readFileSync(new URL('inspector/report.html', builtFolder()), 'utf8')
  return page.replace('id="recording"></script>', () => `id="recording">${json}</script>`)
}
