import { readFileSync } from 'node:fs'
import { builtFolder } from '../../base/package.js'
import { type PrintedParts, type Report, withSharedBodies } from './report.js'

/**
 * Formats a report as a single page that needs neither a server nor a network.
 * @throws Error when the page was not built, or when the report has no recording
 */
export function formatHtml(report: Report): string {
  return pageWith(pageData(report), builtFolder())
}

/** Returns the inspector's page with its script, its style and some data in it. */
export function pageWith(data: object, folder: URL): string {
  const [page, script, style] = ['html', 'js', 'css'].map((ending) => {
    return readFileSync(new URL(`inspector/index.${ending}`, folder), 'utf8')
  }) as [string, string, string]
  // Inside a script element, `<` could begin a tag that ends the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return page
    .replace(/<script type="module"[^>]*><\/script>/, '')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
    .replace('id="recording"></script>', () => `id="recording">${json}</script>`)
    .replace('</body>', () => {
      return `<script type="module">${script.replaceAll('</script', '<\\/script')}</script></body>`
    })
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
