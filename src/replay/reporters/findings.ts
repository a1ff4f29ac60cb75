import { failedEntries, type ReplayReport, wasPlayed } from '../report.js'
import { formatSpan } from '../story-time.js'
import type { TapeOutcome } from '../tape/comparison.js'
import type { TapedRequest } from '../tape/tape.js'
import type { Verdict } from '../verdict.js'

/** One thing a report has to say: that something is as it should be, or is not. */
export interface Finding {
  /** What it is about: an expectation's kind, or `command`, `timeline`, `tape`. */
  readonly kind: string
  /** What must be so, in a sentence; for what is not about an expectation, what is wrong. */
  readonly title: string
  readonly passed: boolean
  /** Why it did not pass, in a line; empty where it did, or where the title says it. */
  readonly why: string
  /** What there is to tell of it where it did not pass: a name and what is under it, line by line. */
  readonly details: readonly (readonly [name: string, text: string])[]
}

/** All a report has to say, in its order: the expectations, the command, the timeline, the tape. */
export function findingsOf(report: ReplayReport): Finding[] {
  return [
    // What an agent did that never began says nothing of it.
    ...(wasPlayed(report) ? report.verdicts.map((verdict) => ofVerdict(verdict, report)) : []),
    ...ofCommand(report),
    ...ofTimeline(report),
    ...(report.tape ? [ofTape(report.tape)] : []),
  ]
}

/** A command in a line, as a shell would take it. */
export function formatCommand(command: readonly string[]): string {
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}

function ofVerdict(verdict: Verdict, { started_at }: ReplayReport): Finding {
  const { kind, describe, passed, expected, found, nearest } = verdict
  const details: [string, string][] = [
    ['expected', expected],
    ['found', found],
  ]
  if (nearest) {
    const number = nearest.exchange === null ? '' : `exchange ${nearest.exchange}, `
    details.push([
      'nearest',
      `${nearest.line} (${number}${formatSpan(started_at, nearest.at)} into the story)`,
    ])
    details.push(...nearest.differences.map((line): [string, string] => ['', line]))
  }
  return {
    kind,
    title: describe,
    passed,
    why: passed ? '' : `found ${found}`,
    details: passed ? [] : details,
  }
}

function ofCommand({ command }: ReplayReport): Finding[] {
  if (!command) return []
  const { passed, problem, ended, notes } = command
  const how = ended === 'story-over' ? 'ran until the story was over' : (problem ?? 'ended with status 0')
  const title = ended === 'not-started' ? how : `${formatCommand(command.command)} ${how}`
  const details = passed ? [] : notes.map((note): [string, string] => ['note', note])
  return [{ kind: 'command', title, passed, why: '', details }]
}

function ofTimeline(report: ReplayReport): Finding[] {
  return failedEntries(report).map(({ name, at, problem }) => {
    const when = formatSpan(report.started_at, at)
    const title = `The story could not go on as written, ${when} into it: ${name}`
    return {
      kind: 'timeline',
      title,
      passed: false,
      why: problem ?? '',
      details: [['problem', problem ?? '']],
    }
  })
}

function ofTape({ file, same, difference }: TapeOutcome): Finding {
  if (!difference) {
    return { kind: 'tape', title: `The requests are those of ${file}.`, passed: same, why: '', details: [] }
  }
  const { line, request, expected, found, differences } = difference
  const where = request === null ? 'at the end of the run' : `at request ${request}`
  return {
    kind: 'tape',
    title: `The requests first differ from ${file}:${line} ${where}.`,
    passed: false,
    why: differences[0] ?? '',
    details: [
      ['expected', expected ? formatRequest(expected) : 'no more request'],
      ['found', found ? formatRequest(found) : 'no more request'],
      ...differences.map((text): [string, string] => ['', text]),
    ],
  }
}

/** A request of a tape in a line. */
export function formatRequest({ method, path, query, body }: TapedRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
  const text = body === null ? '' : ` ${JSON.stringify(body)}`
  return `${method} ${path}${search}${text.length > 200 ? `${text.slice(0, 200)}…` : text}`
}
