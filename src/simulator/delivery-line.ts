import { counted } from '../contract/counted.js'
import type { EventType } from '../contract/events.js'
import { type Delivery, type DeliveryAttempt, formatDuration, parseInstant } from '../world/index.js'
import type { Simulator } from './simulator.js'

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
export function explainDelivery(delivery: Delivery, clock: Simulator['clock']): string[] {
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
function nextAttempt(at: string, clock: Simulator['clock']): string {
  const due = `Its next attempt is due at ${at}`
  if (clock.mode !== 'frozen') return `${due}.`
  const wait = Math.max(0, (parseInstant(at) ?? 0) - (parseInstant(clock.now()) ?? 0))
  const seconds = formatDuration(Math.ceil(wait / 1000) * 1000)
  return `${due}, and the clock stands still: advance it by ${seconds}.`
}

/** Why there is no delivery of an event, for people. */
export function explainNone({ id, events, webhooks }: Simulator, event: EventType): string {
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
