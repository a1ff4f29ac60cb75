import { readFileSync } from 'node:fs'
import { builtFolder } from '../../base/package.js'
import { type PrintedParts, type Report, withSharedBodies } from './report.js'

/**
 * Formats a report as a single page that needs neither a server nor a network.
 * @throws Error when the page was not built, or when the report has no recording
 */
export function formatHtml(report: Report): string {
  const data = pageData(report)
  return withData(readFileSync(new URL('inspector/report.html', builtFolder()), 'utf8'), data)
}

/** Returns the page with its data in it. */
export function withData(page: string, data: object): string {
  // Inside a script element, `<` could begin a tag that ends the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return page.replace('id="recording"></script>', () => `id="recording">${json}</script>`)
}

/** Returns what the page of a report shows. @throws Error when the report has no recording */
export function pageData(report: Report): object {
  const { document, headline, recording, beside, others = [] } = report
  const run = recording?.()
  if (!run) throw new Error('There is no HTML page, because no run was recorded.')
  const bodies: string[] = []
  const other = beside?.()
  return {
    ...{ ...withSharedBodies(run, bodies), title: headline, report: document, ...printedParts(report) },
    beside: other && withSharedBodies(other, bodies),
    ...(others.length > 0 && { others: others.map((one) => withSharedBodies(one(), bodies)) }),
    bodies,
  }
}

/** Returns what the page prints of a report; a run that the findings are about is one that it shows in full. */
function printedParts({ about, ...report }: Report): PrintedParts {
  const { passed, silences = [], paragraphs = [], table, findings, output, notes } = report
  const parts = { passed, paragraphs: [...silences, ...paragraphs], table, notes }
  return about === undefined ? { ...parts, findings, output } : { ...parts, findings: [] }
}
