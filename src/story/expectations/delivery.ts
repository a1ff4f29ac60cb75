import { checkOptions, checkText, type OptionNames } from '../../base/options.js'
import { z } from '../../base/schema.js'
import { counted, expectedOneOf, formatDuration } from '../../base/text.js'
import { type EventType, eventTypes } from '../../contract/resources.js'
import type { Masker } from '../../service/record/masker.js'
import { parseInstant } from '../../service/time/time.js'
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryStatus,
  deliveryStatuses,
} from '../../service/webhooks/delivery.js'
import { Counter } from './amount.js'
import type { Judge } from './judge.js'
import { amountKeys, amountOf, defineExpectationKind } from './kind.js'
import { type AsymmetricMatcher, describeExpected, formatDifference, type Match, match } from './match.js'
import { bodyOf } from './request.js'
import type { Moment, StoryWindow } from './time-window.js'
import type { Amount, JudgedMailbox, RunFacts, Tracker } from './tracker.js'

/** The expectation of deliveries. */
export const deliveryExpectations = defineExpectationKind({
  about: 'deliveries',
  keys: {
    delivery: z.enum(eventTypes).optional().describe('About deliveries of this event type.'),
    status: z.enum(deliveryStatuses).optional().describe('The status of the deliveries.'),
    url: z.string().optional().describe('The URL of the deliveries.'),
    ...amountKeys,
  },
  compile(written, { window }) {
    const { delivery, status = 'any', url } = written
    const expected: ExpectedDeliveries = {
      event: delivery as EventType,
      status,
      url,
      amount: amountOf(written),
      window,
    }
    return { amount: expected.amount, window, track: (facts) => trackDeliveries(expected, facts) }
  },
})

/** Expects a number of deliveries at the end. */
interface ExpectedDeliveries {
  readonly event: EventType
  readonly status: DeliveryStatus | 'any'
  readonly url: string | undefined
  readonly amount: Amount
  readonly window: StoryWindow
}

/** Selects deliveries of an event type. Omitted fields, apart from the status, match anything. */
export interface DeliveryMatch {
  /** The state of the delivery; `any` matches all. */
  readonly status?: DeliveryStatus | 'any'
  readonly url?: string | RegExp | AsymmetricMatcher
  /** The id of the subscription. */
  readonly webhook?: string
  /** The id of the message that the event is about. */
  readonly message?: string
  /** The id of that message's thread. */
  readonly thread?: string
  /** The handle of the agent the message belongs to. */
  readonly agent?: string
  /** The number of attempts that have ended. */
  readonly attempts?: number
  /** Fields of the JSON body that was sent. */
  readonly body?: Match
}

/** The names of the fields that select deliveries. */
const deliveryOptions: OptionNames<DeliveryMatch> = {
  status: 'public',
  url: 'public',
  webhook: 'public',
  message: 'public',
  thread: 'public',
  agent: 'public',
  attempts: 'public',
  body: 'public',
}

/** Refuses unknown events, fields and statuses: a misspelt one would never match. @throws TypeError */
export function checkDeliveryMatch(call: string, event: EventType, match: DeliveryMatch): void {
  if (!eventTypes.includes(event)) {
    throw new TypeError(`There is no event "${event}"${expectedOneOf(event, eventTypes, '.')}`)
  }
  checkOptions(call, match, deliveryOptions)
  const { status } = match
  if (status !== undefined) checkText(`${call}: status`, status, ['any', ...deliveryStatuses])
}

/** Matches the status of any delivery that has ended. */
const ended = {
  asymmetricMatch: (status: unknown) => status !== 'pending',
  toAsymmetricMatcher: () => 'any but "pending"',
}

/**
 * Creates the judge of the deliveries of an event. By default a delivery must have ended, with any result: no further
 * attempts will follow.
 */
export function deliveryJudge(
  mailbox: JudgedMailbox,
  event: EventType,
  wanted: DeliveryMatch,
): Judge<Delivery> {
  const { status = ended, url, webhook, message, thread, agent, attempts, body } = wanted
  const wantedUrl = typeof url === 'string' ? shownUrl(url, mailbox.masker.keys) : url
  const values = describeExpected({
    ...wanted,
    status: status === 'any' || status === ended ? undefined : status,
  })
  return {
    nouns: ['delivery', 'deliveries'],
    mayChange: true,
    expected: `of ${event}${values && ` with ${values}`}`,
    things: () => mailbox.deliveries.list({ event }),
    explainNone: () => explainNoDelivery(mailbox, event),
    compare(delivery) {
      const sent = delivery.attempts[0]?.request.body ?? null
      const ends = delivery.attempts.filter(({ duration_ms }) => duration_ms !== null)
      // Its status says less than any other field about which delivery it is.
      const weight = delivery.status === 'pending' ? 0.2 : 0.25
      const ofStatus = match(status === 'any' ? undefined : status, delivery.status, 'status')
      return [
        ...ofStatus.map((one) => ({ ...one, weight })),
        ...match(wantedUrl, delivery.url, 'url'),
        ...match(webhook, delivery.webhook_id, 'webhook'),
        ...match(message, delivery.message_id, 'message'),
        ...match(thread, delivery.thread_id, 'thread'),
        ...match(agent?.replace(/^@/, ''), delivery.agent_handle, 'agent'),
        ...match(attempts, ends.length, 'attempts'),
        ...match(body, bodyOf(sent), 'body'),
      ]
    },
    line: formatDelivery,
    differences(delivery, differing) {
      const hasOtherStatus = differing.some(({ name }) => name === 'status')
      return [...differing.map(formatDifference), ...(hasOtherStatus ? reasonsOf(delivery) : [])]
    },
    advice: (delivery) => describeNext(delivery, mailbox.clock),
  }
}

/**
 * Returns a URL in the form that deliveries have: normalized as in subscriptions, with its secrets masked.
 */
function shownUrl(url: string, masker: Masker): string {
  return masker.url(URL.canParse(url) ? new URL(url).href : url)
}

/**
 * Formats a delivery as a line: `message.received to http://agent.test/hook pending after 2 attempts,
 * response 500`.
 */
export function formatDelivery({ event, url, status, attempts }: Delivery): string {
  const last = attempts.at(-1)
  const line = `${event.type} to ${url} ${status}`
  if (!last) return line
  // The status already says that the last attempt was captured or blocked.
  const outcome = last.error?.code === status ? '' : `, ${outcomeOf(last)}`
  return outcome === '' && attempts.length === 1
    ? line
    : `${line} after ${counted(attempts.length, 'attempt')}${outcome}`
}

function outcomeOf({ response, error, duration_ms }: DeliveryAttempt): string {
  if (duration_ms === null) return 'no response yet'
  if (response && !error) return `response ${response.status}`
  return error?.code ?? 'no response'
}

/** Explains why a delivery has its status. */
function reasonsOf({ attempts, reason }: Delivery): string[] {
  return [...new Set([attempts.at(-1)?.error?.message, reason].flatMap((text) => text ?? []))]
}

/** Explains what the next attempt of a delivery waits for. */
function describeNext(delivery: Delivery, clock: JudgedMailbox['clock']): string[] {
  const { status, attempts, next_attempt_at: next } = delivery
  if (status !== 'pending') return []
  if (isInProgress(delivery)) {
    return [
      attempts.length > 0 ? 'Its receiver has not responded yet.' : 'Its first attempt is about to begin.',
    ]
  }
  const due = `Its next attempt is due at ${next}`
  if (clock.mode !== 'frozen') return [`${due}.`]
  const wait = Math.max(0, (parseInstant(next ?? '') ?? 0) - (parseInstant(clock.now()) ?? 0))
  const seconds = formatDuration(Math.ceil(wait / 1000) * 1000)
  return [`${due}, and the clock is frozen: advance it by ${seconds}.`]
}

/** Returns whether a delivery proceeds on its own, without an advance of the clock. */
export function isInProgress({ status, attempts, next_attempt_at }: Delivery): boolean {
  return status === 'pending' && (next_attempt_at === null || attempts.length === 0)
}

/** Explains why there is no delivery of an event. */
function explainNoDelivery({ id, events, webhooks }: JudgedMailbox, event: EventType): string {
  const happened = events.log.entries.filter((entry) => {
    return entry.type === 'event' && entry.event.type === event
  }).length
  if (happened === 0) return `No ${event} has happened in ${id}; ${cause[event]} causes one.`
  const scopes = webhooks.list({ everywhere: true }).flatMap(({ events, agent_handle }) => {
    return events.includes(event) && agent_handle ? [agent_handle] : []
  })
  const remedy =
    scopes.length === 0
      ? `webhooks.create({ url, events: ['${event}'] }) subscribes a URL`
      : `the subscriptions to it are scoped to ${[...new Set(scopes)].join(', ')}`
  return `${event} has happened ${times(happened)} in ${id}, but no subscription was notified; ${remedy}.`
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** The call that causes each event. */
const cause: Readonly<Record<EventType, string>> = {
  'message.received': 'mail.receive(…)',
  'message.delivered': 'mail.delivered(id)',
  'message.bounced': 'mail.bounced(id)',
}

/** A delivery in its latest state. */
interface ObservedDelivery {
  readonly delivery: Delivery
  /** The moment of its event. */
  readonly began: Moment
  /** The moment at which it got its current status. */
  readonly reached: Moment
}

/** Counts the deliveries of an event type by their last status. */
function trackDeliveries(expectation: ExpectedDeliveries, facts: RunFacts): Tracker {
  const { event, status, url } = expectation
  const judge = deliveryJudge(facts.mailbox, event, { status, ...(url !== undefined && { url }) })
  /** The deliveries so far, in the order of their events, by id. */
  const deliveries = new Map<string, ObservedDelivery>()
  let events = 0

  /** An effect of an entry is observed just before the entry is reported. */
  const counterOf = () => new Counter(judge, expectation, facts, { isCausedByTimeline: true })

  function countInto(counter: Counter<Delivery>): void {
    for (const { delivery, began, reached } of deliveries.values()) {
      // For an expected status, the time at which the delivery got it counts; otherwise the time of its event.
      counter.note({ thing: delivery, exchange: null, began }, status === 'any' ? began : reached)
    }
  }

  function describeFound(count: number): string {
    if (deliveries.size > 0) {
      const all = counted(deliveries.size, 'delivery', 'deliveries')
      return `${count} of ${all} of ${event}: ${countByStatus([...deliveries.values()])}`
    }
    const why =
      events === 0 ? 'it did not happen' : `it happened ${times(events)}, and no subscription was notified`
    return `no delivery of ${event}; ${why}`
  }

  return {
    expected: counterOf().expected,
    get matching() {
      const counter = counterOf()
      countInto(counter)
      return counter.matching
    },
    observe(observation) {
      if (observation.type === 'event' && observation.event === event) events++
      if (observation.type !== 'delivery' || observation.delivery.event.type !== event) return
      const { delivery, moment } = observation
      const before = deliveries.get(delivery.id)
      const began = before?.began ?? { at: parseInstant(delivery.event.at) ?? moment.at, seq: moment.seq }
      const reached = before?.delivery.status === delivery.status ? before.reached : moment
      deliveries.set(delivery.id, { delivery, began, reached })
    },
    evaluate(end) {
      const counter = counterOf()
      countInto(counter)
      return counter.evaluate(end, describeFound(counter.count))
    },
  }
}

/** Counts deliveries by status: `38 succeeded, 4 failed`. */
function countByStatus(deliveries: readonly ObservedDelivery[]): string {
  const counts = deliveryStatuses.map((status) => {
    return [deliveries.filter(({ delivery }) => delivery.status === status).length, status] as const
  })
  return counts.flatMap(([count, status]) => (count > 0 ? `${count} ${status}` : [])).join(', ')
}
