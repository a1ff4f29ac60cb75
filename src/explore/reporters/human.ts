import { counted } from '../../contract/counted.js'
import type { Paint } from '../../replay/reporters/index.js'
import { type Changes, listChanges } from '../changes.js'
import type { ExploreReport, ReportedRun, ReportedTry } from '../report.js'
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
  nameOutcome,
  rowsOf,
} from './words.js'

/** How a report is shown to people. */
export interface HumanOptions {
  readonly paint: Paint
  /** Characters a row of the table may have. */
  readonly columns: number
  /** The command line that explores with changes made from the start. */
  readonly again: (changes: Changes) => string
}

/** A report for people: what was relied on, a row for every change, and what breaks the command. */
export function formatHuman(report: ExploreReport, options: HumanOptions): string {
  const { scenario, seed, first, passed, runs, wall_ms } = report
  const { paint } = options
  const mark = passed ? paint.good('✓') : paint.bad('✗')
  const smallest = describeSmallest(report)
  const facts = `${counted(runs, 'run')} against ${scenario}, seed ${seed}, in ${formatSeconds(wall_ms)}`
  const blocks = [
    `${mark} ${paint.strong(headlineOf(report))}`,
    describeFirst(report),
    describeUnsteady(report),
    describeFixed(report),
    first.passed ? undefined : lastLines(first, paint),
    tableOf(report, options),
    describePairs(report),
    ...groupBreaks(report.breaks).map((group) => formatGroup(group, options)),
    smallest && paint.strong(smallest),
    [...first.notes.map((note) => `note: ${note}`), paint.faint(facts)].join('\n'),
  ]
  return `${blocks.filter((block) => block).join('\n\n')}\n`
}

function lastLines({ output }: ReportedRun, paint: Paint): string | undefined {
  if (output === '') return undefined
  return ['Its last lines:', ...output.split('\n').map((line) => `${paint.faint('│')} ${line}`)].join('\n')
}

/** Gap, reading, result, and the line that tells why; a change made beside another one has a line of its own. */
function tableOf(report: ExploreReport, { paint, columns }: HumanOptions): string | undefined {
  const rows = rowsOf(report).flatMap(cellsOf)
  if (rows.length === 0) return undefined
  const header = ['gap', 'reading', 'result', '']
  const widths = [0, 1, 2].map((column) => {
    return Math.max(...[header, ...rows].map((row) => (row[column] ?? '').length))
  })
  const line = (row: readonly string[]): string => {
    const text = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
    return text.trimEnd().length > columns ? `${text.slice(0, columns - 1)}…` : text.trimEnd()
  }
  const shown = rows.map((row) => (row[2] === 'FAILED' ? paint.bad(line(row)) : line(row)))
  return [paint.faint(line(header)), ...shown].join('\n')
}

function cellsOf(row: ReportedTry): string[][] {
  return listChanges(row.changes).map(({ gap, reading }, index) => {
    return index === 0 ? [gap, reading, nameOutcome(row), explainOutcome(row)] : [`+ ${gap}`, reading]
  })
}

function formatGroup({ name, lines, example }: BreakGroup, { paint, again }: HumanOptions): string {
  const all = [...lines, ['see it', again(example)] as const]
  const shown = all.map(([title, text], index) => {
    const repeated = all[index - 1]?.[0] === title
    return `    ${paint.faint((repeated ? '' : title).padEnd(6))}  ${text}`
  })
  return [`${paint.bad('✗')} ${paint.strong(name)}`, ...shown].join('\n')
}
