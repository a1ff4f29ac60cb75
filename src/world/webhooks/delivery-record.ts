import type { WebhookRow } from '../../model/index.js'
import type { Masker } from '../masking/masker.js'
import { joinReliances } from '../reliances.js'
import type { NoteReliance, Reliance } from '../settle.js'
import { formatInstant } from '../time.js'
import {
  type AttemptCause,
  type AttemptError,
  cameToSomebody,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryStatus,
} from './delivery.js'
import type { EventHead } from './mail-event.js'
import type { OutgoingRequest, ReceiverAnswer } from './outlet.js'

/** An attempt as it is recorded; instants and durations in milliseconds. */
export interface RecordedAttempt {
  readonly cause: AttemptCause
  readonly at: number
  readonly duration: number | null
  readonly request: OutgoingRequest
  readonly answer: ReceiverAnswer | undefined
  readonly error: AttemptError | null
}

/** How an attempt ended. */
export type Outcome = Pick<RecordedAttempt, 'duration' | 'answer' | 'error'>

const unanswered: Outcome = { duration: null, answer: undefined, error: null }

/** How far a delivery is, at one moment; never changed in place. */
export interface DeliveryState {
  readonly status: DeliveryStatus
  readonly reason: string | null
  readonly attempts: readonly RecordedAttempt[]
  readonly nextAttemptAt: number | null
  /** Whether a duplicate has come due and is not over: it is under way, or waits until it may be. */
  readonly duplicateIsDue: boolean
  readonly reliances: readonly Reliance[]
}

/** One event on its way to one subscription. */
export class DeliveryRecord {
  readonly id: string
  readonly event: EventHead
  readonly webhookId: string
  readonly url: string
  readonly body: string
  /** Its place among the deliveries of its subscription, counted from 0. */
  readonly ordinal: number
  #state: DeliveryState

  constructor(
    id: string,
    event: EventHead,
    { id: webhookId, url }: Pick<WebhookRow, 'id' | 'url'>,
    { body, ordinal, state = created }: { body: string; ordinal: number; state?: DeliveryState },
  ) {
    this.id = id
    this.event = event
    this.webhookId = webhookId
    this.url = url
    this.body = body
    this.ordinal = ordinal
    this.#state = state
  }

  /** Names the streams that its draws come from: no delivery of anything else changes them. */
  get path(): string {
    return `events/${this.event.id}/webhooks/${this.webhookId}`
  }

  /** How far it is; a new object each time that changes. */
  get state(): DeliveryState {
    return this.#state
  }

  /** Whether nothing more happens to it by itself. */
  get isOver(): boolean {
    const { status, nextAttemptAt, duplicateIsDue } = this.#state
    return status !== 'pending' && nextAttemptAt === null && !duplicateIsDue
  }

  /** How many attempts were made for the event itself, or since those failed. */
  get tries(): number {
    return this.#state.attempts.filter(({ cause }) => cause === 'event' || cause === 'retry').length
  }

  /** Why the next attempt is made, where one is to come by itself. */
  get nextCause(): AttemptCause {
    if (this.hasSucceeded) return 'duplicate'
    return this.tries === 0 ? 'event' : 'retry'
  }

  /** Whether a receiver has taken it. */
  get hasSucceeded(): boolean {
    return this.#state.status === 'succeeded'
  }

  /** Whether a receiver was there for it, whatever that did: what nobody was sent, nobody relied on. */
  get hasArrived(): boolean {
    return this.#state.attempts.some(({ duration, error }) => duration !== null && cameToSomebody(error))
  }

  /** Whether a receiver has let the time for an answer pass. */
  get hasTimedOut(): boolean {
    return this.#state.attempts.some(({ error }) => error?.code === 'timeout')
  }

  /** Changes how far it is. */
  put(change: Partial<DeliveryState>): void {
    this.#state = { ...this.#state, ...change }
  }

  /** Adds an attempt that begins; gives back its place. */
  begin(attempt: Omit<RecordedAttempt, keyof Outcome>): number {
    const { attempts } = this.#state
    this.put({ attempts: [...attempts, { ...attempt, ...unanswered }] })
    return attempts.length
  }

  /** Notes how the attempt at a place ended. */
  end(place: number, outcome: Outcome): void {
    const { attempts } = this.#state
    this.put({ attempts: attempts.with(place, { ...(attempts[place] as RecordedAttempt), ...outcome }) })
  }

  /** Takes in what `settle` notes. */
  readonly note: NoteReliance = (reliance) => {
    const { reliances } = this.#state
    const place = reliances.findIndex(
      ({ gap, reading }) => gap === reliance.gap && reading === reliance.reading,
    )
    if (place < 0) return this.put({ reliances: [...reliances, reliance] })
    const joined = joinReliances(reliances[place], reliance)
    if (joined !== reliances[place]) this.put({ reliances: reliances.with(place, joined) })
  }
}

const created: DeliveryState = {
  status: 'pending',
  reason: null,
  attempts: [],
  nextAttemptAt: null,
  duplicateIsDue: false,
  reliances: [],
}

/** A delivery for people to see, with keys and tokens masked. */
export function showDelivery(
  { id, event, webhookId, url }: DeliveryRecord,
  { status, reason, attempts, nextAttemptAt, reliances }: DeliveryState,
  masker: Masker,
): Delivery {
  const instant = (at: number | null): string | null => (at === null ? null : formatInstant(at))
  return {
    id,
    status,
    event: { id: event.id, type: event.type, at: formatInstant(event.at) },
    webhook_id: webhookId,
    url: masker.url(url),
    reason: reason === null ? null : masker.body(reason),
    agent_handle: event.agentHandle,
    message_id: event.messageId,
    thread_id: event.threadId,
    attempts: attempts.map((attempt, index) => showAttempt(attempt, index + 1, masker)),
    next_attempt_at: instant(nextAttemptAt),
    reliances,
  }
}

function showAttempt(
  { cause, at, duration, request, answer, error }: RecordedAttempt,
  number: number,
  worlds: Masker,
): DeliveryAttempt {
  // A receiver may answer with the token it was sent.
  const masker = worlds.forRequest(Object.entries(request.headers), new URL(request.url).search)
  return {
    number,
    cause,
    at: formatInstant(at),
    duration_ms: duration === null ? null : Math.round(duration * 1000) / 1000,
    request: {
      headers: masker.headers(Object.entries(request.headers)),
      body: masker.body(request.body),
    },
    response: answer
      ? {
          status: answer.status,
          headers: masker.headers(Object.entries(answer.headers)),
          body: answer.body === null ? null : masker.body(answer.body),
        }
      : null,
    error: error && { ...error, message: masker.body(error.message) },
  }
}
