import { formatInstant, parseDuration, parseInstant } from '../../world/index.js'
import type { ScenarioPath } from '../building/building.js'
import type { ScenarioThread } from '../format/index.js'
import type { ProblemAt } from '../problems/refusal.js'
import type { Check } from './story.js'
import { allIdentities } from './story-names.js'

/** Messages that come before the one they follow, or after the story has begun. */
export const checkMessageTimes: Check = function* ({ scenario, start }) {
  for (const { identity, path } of allIdentities(scenario)) {
    for (const [index, thread] of identity.threads.entries()) {
      yield* checkThread(thread, start, [...path, 'threads', index, 'messages'])
    }
  }
}

function* checkThread({ messages }: ScenarioThread, start: number, path: ScenarioPath): Iterable<ProblemAt> {
  let above: { readonly at: string | undefined; readonly instant: number } | undefined
  for (const [index, { at, eml, maildir }] of messages.entries()) {
    // What files say of their time is not known here.
    if (at === undefined && (eml ?? maildir) !== undefined) continue
    const instant = at === undefined ? start : (instantOf(at, start) ?? start)
    const message = at === undefined ? undefined : wrongTime({ at, instant, above, start })
    if (message !== undefined) yield { path: [...path, index, 'at'], message }
    above = { at, instant }
  }
}

interface TimeInThread {
  readonly at: string
  readonly instant: number
  /** The time of the message above, where that is known. */
  readonly above: { readonly at: string | undefined; readonly instant: number } | undefined
  readonly start: number
}

function wrongTime({ at, instant, above, start }: TimeInThread): string | undefined {
  if (!isWritable(instant)) return beyond
  if (instant > start) return afterStart(at, start)
  if (!above || instant >= above.instant) return undefined
  const when =
    above.at === undefined
      ? 'which has no "at" and so comes at the start'
      : `at ${timeText(above.at, above.instant)}`
  return `${timeText(at, instant)} is before the message above it, ${when}; messages stand oldest first`
}

function afterStart(at: string, start: number): string {
  const isDuration = parseDuration(at) !== undefined
  const begins = isDuration ? '' : `, ${formatInstant(start, 'seconds')}`
  const hint = isDuration ? ` (did you mean "-${at}"?)` : ''
  return `${at} is after the start of the story${begins}${hint}; what happens later belongs into the timeline`
}

/** Times that no calendar of four digits for the year has. */
export const checkCalendar: Check = function* ({ scenario, start, occurrences }) {
  for (const { identity, path } of allIdentities(scenario)) {
    yield* checkMoment(identity.created_at, start, [...path, 'created_at'])
    const over = identity.generate && `-${identity.generate.over}`
    yield* checkMoment(over, start, [...path, 'generate', 'over'])
  }
  const households = [
    { webhooks: scenario.webhooks, path: [] },
    ...scenario.organizations.map(({ webhooks }, index) => ({ webhooks, path: ['organizations', index] })),
  ]
  for (const { webhooks, path } of households) {
    for (const [index, webhook] of webhooks.entries()) {
      yield* checkMoment(webhook.created_at, start, [...path, 'webhooks', index, 'created_at'])
    }
  }
  for (const { entry, offset, path } of occurrences) {
    const { times = 1, every = '0s' } = entry.repeat ?? {}
    const last = offset + (times - 1) * (parseDuration(every) ?? 0)
    if (!isWritable(start + offset)) yield { path: [...path, entry.at ? 'at' : 'after'], message: beyond }
    else if (!isWritable(start + last)) yield { path: [...path, 'repeat'], message: beyond }
  }
}

function* checkMoment(moment: string | undefined, start: number, path: ScenarioPath): Iterable<ProblemAt> {
  const instant = moment === undefined ? undefined : instantOf(moment, start)
  if (instant !== undefined && !isWritable(instant)) yield { path, message: beyond }
}

const beyond = 'is not within the years 1 to 9999'
const firstInstant = parseInstant('0001-01-01') as number
const lastInstant = parseInstant('9999-12-31T23:59:59.999Z') as number

function isWritable(instant: number): boolean {
  return instant >= firstInstant && instant <= lastInstant
}

function instantOf(moment: string, start: number): number | undefined {
  const duration = parseDuration(moment)
  return duration === undefined ? parseInstant(moment) : start + duration
}

/** A time as it is written, with the instant it stands for. */
function timeText(at: string, instant: number): string {
  const text = formatInstant(instant, 'seconds')
  return parseDuration(at) === undefined ? text : `${at} (${text})`
}
