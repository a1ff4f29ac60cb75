import type { ReplayReport } from '../report.js'
import { formatSpan } from '../story-time.js'
import { type Finding, findingsOf, formatCommand } from './findings.js'
import { headlineOf } from './headline.js'
import { type Paint, plain } from './paint.js'

/** So many failures are told with their details at once; of more, there is a list first. */
const fewFailures = 2

/** Failures that are in that list, at most. */
const listed = 8

/** A report for people; its first lines say what the agent should have done and did not. */
export function formatHuman(report: ReplayReport, paint: Paint = plain): string {
  const findings = findingsOf(report)
  const failed = findings.filter(({ passed }) => !passed)
  const passed = findings.filter((finding) => finding.passed)
  const list = failed.length > fewFailures ? [formatList(failed, paint)] : []
  const blocks = [
    headline(report, paint),
    ...list,
    ...failed.map((finding) => formatFailure(finding, paint)),
    passed.map(({ title }) => `${paint.good('✓')} ${title}`).join('\n'),
    formatOutput(report, paint),
    formatFacts(report, paint),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function headline(report: ReplayReport, paint: Paint): string {
  const mark = report.passed ? paint.good('✓') : paint.bad('✗')
  return `${mark} ${paint.strong(headlineOf(report))}`
}

function formatList(failed: readonly Finding[], paint: Paint): string {
  const lines = failed.slice(0, listed).map(({ title, why }) => {
    return `${paint.bad('✗')} ${title}${why && ` ${paint.faint(`(${shortened(why)})`)}`}`
  })
  const more = failed.length - lines.length
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

function formatFailure({ title, details }: Finding, paint: Paint): string {
  const lines = details.map(([name, text]) => `    ${paint.faint(name.padEnd(8))}  ${text}`)
  return [`${paint.bad('✗')} ${title}`, ...lines].join('\n')
}

function formatOutput({ command }: ReplayReport, paint: Paint): string {
  if (!command || command.output === '') return ''
  const lines = command.output.split('\n').map((line) => `${paint.faint('│')} ${line}`)
  return [`The last lines of ${formatCommand(command.command)}:`, ...lines].join('\n')
}

function formatFacts(report: ReplayReport, paint: Paint): string {
  const { started_at, ended_at, requests, deliveries, clock, wall_ms } = report
  const notes = notesOn(report)
  const time = `${formatSpan(started_at, ended_at)} of story${clock === 'frozen' ? '' : ` at ${clock}`}`
  const counts = `${countOf(requests, 'request')}, ${countOf(deliveries, 'delivery', 'deliveries')}`
  const facts = `${time} in ${(wall_ms / 1000).toFixed(1)} s; ${counts}; seed ${report.seed}`
  return [
    ...notes.map((note) => `note: ${note}`),
    paint.faint(facts),
    ...formatReliances(report, paint),
  ].join('\n')
}

/** What helps to understand the outcome. */
function notesOn({ command, passed }: ReplayReport): string[] {
  if (!command) return passed ? [] : ['no command was run, so nobody acted in the story; give one after --']
  const early = command.ended === 'by-itself' && !passed
  return [
    ...(command.passed ? command.notes : []),
    ...(early ? ['the command ended before the story was over; the rest of it happened without it'] : []),
  ]
}

function formatReliances({ reliances }: ReplayReport, paint: Paint): string[] {
  if (reliances.length === 0) return []
  const gaps = [...new Set(reliances.map(({ gap }) => gap))]
  return [paint.faint(`relied on ${gaps.join(', ')} (agent-mailbox-sim readings show <gap> explains)`)]
}

function countOf(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}
