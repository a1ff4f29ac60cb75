import type { Report } from './report.js'

/**
 * Formats a report as workflow commands of GitHub Actions, which shows them as annotations: an error for each failure, at the
 * place in the scenario of what was expected, or a notice if nothing failed.
 */
export function formatGithub({ passed, headline, findings }: Report): string {
  const failures = findings.filter((finding) => !finding.passed)
  if (passed || failures.length === 0) return command(passed ? 'notice' : 'error', {}, headline)
  return failures
    .map(({ title, details, place }) => {
      const lines = [title, ...details.map(([label, text]) => `${label.padEnd(8)}  ${text}`)]
      return command('error', { ...place, title: headline }, lines.join('\n'))
    })
    .join('')
}

/** Formats a workflow command, with the escapes that GitHub documents for its properties and its message. */
function command(name: string, properties: object, message: string): string {
  const written = Object.entries(properties).map(([key, value]) => {
    return `${key}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`
  })
  return `::${[name, written.join(',')].filter(Boolean).join(' ')}::${escaped(message)}\n`
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
