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
  const {
    document,
    headline,
    recording,
    passed,
    silences = [],
    table,
    about,
    findings,
    output,
    notes,
  } = report
  const run = recording?.()
  if (!run) throw new Error('There is no HTML page, because no run was recorded.')
  const paragraphs = [...silences, ...(report.paragraphs ?? [])]
  const printed: PrintedParts = { passed, paragraphs, table, about, findings, output, notes }
  return { ...withSharedBodies(run), title: headline, report: document, ...printed }
}
