import { readFileSync } from 'node:fs'
import { builtFolder } from '../contract/package.js'
import type { Recording } from './recording.js'
import type { Report } from './report.js'

/**
 * Formats a report as one page that needs neither a server nor the network.
 * @throws Error when the page was not built, or when a report has no recording
 */
export function formatHtml({ document, headline, passed, recording }: Report): string {
  const run = recording?.()
  if (!run) throw new Error('A report of this command has no HTML form.')
  const data: Recording = { ...run, title: headline, passed, report: document }
  // In a script, `<` could begin a tag that ends it.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  const page = readFileSync(new URL('inspector/report.html', builtFolder), 'utf8')
  return page.replace('id="recording"></script>', () => `id="recording">${json}</script>`)
}
