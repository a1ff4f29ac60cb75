import type { EventType } from '../../contract/events.js'
import type { Reliance } from '../settle.js'

/**
 * How far a delivery is. `pending`: more attempts are to come. `succeeded`, `failed`: it is over. `blocked`: it was not
 * sent, since its receiver is none that deliveries may go to. `captured`: nobody in this process receives it.
 * `interrupted`: the world was closed before it was over.
 */
export const deliveryStatuses = [
  'pending',
  'succeeded',
  'failed',
  'blocked',
  'captured',
  'interrupted',
] as const

/** How far a delivery is. */
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Why attempts are made: for the event itself, after a failure, a second time for no reason, because somebody asked. */
export const attemptCauses = ['event', 'retry', 'duplicate', 'redelivery'] as const

/** Why an attempt was made. */
export type AttemptCause = (typeof attemptCauses)[number]

/** What keeps attempts from being answered. */
export const attemptErrorCodes = [
  'timeout',
  'unreachable',
  'broken-off',
  'incomplete',
  'threw',
  'blocked',
  'captured',
  'interrupted',
] as const

/** What kept an attempt from being answered. */
export interface AttemptError {
  readonly code: (typeof attemptErrorCodes)[number]
  /** For people; with the remedy, where there is one. */
  readonly message: string
}

/** What goes wrong with an attempt once its request has come to somebody. */
const arrivedCodes: readonly AttemptError['code'][] = ['timeout', 'broken-off', 'incomplete', 'threw']

/** Whether the request of an attempt that ended came to a receiver, whatever that did: what nobody got, nobody relied on. */
export function cameToSomebody(error: AttemptError | null): boolean {
  return error === null || arrivedCodes.includes(error.code)
}

/** One HTTP request to a receiver, with what became of it. */
export interface DeliveryAttempt {
  /** Counts from 1 within its delivery. */
  readonly number: number
  readonly cause: AttemptCause
  /** The world's time at which it began, ISO 8601 UTC. */
  readonly at: string
  /** How long the receiver took, in milliseconds of the world's time; null while it is under way. */
  readonly duration_ms: number | null
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  /** What the receiver answered; the body is cut at 4 KiB, and null where it was none or no text. */
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  } | null
  readonly error: AttemptError | null
}

/** One event on its way to one subscription, as users see it. */
export interface Delivery {
  readonly id: string
  readonly status: DeliveryStatus
  /** What happened: the id is the same at every attempt. */
  readonly event: { readonly id: string; readonly type: EventType; readonly at: string }
  readonly webhook_id: string
  readonly url: string
  /** Why it was blocked, captured, given up or interrupted; null where it was not. */
  readonly reason: string | null
  readonly agent_handle: string
  readonly message_id: string
  readonly thread_id: string
  readonly attempts: readonly DeliveryAttempt[]
  /** The world's time of the next attempt; null where none is planned. */
  readonly next_attempt_at: string | null
  readonly reliances: readonly Reliance[]
}
