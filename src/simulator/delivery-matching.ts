import { type EventType, eventTypes } from '../contract/resources.js'
import { counted, expectedOneOf } from '../contract/text.js'
import {
  type Deliveries,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryStatus,
  deliveryStatuses,
  formatDuration,
  type Masker,
  parseInstant,
} from '../world/index.js'
import type { ClockControl } from './controls.js'
import type { Events } from './events.js'
import {
  type AsymmetricMatcher,
  distanceOf,
  jsonOf,
  type Match,
  type Mismatch,
  mismatches,
} from './matching.js'
import type { Webhooks } from './resources.js'

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

const fields: Readonly<Record<keyof DeliveryMatch, true>> = {
  status: true,
  url: true,
  webhook: true,
  message: true,
  thread: true,
  agent: true,
  attempts: true,
  body: true,
}

/** The parts of a simulator that searching and explaining deliveries needs. */
export interface DeliverySource {
  readonly id: string
  readonly clock: ClockControl
  readonly deliveries: Deliveries
  readonly events: Events
  readonly masker: Masker
  readonly webhooks: Webhooks
}

/** Refuses unknown events, fields and statuses: a misspelt one would never match. @throws TypeError */
export function checkDeliveryMatch(event: EventType, match: DeliveryMatch): void {
  const { status = 'any', ...rest } = match
  checkName('an event', event, eventTypes)
  checkName('a status of deliveries', status, ['any', ...deliveryStatuses])
  for (const name of Object.keys(rest)) checkName('a field of deliveries', name, Object.keys(fields))
}

function checkName(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  throw new TypeError(`There is no "${name}" as ${what}${expectedOneOf(name, known, '.')}`)
}

/** Matches the status of any delivery that has ended. */
const ended = {
  asymmetricMatch: (status: unknown) => status !== 'pending',
  toAsymmetricMatcher: () => 'any but "pending"',
}

/**
 * Returns the values of a delivery that differ from the expected ones. By default the delivery must have ended, with any
 * result: no further attempts will follow.
 */
export function deliveryMismatches(
  event: EventType,
  match: DeliveryMatch,
  delivery: Delivery,
  masker: Masker,
): Mismatch[] {
  const { status = ended, url, webhook, message, thread, agent, attempts, body } = match
  const sent = delivery.attempts[0]?.request.body ?? null
  const endedAttempts = delivery.attempts.filter(({ duration_ms }) => duration_ms !== null)
  return [
    ...mismatches('event', event, delivery.event.type),
    ...mismatches('status', status === 'any' ? undefined : status, delivery.status),
    ...mismatches('url', typeof url === 'string' ? shownUrl(url, masker) : url, delivery.url),
    ...mismatches('webhook', webhook, delivery.webhook_id),
    ...mismatches('message', message, delivery.message_id),
    ...mismatches('thread', thread, delivery.thread_id),
    ...mismatches('agent', agent?.replace(/^@/, ''), delivery.agent_handle),
    ...mismatches('attempts', attempts, endedAttempts.length),
    ...mismatches('body', body, jsonOf(sent)),
  ]
}

/** Returns the distance of a delivery from the expected one; its status weighs less than its identity. */
export function deliveryDistance(mismatches: readonly Mismatch[]): number {
  const status = mismatches.find(({ name }) => name === 'status')
  const others = mismatches.filter((one) => one !== status)
  const weight = status === undefined ? 0 : status.found === 'pending' ? 0.2 : 0.25
  return distanceOf(others) + weight
}

/** Returns a URL as deliveries show it: normalized as in subscriptions, with its secrets masked. */
export function shownUrl(url: string, masker: Masker): string {
  return masker.url(URL.canParse(url) ? new URL(url).href : url)
}

/** Formats a delivery as a line: `message.received to http://agent.test/hook pending after 2 attempts, answered 500`. */
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
  if (duration_ms === null) return 'not answered yet'
  if (response && !error) return `answered ${response.status}`
  return error?.code ?? 'not answered'
}

/** Explains the state of a delivery and what its next attempt waits for. */
export function explainDelivery(delivery: Delivery, clock: ClockControl): string[] {
  const { status, reason, attempts, next_attempt_at: next } = delivery
  const error = attempts.at(-1)?.error?.message
  const known = [...new Set([error, reason].flatMap((text) => text ?? []))]
  if (status !== 'pending') return known
  if (next !== null && attempts.length > 0) return [...known, nextAttempt(next, clock)]
  return [attempts.length > 0 ? 'Its receiver has not answered yet.' : 'Its first attempt is about to begin.']
}

/** Returns whether a delivery proceeds on its own, without an advance of the clock. */
export function isInProgress({ status, attempts, next_attempt_at }: Delivery): boolean {
  return status === 'pending' && (next_attempt_at === null || attempts.length === 0)
}

/** Explains when the next attempt is due, and how far a frozen clock must be advanced for it. */
function nextAttempt(at: string, clock: ClockControl): string {
  const due = `Its next attempt is due at ${at}`
  if (clock.mode !== 'frozen') return `${due}.`
  const wait = Math.max(0, (parseInstant(at) ?? 0) - (parseInstant(clock.now()) ?? 0))
  const seconds = formatDuration(Math.ceil(wait / 1000) * 1000)
  return `${due}, and the clock is frozen: advance it by ${seconds}.`
}

/** Explains why there is no delivery of an event. */
export function explainNone({ id, events, webhooks }: DeliverySource, event: EventType): string {
  const happened = events.after(0).filter(({ type, data }) => {
    return type === 'event' && (data as { type?: unknown }).type === event
  }).length
  if (happened === 0) return `No ${event} has happened in ${id}; ${cause[event]} causes one.`
  const times = happened === 1 ? 'once' : `${happened} times`
  const scopes = webhooks.list({ everywhere: true }).flatMap(({ events, agent_handle }) => {
    return events.includes(event) && agent_handle ? [agent_handle] : []
  })
  const remedy =
    scopes.length === 0
      ? `webhooks.create({ url, events: ['${event}'] }) subscribes a URL`
      : `those to it are scoped to ${[...new Set(scopes)].join(', ')}`
  return `${event} has happened ${times} in ${id}, but no subscription was notified; ${remedy}.`
}

/** The call that causes each event. */
const cause: Readonly<Record<EventType, string>> = {
  'message.received': 'mail.receive(…)',
  'message.delivered': 'mail.delivered(id)',
  'message.bounced': 'mail.bounced(id)',
}
