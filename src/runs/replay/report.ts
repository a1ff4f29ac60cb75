import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '../../base/create-folder.js'
import { capitalized, counted, formatBytes, formatCommand, truncate } from '../../base/text.js'
import type { ExpectationResult } from '../../story/expectations/kinds.js'
import { describePace } from '../pace/pace.js'
import { formatReport } from '../reports/format-report.js'
import { type Detail, type Finding, formatSeconds, formatSpan, type Report } from '../reports/report.js'
import { writeFileWhole } from '../reports/write-file.js'
import { wasPlayed } from '../verdicts.js'
import { describeFailed, failedEntries, failedExpectations, type ReplayReport } from './outcome.js'

/** Prepares the report of a replay for the printers. */
export function replayReport(report: ReplayReport): Report {
  const { scenario, passed, command, cause, not_judged, wall_ms } = report
  return {
    document: report,
    name: scenario,
    passed,
    isEmpty: not_judged === 'nothing-checked',
    headline: headlineOf(report),
    paragraphs: [...(hasOwnCause(report) ? [`Cause: ${cause}`] : []), ...silencesOf(report)],
    findings: findingsOf(report),
    output: command?.output
      ? { title: `The last lines of ${formatCommand(command.command)}`, text: command.output }
      : undefined,
    notes: notesOf(report),
    facts: factsOf(report),
    wallMs: wall_ms,
  }
}

/** The maximum number of characters of the first line, and of what failed first where a cause follows. */
const [lineLength, failureLength] = [150, 60]

/**
 * Returns the outcome in a line that a phone can show: `refund-request failed: 2 of 6 expectations; Ann is answered: …`. It says if
 * an agent that could not be observed may have been about to do something when its story went on.
 */
function headlineOf(report: ReplayReport): string {
  const note = report.pace?.unanswered ? '; something was unanswered when --patience ended' : ''
  return truncate(outcomeOf(report).replace(/\s+/g, ' '), lineLength - note.length) + note
}

function outcomeOf(report: ReplayReport): string {
  const { scenario, passed, interrupted, verdicts, command, not_judged, cause } = report
  if (interrupted) return `${scenario} was ${describeInterruption(report)}`
  if (!wasPlayed(command)) return `${scenario} failed: ${cause ?? 'the command could not be started'}`
  if (not_judged === 'nothing-checked') return `Nothing was checked: ${whyNothing(report)}`
  if (!passed) {
    const [failed] = failedExpectations(report).map(describeFailed)
    const known = hasOwnCause(report) ? [truncate(failed ?? '', failureLength), cause] : [failed ?? cause]
    return [`${scenario} failed: ${describeProblems(report)}`, ...known].filter(Boolean).join('; ')
  }
  if (verdicts.length === 0)
    return `${scenario} passed: it has no expectations${command ? ', and the command succeeded' : ''}`
  return `${scenario} passed: ${formatAllHold(verdicts.length)}`
}

/** Returns whether something else is known of why a run failed than its first expectation that did. */
function hasOwnCause(report: ReplayReport): boolean {
  const [failed] = failedExpectations(report)
  return report.cause !== null && (!failed || report.cause !== describeFailed(failed))
}

function whyNothing({ scenario, verdicts }: ReplayReport): string {
  if (verdicts.length === 0) return `${scenario} has no expectations, and no request reached MAILBOX_BASE_URL`
  return `${formatAllHold(verdicts.length)} without an agent`
}

function formatAllHold(count: number): string {
  return count === 1 ? 'its expectation holds' : `all ${count} expectations hold`
}

function describeInterruption(report: ReplayReport): string {
  const { started_at, ended_at, pace } = report
  const busy = pace?.working === undefined ? '' : `, while the agent was busy: ${pace.working}`
  const when = `interrupted ${formatSpan(started_at, ended_at)} into the story${busy}`
  const problems = describeProblems(report)
  return problems === '' ? when : `${when}; failed so far: ${problems}`
}

/** Describes what failed: `2 of 6 expectations and the command`. */
export function describeProblems(report: ReplayReport): string {
  const { verdicts, command, runaway } = report
  const failed = failedExpectations(report).length
  const entries = failedEntries(report).length
  return [
    ...(failed > 0 ? [`${failed} of ${counted(verdicts.length, 'expectation')}`] : []),
    ...(command?.passed === false ? ['the command'] : []),
    ...(entries > 0 ? [`${counted(entries, 'entry', 'entries')} of the timeline`] : []),
    ...(runaway === null ? [] : ['too many messages']),
  ].join(' and ')
}

/** Returns the findings in order: what the story could not do, expectations, command, and mail beyond the bound. */
function findingsOf(report: ReplayReport): Finding[] {
  const { started_at, verdicts, command, runaway } = report
  const failed = (kind: string, title: string, details: readonly Detail[]): Finding => {
    return { kind, title, passed: false, details }
  }
  return [
    ...failedEntries(report).map(({ name, at, problem }) => {
      const when = formatSpan(started_at, at)
      const title = `The story could not be played as written, ${when} into it: ${name}`
      return failed('timeline', title, [['problem', problem ?? '']])
    }),
    ...verdicts.map((result) => ofExpectation(result, started_at)),
    ...(command ? [ofCommand(command)] : []),
    ...(runaway === null ? [] : [failed('runaway', runaway, [])]),
  ]
}

function ofExpectation(result: ExpectationResult, start: string): Finding {
  const { index: expectation, kind, describe, passed, expected, found, nearest } = result
  if (passed) return { kind, title: describe, passed, details: [] }
  const details: Detail[] = [
    ['expected', expected],
    ['found', found],
  ]
  if (nearest) {
    const { exchange, line } = nearest
    const number = exchange === null || line.endsWith(`request ${exchange})`) ? '' : `request ${exchange}, `
    const when = `${number}${formatSpan(start, nearest.at)} into the story`
    details.push([nearest.surplus ? 'too many' : 'nearest', `${line} (${when})`])
    details.push(...nearest.differences.map((line): Detail => ['', line]))
  }
  const exchange = nearest?.exchange ?? undefined
  return { kind, title: describe, passed, details, expectation, exchange }
}

const ends: Readonly<Record<string, string>> = {
  'by-itself': 'exited with status 0',
  'story-over': 'ran until the story ended',
  interrupted: 'ran until the replay was interrupted',
}

function ofCommand(command: NonNullable<ReplayReport['command']>): Finding {
  const { passed, problem, ended, notes } = command
  const how = problem ?? ends[ended] ?? ended
  return {
    kind: 'command',
    title: ended === 'not-started' ? how : `${formatCommand(command.command)} ${how}`,
    name: 'The command succeeds.',
    passed,
    details: passed ? [] : notes.map((note): Detail => ['note', note]),
  }
}

/** Says what was not judged: entries that never happened, rules that nothing tested, and what could not be observed. */
function silencesOf({ timeline, interrupted, verdicts, pace }: ReplayReport): string[] {
  const never = timeline.never.map(({ name, why }) => `The entry ${name} never happened: ${why}.`)
  const unjudged = verdicts.flatMap(({ describe, unjudged }) => {
    return unjudged === undefined ? [] : [`Not judged: ${describe.replace(/\.$/, '')}, since ${unjudged}.`]
  })
  const unseen = (pace?.notes ?? []).map((note) => `${capitalized(note).replace(/\.$/, '')}.`)
  return [...(interrupted ? [] : never), ...unjudged, ...unseen]
}

/** The maximum number of hints in a report for people. */
const maxHints = 5

function notesOf(report: ReplayReport): string[] {
  const { command, passed, interrupted, hints, broken_rules, requests, starts = [] } = report
  const isOver = !passed && !interrupted
  const notes = [
    ...hints.slice(0, maxHints),
    ...(interrupted ? ['the replay was interrupted; the results are as of that moment'] : []),
    ...broken_rules.map(({ invariant, found, exchange }) => {
      const where = exchange === null ? '' : ` (request ${exchange})`
      return `it broke a rule that the story does not name, ${invariant}: ${found}${where}`
    }),
  ]
  if (!command) {
    return isOver
      ? [...notes, 'no command was run, so no agent took part in the story; give one after --']
      : notes
  }
  if (command.passed) notes.push(...command.notes)
  if (isOver && requests === 0 && wasPlayed(command)) {
    notes.push(
      'the command finds the service at MAILBOX_BASE_URL; --env MAIL_URL={base_url} gives it the address under another name',
    )
  }
  // Of several starts, there is a line about each.
  if (isOver && command.ended === 'by-itself' && starts.length < 2) {
    notes.push('the command ended before the story did; the rest of the story was played without it')
  }
  return notes
}

/** The most starts in a report for people. */
const maxStarts = 8

function factsOf(report: ReplayReport): string[] {
  const { started_at, ended_at, requests, served, deliveries, clock, wall_ms, seed, reliances } = report
  const { starts = [], pace, command } = report
  const into = (instant: string): string => formatSpan(started_at, instant)
  const time = `${into(ended_at)} of story${clock === 'frozen' ? '' : ` at ${clock}`}`
  const counts = `${counted(requests, 'request')}, ${counted(deliveries, 'delivery', 'deliveries')}`
  const again = served.repeated === 0 ? '' : `, ${counted(served.repeated, 'message')} more than once`
  const tokens = served.tokens.toLocaleString('en-US')
  const gaps = new Set(reliances.map(({ gap }) => gap)).size
  return [
    `${time} in ${formatSeconds(wall_ms)}; ${counts}; seed ${seed}`,
    ...(served.responses === 0
      ? []
      : [`served ${formatBytes(served.bytes)}, about ${tokens} tokens${again}`]),
    ...starts.slice(0, maxStarts).map(({ start, at, ended_at: end, ended, problem, requests: own }) => {
      const how = problem ?? ends[ended] ?? ended
      return `start ${start} from ${into(at)}: ${counted(own, 'request')}, ${how} at ${into(end)}`
    }),
    ...(pace && command ? [`agent ${describePace(pace)}`] : []),
    ...(gaps === 0
      ? []
      : [
          `responses depended on ${counted(gaps, 'gap')} of the interface; \`check\` tries other assumptions`,
        ]),
  ]
}

/** Prepares a folder for the results of a replay; returns the file in it that reliances are appended to. */
export async function prepareResults(folder: string): Promise<string> {
  await createFolder(folder)
  const trace = join(folder, 'reliances.jsonl')
  await writeFile(trace, '')
  return trace
}

/** Writes `report.json`, `report.xml` and `report.html` into a folder, next to the reliances. */
export async function writeResults(folder: string, report: Report): Promise<void> {
  await writeFileWhole(join(folder, 'report.json'), formatReport('json', report))
  await writeFileWhole(join(folder, 'report.xml'), formatReport('junit', report))
  await writeFileWhole(join(folder, 'report.html'), formatReport('html', report))
}
