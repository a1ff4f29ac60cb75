import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { capitalized, counted, formatBytes, formatCommand, truncate } from '../../base/text.js'
import type { ExpectationResult } from '../../story/expectations/kinds.js'
import { describeWait } from '../pace/asked-wait.js'
import { describePace } from '../pace/describe-pace.js'
import { formatReport } from '../reports/format-report.js'
import type { JunitCase } from '../reports/junit.js'
import { type Detail, type Finding, formatSeconds, formatSpan, type Report } from '../reports/report.js'
import { makeFolder, writeFileWhole } from '../reports/write-file.js'
import { wasPlayed } from '../verdicts.js'
import { noRequest } from './cause.js'
import {
  describeFailed,
  failedEntries,
  failedExpectations,
  judgedExpectations,
  type ReplayReport,
} from './outcome.js'

/** Prepares the report of a replay for the reporters. */
export function replayReport(report: ReplayReport): Report {
  const { command, passed } = report
  const findings = findingsOf(report)
  return {
    document: report,
    passed,
    isEmpty: report.not_judged === 'nothing-checked',
    silences: silencesOf(report),
    headline: `${truncate(headlineOf(report).replace(/\s+/g, ' '), lineLength)}${unansweredOf(report)}`,
    paragraphs: hasOwnCause(report) ? [`Cause: ${report.cause}`] : [],
    findings,
    ...(command?.output && {
      output: { title: `The last lines of ${formatCommand(command.command)}`, text: command.output },
    }),
    notes: notesOf(report),
    facts: factsOf(report),
    suites: [
      {
        name: report.scenario,
        package: 'agent-mailbox-sim.replay',
        seconds: report.wall_ms / 1000,
        properties: propertiesOf(report),
        cases: casesOf(findings, report),
        output: [command?.output ?? '', ...report.hints.map((hint) => `hint: ${hint}`)]
          .filter(Boolean)
          .join('\n'),
      },
    ],
  }
}

/** The maximum number of characters of the first line, and of what failed first where a cause follows. */
const [lineLength, failureLength] = [150, 60]

/** Returns the outcome in a line that a phone can show: `refund-request failed: 2 of 6 expectations; Ann is answered: …`. */
function headlineOf(report: ReplayReport): string {
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

/** Says that an agent which could not be observed may have been about to do something when its story went on. */
function unansweredOf({ pace }: ReplayReport): string {
  if (!pace?.unanswered) return ''
  return '; the agent could not be observed, and something was unanswered when --patience ended'
}

/** Returns whether something was expected of a command that sent no request, and did not pass. */
function isSilent(report: ReplayReport): boolean {
  const { passed, command, requests, interrupted, verdicts, not_judged } = report
  if (passed || interrupted || !command || !wasPlayed(report.command) || requests > 0) return false
  return verdicts.length > 0 || not_judged === 'nothing-checked'
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
  const { verdicts, command, waiting, runaway } = report
  const failed = failedExpectations(report).length
  const entries = failedEntries(report).length
  const open = waiting?.not_judged.length ?? 0
  return enumerate([
    ...(open > 0 ? [`${counted(open, 'expectation')} could not be judged`] : []),
    ...(failed > 0 ? [`${failed} of ${counted(verdicts.length, 'expectation')}`] : []),
    ...(command?.passed === false ? ['the command'] : []),
    ...(entries > 0 ? [`${counted(entries, 'entry', 'entries')} of the timeline`] : []),
    ...(runaway === null ? [] : ['too many messages']),
  ])
}

function enumerate(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

/** Returns the findings in order: what the story could not do, expectations, command, and mail beyond the bound. */
function findingsOf(report: ReplayReport): Finding[] {
  return [
    ...ofSilence(report),
    ...ofTimeline(report),
    // The results say nothing about an agent that never started.
    ...(wasPlayed(report.command)
      ? judgedExpectations(report).map((result) => ofExpectation(result, report))
      : []),
    ...ofWait(report),
    ...ofCommand(report),
    ...ofRunaway(report),
  ]
}

function ofSilence(report: ReplayReport): Finding[] {
  if (!isSilent(report)) return []
  const address =
    'The command finds the service at MAILBOX_BASE_URL; --env MAIL_URL={base_url} gives it the address under another name.'
  const title = `${capitalized(noRequest)}.`
  return [{ kind: 'silence', title, passed: false, why: '', details: [['advice', address]] }]
}

function ofExpectation(result: ExpectationResult, { started_at }: ReplayReport): Finding {
  const { index: expectation, kind, describe, passed, expected, found, nearest } = result
  const different = nearest?.differences.map((line) => line.replace(/expected .*, found /s, '')).join(', ')
  const details: Detail[] = [['expected', expected]]
  // Unless the lines below say exactly that.
  if (found !== different) details.push(['found', found])
  if (nearest) {
    const number = nearest.exchange === null ? '' : `exchange ${nearest.exchange}, `
    const when = `${number}${formatSpan(started_at, nearest.at)} into the story`
    details.push([nearest.surplus ? 'too many' : 'nearest', `${nearest.line} (${when})`])
    details.push(...nearest.differences.map((line): Detail => ['', line]))
  }
  if (passed) return { kind, title: describe, passed, why: '', details: [] }
  return {
    kind,
    title: describe,
    passed,
    why: `found ${found}`,
    details,
    expectation,
    exchange: nearest?.exchange ?? undefined,
  }
}

function ofWait({ waiting, verdicts }: ReplayReport): Finding[] {
  if (!waiting) return []
  const open = verdicts.filter(({ index }) => waiting.not_judged.includes(index))
  const details: Detail[] = [
    ...open.map(({ describe }, index): Detail => [index === 0 ? 'open' : '', describe]),
    [
      'advice',
      'Play it with a slower --clock or a longer --grace, or let the agent advance MAILBOX_SIM_URL/clock while it waits.',
    ],
  ]
  return [
    { kind: 'waiting', title: `The agent was ${describeWait(waiting)}.`, passed: false, why: '', details },
  ]
}

function ofCommand({ command }: ReplayReport): Finding[] {
  if (!command) return []
  const { passed, problem, ended, notes } = command
  const stops: Partial<Record<typeof ended, string>> = {
    'story-over': 'ran until the story ended',
    interrupted: 'ran until the replay was interrupted',
  }
  const how = stops[ended] ?? problem ?? 'exited with status 0'
  const title = ended === 'not-started' ? how : `${formatCommand(command.command)} ${how}`
  const details = passed ? [] : notes.map((note): Detail => ['note', note])
  return [{ kind: 'command', title, passed, why: '', details }]
}

function ofTimeline(report: ReplayReport): Finding[] {
  return failedEntries(report).map(({ name, at, problem }) => {
    const when = formatSpan(report.started_at, at)
    const title = `The story could not be played as written, ${when} into it: ${name}`
    const why = problem ?? ''
    return { kind: 'timeline', title, passed: false, why, details: [['problem', why]] }
  })
}

/** Says what was not judged: entries that never happened, rules that nothing tested, and what could not be observed. */
function silencesOf({ timeline, interrupted, verdicts, pace }: ReplayReport): string[] {
  const never = timeline.never.map(({ name, why }) => `The entry ${name} never happened: ${why}.`)
  const unjudged = verdicts.flatMap(({ describe, unjudged }) => {
    return unjudged === undefined ? [] : [`Not judged: ${describe.replace(/\.$/, '')}, since ${unjudged}.`]
  })
  return [...(interrupted ? [] : never), ...unjudged, ...(pace?.notes ?? []).map(asSentence)]
}

function asSentence(note: string): string {
  return `${capitalized(note).replace(/\.$/, '')}.`
}

function ofRunaway({ runaway: title }: ReplayReport): Finding[] {
  return title === null ? [] : [{ kind: 'runaway', title, passed: false, why: '', details: [] }]
}

/** The maximum number of hints in a report for people. */
const maxHints = 5

function notesOf({ command, passed, interrupted, hints, broken_rules }: ReplayReport): string[] {
  const more = hints.length - maxHints
  const cut = [
    ...hints.slice(0, maxHints),
    ...(more > 0 ? [`${counted(more, 'other hint')}; --reporter json lists them`] : []),
    ...(interrupted ? ['the replay was interrupted; the results are as of that moment'] : []),
    ...broken_rules.map(({ invariant, found, exchange }) => {
      const where = exchange === null ? '' : ` (request ${exchange})`
      return `it broke a rule that the story does not name, ${invariant}: ${found}${where}`
    }),
  ]
  if (!command) {
    return passed || interrupted
      ? cut
      : ['no command was run, so no agent took part in the story; give one after --']
  }
  const isEarly = command.ended === 'by-itself' && !passed && !interrupted
  return [
    ...cut,
    ...(command.passed ? command.notes : []),
    ...(isEarly
      ? [
          command.start === undefined
            ? 'the command ended before the story did; the rest of the story was played without it'
            : `start ${command.start} of the command ended before the story did; another one went on`,
        ]
      : []),
  ]
}

function factsOf(report: ReplayReport): string[] {
  const { started_at, ended_at, requests, served, deliveries, clock, wall_ms, seed, reliances } = report
  const time = `${formatSpan(started_at, ended_at)} of story${clock === 'frozen' ? '' : ` at ${clock}`}`
  const counts = `${counted(requests, 'request')}, ${counted(deliveries, 'delivery', 'deliveries')}`
  const gaps = new Set(reliances.map(({ gap }) => gap))
  const [several, tried] = gaps.size === 1 ? ['gap', 'its'] : ['gaps', 'their']
  const depended = `responses depended on ${gaps.size} ${several} of the interface; \`check\` tries ${tried} other assumptions, --reporter json lists them`
  return [
    `${time} in ${formatSeconds(wall_ms)}; ${counts}; seed ${seed}`,
    ...(served.responses === 0 ? [] : [describeServed(served)]),
    ...startsOf(report),
    ...(report.pace && report.command ? [`agent ${describePace(report.pace)}`] : []),
    ...(gaps.size === 0 ? [] : [depended]),
  ]
}

/** The most starts in a report for people. */
const maxStarts = 8

/** Says what each start of the agent did: `start 2 from 1m30s: 4 requests, killed at 2m10s`. */
function startsOf({ starts = [], started_at }: ReplayReport): string[] {
  const lines = starts.slice(0, maxStarts).map(({ start, at, ended_at, ended, problem, requests }) => {
    const [from, until] = [at, ended_at].map((instant) => formatSpan(started_at, instant))
    const how = problem ?? startEnds[ended] ?? ended
    return `start ${start} from ${from}: ${counted(requests, 'request')}, ${how} at ${until}`
  })
  const more = starts.length - lines.length
  return more > 0 ? [...lines, `${counted(more, 'other start')}; --reporter json lists them`] : lines
}

const startEnds: Partial<Record<NonNullable<ReplayReport['starts']>[number]['ended'], string>> = {
  'by-itself': 'exited with status 0',
  'story-over': 'ran until the story ended',
  interrupted: 'ran until the replay was interrupted',
}

/** Formats `served 48.2 kB, about 12,050 tokens, 3 messages more than once`. */
function describeServed({ bytes, tokens, repeated }: ReplayReport['served']): string {
  const again = repeated === 0 ? '' : `, ${counted(repeated, 'message')} more than once`
  return `served ${formatBytes(bytes)}, about ${tokens.toLocaleString('en-US')} tokens${again}`
}

function propertiesOf(report: ReplayReport): Record<string, string> {
  const { seed, clock, started_at, ended_at, requests, deliveries, assumptions } = report
  return {
    seed: String(seed),
    clock,
    'story.started_at': started_at,
    'story.ended_at': ended_at,
    requests: String(requests),
    deliveries: String(deliveries),
    ...Object.fromEntries(
      Object.entries(assumptions).map(([gap, assumption]) => [`assumption.${gap}`, assumption]),
    ),
  }
}

/**
 * Names of test cases, which are the same whether they pass or not, since a case with another name would be a
 * different one.
 */
const caseNames: Readonly<Record<string, string>> = {
  silence: `${capitalized(noRequest)}.`,
  command: 'The command succeeds.',
  timeline: 'The story happened as written.',
}

function casesOf(findings: readonly Finding[], report: ReplayReport): JunitCase[] {
  const isTimelineFine = wasPlayed(report.command) && !findings.some(({ kind }) => kind === 'timeline')
  const timeline = { kind: 'timeline', title: '', passed: true, why: '', details: [] }
  const all = isTimelineFine ? [...findings, timeline] : findings
  const first = all.find(({ passed }) => !passed)
  return all.map((finding) => {
    const { kind, title, passed, why, details } = finding
    const said = why === '' ? title : why
    const lines = [title, ...details.map(([label, line]) => `${label.padEnd(8)}  ${line}`)]
    const isError =
      kind === 'waiting' || kind === 'silence' || (kind === 'command' && !wasPlayed(report.command))
    const problem = {
      is: isError ? ('error' as const) : ('failure' as const),
      type: kind,
      // What explains the failure is where every tool shows it first.
      message: finding === first ? (report.cause ?? said) : said,
      text: lines.join('\n'),
    }
    return {
      name: caseNames[kind] ?? title,
      className: `${report.scenario}.${kind}`,
      seconds: kind === 'command' ? report.wall_ms / 1000 : 0,
      problem: passed ? null : problem,
    }
  })
}

/** Prepares a folder for the results of a replay; returns the file in it that reliances are appended to. */
export async function prepareResults(folder: string): Promise<string> {
  await makeFolder(folder)
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
