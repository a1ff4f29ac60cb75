import { checkKnown, checkOptions, checkText, type OptionNames } from '../../base/options.js'
import { z } from '../../base/schema.js'
import { formatDuration } from '../../base/text.js'
import { type EventType, eventTypes } from '../../contract/resources.js'
import type { Masker } from '../../service/record/masker.js'
import { parseInstant } from '../../service/time/time.js'
import { type Delivery, type DeliveryStatus, deliveryStatuses } from '../../service/webhooks/delivery.js'
import { Counter, type Judge } from './amount.js'
import { describeDelivery } from './exchanges.js'
import { amountKeys, amountOf, defineExpectationKind } from './kind.js'
import {
  type AsymmetricMatcher,
  describeExpected,
  formatDifference,
  type Match,
  matchFields,
} from './match.js'
import { bodyOf } from './request.js'
import { type Moment, type StoryWindow, wholePlay } from './time-window.js'
import type { Amount, Compiled, JudgedMailbox, RunFacts, Tracker } from './tracker.js'

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
    const { delivery, status = 'any' as const, url } = written
    const match = { status, ...(url !== undefined && { url }) }
    return expectDeliveries(delivery as EventType, match, amountOf(written), window)
  },
})

/** Returns the expectation of a number of deliveries of an event. */
export function expectDeliveries(
  event: EventType,
  match: DeliveryMatch,
  amount: Amount,
  window = wholePlay,
): Compiled {
  return { amount, window, track: (facts) => trackDeliveries({ event, match, amount, window }, facts) }
}

/** Expects a number of deliveries at the end. */
interface ExpectedDeliveries {
  readonly event: EventType
  readonly match: DeliveryMatch
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
  checkKnown('event', [event], eventTypes)
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
function deliveryJudge(mailbox: JudgedMailbox, event: EventType, wanted: DeliveryMatch): Judge<Delivery> {
  const { status = ended, url, agent } = wanted
  const expected = {
    ...wanted,
    status: status === 'any' ? undefined : status,
    url: typeof url === 'string' ? shownUrl(url, mailbox.masker.keys) : url,
    agent: agent?.replace(/^@/, ''),
  }
  const values = describeExpected({ ...wanted, status: wanted.status === 'any' ? undefined : wanted.status })
  return {
    nouns: ['delivery', 'deliveries'],
    mayChange: true,
    expected: `of ${event}${values && ` with ${values}`}`,
    compare(delivery) {
      const found = {
        ...{ status: delivery.status, url: delivery.url, webhook: delivery.webhook_id },
        ...{ message: delivery.message_id, thread: delivery.thread_id, agent: delivery.agent_handle },
        attempts: delivery.attempts.filter(({ duration_ms }) => duration_ms !== null).length,
        body: bodyOf(delivery.attempts[0]?.request.body ?? null),
      }
      // Its status says less than any other field about which delivery it is.
      return matchFields(expected, found, { status: delivery.status === 'pending' ? 0.2 : 0.25 })
    },
    line: describeDelivery,
    differences(delivery, differing) {
      const hasOtherStatus = differing.some(({ name }) => name === 'status')
      const next = hasOtherStatus ? describeNext(delivery, mailbox.clock) : []
      return [...differing.map(formatDifference), ...next]
    },
  }
}

/**
 * Returns a URL in the form that deliveries have: normalized as in subscriptions, with its secrets masked.
 */
function shownUrl(url: string, masker: Masker): string {
  return masker.url(URL.canParse(url) ? new URL(url).href : url)
}

/** Says by how much a frozen clock has to be advanced for the next attempt of a delivery. */
function describeNext({ status, next_attempt_at: next }: Delivery, clock: JudgedMailbox['clock']): string[] {
  if (status !== 'pending' || next === null || clock.mode !== 'frozen') return []
  const wait = Math.max(0, (parseInstant(next) ?? 0) - (parseInstant(clock.now()) ?? 0))
  const seconds = formatDuration(Math.ceil(wait / 1000) * 1000)
  return [`Its next attempt is due at ${next}, and the clock is frozen: advance it by ${seconds}.`]
}

/** Counts the deliveries of an event type by their last status. */
function trackDeliveries(expectation: ExpectedDeliveries, facts: RunFacts): Tracker {
  const { event, match } = expectation
  const judge = deliveryJudge(facts.mailbox, event, match)
  /** The deliveries so far, in the order of their events, by id: the moments of its event, and of its current status. */
  const deliveries = new Map<string, { delivery: Delivery; began: Moment; reached: Moment }>()
  let hasHappened = false

  /** Counts what is known now: a delivery may change until the end. */
  function countedNow(): Counter<Delivery> {
    // An effect of an entry is observed just before the entry is reported.
    const counter = new Counter(judge, expectation, facts, () => [], { isCausedByTimeline: true })
    for (const { delivery, began, reached } of deliveries.values()) {
      // For an expected status, the time at which the delivery got it counts; otherwise the time of its event.
      counter.note({ thing: delivery, exchange: null, began }, match.status === 'any' ? began : reached)
    }
    return counter
  }

  return {
    expected: countedNow().expected,
    get matching() {
      return countedNow().matching
    },
    observe(observation) {
      if (observation.type === 'event' && observation.event === event) hasHappened = true
      if (observation.type !== 'delivery' || observation.delivery.event.type !== event) return
      const { delivery, moment } = observation
      const before = deliveries.get(delivery.id)
      const began = before?.began ?? { at: parseInstant(delivery.event.at) ?? moment.at, seq: moment.seq }
      const reached = before?.delivery.status === delivery.status ? before.reached : moment
      deliveries.set(delivery.id, { delivery, began, reached })
    },
    evaluate(end) {
      const why = hasHappened ? 'it happened, and no subscription was notified' : 'it did not happen'
      const none = deliveries.size === 0 ? `no delivery of ${event}; ${why}` : undefined
      return countedNow().evaluate(end, none)
    },
  }
}
