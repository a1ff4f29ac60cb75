import { type EventType, eventTypes } from '../contract/events.js'
import { didYouMean } from '../contract/nearest.js'
import { type Delivery, type DeliveryStatus, deliveryStatuses, type Masker } from '../world/index.js'
import { distanceOf } from './matchers/nearness.js'
import { type AsymmetricMatcher, jsonOf, type Match, type Mismatch, mismatches } from './matching.js'

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

/** The deliveries nearest to what was meant, the nearest first; of equally near ones, the first given. */
export function nearestDeliveries<T extends { readonly mismatches: readonly Mismatch[] }>(
  judged: readonly T[],
): T[] {
  return judged
    .map((one) => ({ one, distance: deliveryDistance(one.mismatches) }))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ one }) => one)
}

/** How far it is counts for less than which it is, and less still where it may yet come to what is meant. */
function deliveryDistance(differing: readonly Mismatch[]): number {
  const status = differing.find(({ name }) => name === 'status')
  const others = differing.filter((one) => one !== status)
  const further = status === undefined ? 0 : status.found === 'pending' ? 0.2 : 0.25
  return distanceOf(others) + further
}

/** A URL as deliveries show it: in the form that subscriptions have it in, and with what is secret in it masked. */
export function shownUrl(url: string, masker: Masker): string {
  return masker.url(URL.canParse(url) ? new URL(url).href : url)
}
