import { type EventType, eventTypes } from '../contract/resources.js'
import { counted, didYouMean } from '../contract/text.js'
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

/** Which deliveries of an event type are meant; what is left out may be anything, but for the status. */
export interface DeliveryMatch {
  /** How far it is; `any` for all of them. */
  readonly status?: DeliveryStatus | 'any'
  readonly url?: string | RegExp | AsymmetricMatcher
  /** The id of the subscription. */
  readonly webhook?: string
  /** The id of the message that the event happened to. */
  readonly message?: string
  /** The id of that message's thread. */
  readonly thread?: string
  /** The handle of the agent whose message it is. */
  readonly agent?: string
  /** How many attempts have ended. */
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

/** A simulator, as far as deliveries come from it. */
export interface DeliverySource {
  readonly id: string
  readonly clock: ClockControl
  readonly deliveries: Deliveries
  readonly events: Events
  readonly masker: Masker
  readonly webhooks: Webhooks
}

/** Whether there are such events, fields and statuses: what is misspelt would be found nowhere. @throws TypeError */
export function checkDeliveryMatch(event: EventType, match: DeliveryMatch): void {
  const { status = 'any', ...rest } = match
  checkName('an event', event, eventTypes)
  checkName('a status of deliveries', status, ['any', ...deliveryStatuses])
  for (const name of Object.keys(rest)) checkName('a field of deliveries', name, Object.keys(fields))
}

function checkName(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const hint = didYouMean(name, known) || `; there is ${known.join(', ')}.`
  throw new TypeError(`There is no "${name}" as ${what}${hint}`)
}

/** Any status but that of a delivery which is still to be made. */
const over = {
  asymmetricMatch: (status: unknown) => status !== 'pending',
  toAsymmetricMatcher: () => 'any but "pending"',
}

/**
 * The values of a delivery that are not as they are meant to be. Where no status is given, it is to be over: more
 * attempts are not to come, whatever became of them.
 */
export function deliveryMismatches(
  event: EventType,
  match: DeliveryMatch,
  delivery: Delivery,
  masker: Masker,
): Mismatch[] {
  const { status = over, url, webhook, message, thread, agent, attempts, body } = match
  const sent = delivery.attempts[0]?.request.body ?? null
  const ended = delivery.attempts.filter(({ duration_ms }) => duration_ms !== null)
  return [
    ...mismatches('event', event, delivery.event.type),
    ...mismatches('status', status === 'any' ? undefined : status, delivery.status),
    ...mismatches('url', typeof url === 'string' ? shownUrl(url, masker) : url, delivery.url),
    ...mismatches('webhook', webhook, delivery.webhook_id),
    ...mismatches('message', message, delivery.message_id),
    ...mismatches('thread', thread, delivery.thread_id),
    ...mismatches('agent', agent?.replace(/^@/, ''), delivery.agent_handle),
    ...mismatches('attempts', attempts, ended.length),
    ...mismatches('body', body, jsonOf(sent)),
  ]
}

/** Returns how far a delivery is from what was meant; its status counts for less than which delivery it is. */
export function deliveryDistance(differing: readonly Mismatch[]): number {
  const status = differing.find(({ name }) => name === 'status')
  const others = differing.filter((one) => one !== status)
  const further = status === undefined ? 0 : status.found === 'pending' ? 0.2 : 0.25
  return distanceOf(others) + further
}

/** A URL as deliveries show it: in the form that subscriptions have it in, and with what is secret in it masked. */
export function shownUrl(url: string, masker: Masker): string {
  return masker.url(URL.canParse(url) ? new URL(url).href : url)
}

/** A delivery in a line, for people: `message.received to http://agent.test/hook pending after 2 attempts, answered 500`. */
export function formatDelivery({ event, url, status, attempts }: Delivery): string {
  const last = attempts.at(-1)
  const line = `${event.type} to ${url} ${status}`
  if (!last) return line
  // That the last attempt was captured, or blocked, is what the status says.
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

/** What there is to know of how far a delivery is, and what would have it go on. */
export function explainDelivery(delivery: Delivery, clock: ClockControl): string[] {
  const { status, reason, attempts, next_attempt_at: next } = delivery
  const error = attempts.at(-1)?.error?.message
  const told = [...new Set([error, reason].flatMap((text) => text ?? []))]
  if (status !== 'pending') return told
  if (next !== null && attempts.length > 0) return [...told, nextAttempt(next, clock)]
  return [attempts.length > 0 ? 'Its receiver has not answered yet.' : 'Its first attempt is about to begin.']
}

/** Whether something goes on with a delivery at this moment, without anybody's having to do anything. */
export function isGoingOn({ status, attempts, next_attempt_at }: Delivery): boolean {
  return status === 'pending' && (next_attempt_at === null || attempts.length === 0)
}

/** When the next attempt is due; a clock that stands still has to be told. */
function nextAttempt(at: string, clock: ClockControl): string {
  const due = `Its next attempt is due at ${at}`
  if (clock.mode !== 'frozen') return `${due}.`
  const wait = Math.max(0, (parseInstant(at) ?? 0) - (parseInstant(clock.now()) ?? 0))
  const seconds = formatDuration(Math.ceil(wait / 1000) * 1000)
  return `${due}, and the clock stands still: advance it by ${seconds}.`
}

/** Why there is no delivery of an event, for people. */
export function explainNone({ id, events, webhooks }: DeliverySource, event: EventType): string {
  const happened = events.after(0).filter(({ type, data }) => {
    return type === 'event' && (data as { type?: unknown }).type === event
  }).length
  if (happened === 0) return `No ${event} has happened in ${id}; ${cause[event]} brings one about.`
  const times = happened === 1 ? 'once' : `${happened} times`
  const scopes = webhooks.list({ everywhere: true }).flatMap(({ events, agent_handle }) => {
    return events.includes(event) && agent_handle ? [agent_handle] : []
  })
  const remedy =
    scopes.length === 0
      ? `webhooks.create({ url, events: ['${event}'] }) subscribes a URL`
      : `those to it are scoped to ${[...new Set(scopes)].join(', ')}`
  return `${event} has happened ${times} in ${id}, and no subscription was told of it; ${remedy}.`
}

/** What brings events about. */
const cause: Readonly<Record<EventType, string>> = {
  'message.received': 'mail.receive(…)',
  'message.delivered': 'mail.delivered(id)',
  'message.bounced': 'mail.bounced(id)',
}
