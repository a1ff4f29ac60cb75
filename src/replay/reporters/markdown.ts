import type { ReplayReport } from '../report.js'
import { formatSpan } from '../story-time.js'
import { type Finding, findingsOf, formatCommand } from './findings.js'
import { headlineOf } from './headline.js'
import { cell, escaped, folded } from './markdown-text.js'

/** A report as Markdown, for the summary of a CI job. */
export function formatMarkdown(report: ReplayReport): string {
  const findings = findingsOf(report)
  const rows = findings.map(({ passed, title, why }) => {
    return `| ${passed ? '✅' : '❌'} | ${cell(title)} | ${cell(why)} |`
  })
  const table = ['| | what must be so | |', '|---|---|---|', ...rows].join('\n')
  const blocks = [
    `### ${report.passed ? '✅' : '❌'} ${escaped(headlineOf(report))}`,
    ...(findings.length > 0 ? [table] : []),
    ...findings.filter(({ details }) => details.length > 0).map(detailsOf),
    ...outputOf(report),
    `${formatSpan(report.started_at, report.ended_at)} of story, ${report.requests} requests, ` +
      `${report.deliveries} deliveries, seed ${report.seed}, ${(report.wall_ms / 1000).toFixed(1)} s.`,
  ]
  return `${blocks.join('\n\n')}\n\n`
}

function detailsOf({ title, details }: Finding): string {
  const lines = details.map(([name, text]) => `${name.padEnd(8)}  ${text}`)
  return folded(title, lines.join('\n'))
}

function outputOf({ command }: ReplayReport): string[] {
  if (!command || command.output === '') return []
  return [folded(`The last lines of ${formatCommand(command.command)}`, command.output)]
}
