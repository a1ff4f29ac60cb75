import type { EventType } from '../../contract/resources.js'
import type { Reliance } from '../reliances.js'

/**
 * States of a delivery. `pending`: more attempts are planned or in flight. `succeeded`, `failed`: it has finished.
 * `blocked`: it was not sent, because deliveries may not go to its receiver. `captured`: no receiver in this process
 * takes it. `interrupted`: the world was closed before it had finished.
 */
export const deliveryStatuses = [
  'pending',
  'succeeded',
  'failed',
  'blocked',
  'captured',
  'interrupted',
] as const

/** The state of a delivery. */
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Reasons for an attempt: the event itself, an earlier failure, a duplicate, or a request to redeliver. */
export const attemptCauses = ['event', 'retry', 'duplicate', 'redelivery'] as const

/** The reason for an attempt. */
export type AttemptCause = (typeof attemptCauses)[number]

/** Reasons why an attempt got no usable answer. */
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

/** The reason why an attempt got no usable answer. */
export interface AttemptError {
  readonly code: (typeof attemptErrorCodes)[number]
  /** For people; with the remedy, where there is one. */
  readonly message: string
}

/** Errors of attempts whose request reached a receiver. */
const reachedCodes: readonly AttemptError['code'][] = ['timeout', 'broken-off', 'incomplete', 'threw']

/** Tells whether the request of a finished attempt reached a receiver: nobody relies on what nobody received. */
export function reachedReceiver(error: AttemptError | null): boolean {
  return error === null || reachedCodes.includes(error.code)
}

/** One HTTP request to a receiver with its result. */
export interface DeliveryAttempt {
  /** Counts from 1 within its delivery. */
  readonly number: number
  readonly cause: AttemptCause
  /** The world's time at which it began, ISO 8601 UTC. */
  readonly at: string
  /** How long the receiver took, in milliseconds of the world's time; null while it is in flight. */
  readonly duration_ms: number | null
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  /** The receiver's answer; the body is cut at 4 KiB, and null where there was none or it is not text. */
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
  /** The event; its id is the same at every attempt. */
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
