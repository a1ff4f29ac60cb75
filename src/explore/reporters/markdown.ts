import { counted } from '../../contract/counted.js'
import { cell, escaped, folded } from '../../replay/reporters/markdown-text.js'
import type { ExploreReport, ReportedTry } from '../report.js'
import { type BreakGroup, groupBreaks } from './break-groups.js'
import {
  describeFirst,
  describeFixed,
  describePairs,
  describeSmallest,
  describeUnsteady,
  explainOutcome,
  formatSeconds,
  headlineOf,
  nameChanges,
  nameOutcome,
  rowsOf,
} from './words.js'

/** A report as Markdown, for the summary of a CI job. */
export function formatMarkdown(report: ExploreReport): string {
  const { passed, first, breaks, runs, scenario, seed, wall_ms } = report
  const sentences = [
    describeFirst(report),
    describeUnsteady(report),
    describeFixed(report),
    describePairs(report),
    describeSmallest(report),
  ]
  const blocks = [
    `### ${passed ? '✅' : '❌'} ${escaped(headlineOf(report))}`,
    ...sentences.filter((sentence) => sentence !== undefined).map(escaped),
    ...(first.output === '' ? [] : [folded('Its last lines', first.output)]),
    ...groupBreaks(breaks).map(foldedGroup),
    ...tableOf(rowsOf(report)),
    `${counted(runs, 'run')} against ${escaped(scenario)}, seed ${seed}, in ${formatSeconds(wall_ms)}.`,
  ]
  return `${blocks.join('\n\n')}\n\n`
}

function foldedGroup({ name, lines }: BreakGroup): string {
  return folded(name, lines.map(([title, text]) => `${title.padEnd(6)}  ${text}`).join('\n'))
}

function tableOf(rows: readonly ReportedTry[]): string[] {
  if (rows.length === 0) return []
  const lines = rows.map((row) => {
    const mark = { passed: '✅', failed: '❌', unsure: '❔', overruled: '➖' }[row.outcome]
    return `| ${mark} | ${cell(nameChanges(row))} | ${nameOutcome(row)} | ${cell(explainOutcome(row))} |`
  })
  return [['| | reading | result | |', '|---|---|---|---|', ...lines].join('\n')]
}
