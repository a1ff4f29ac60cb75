import { z } from '../../base/schema.js'
import { type EventType, eventTypes } from '../../contract/resources.js'
import { joinReliances, type NoteReliance, type Reliance } from '../assumptions/settle.js'
import { withBase } from '../rendering/resources.js'

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
const attemptCauses = ['event', 'retry', 'duplicate', 'redelivery'] as const

/** The reason for an attempt. */
export type AttemptCause = (typeof attemptCauses)[number]

/** Returns whether an attempt is one that the service has to make, so that its failure leads to a retry. */
export function isPromised(cause: AttemptCause): boolean {
  return cause === 'event' || cause === 'retry'
}

/** Reasons why an attempt got no usable response. */
const attemptErrorCodes = [
  'timeout',
  'unreachable',
  'broken-off',
  'incomplete',
  'threw',
  'blocked',
  'captured',
  'interrupted',
] as const

/** The reason why an attempt got no usable response. */
export interface AttemptError {
  readonly code: (typeof attemptErrorCodes)[number]
  /** The message for people, with the remedy if there is one. */
  readonly message: string
}

/** Errors of attempts whose request reached a receiver. */
const reachedCodes: readonly AttemptError['code'][] = ['timeout', 'broken-off', 'incomplete', 'threw']

/**
 * Returns whether the request of a finished attempt reached a receiver: no client relies on what it did not
 * receive.
 */
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
  /** How long the receiver took, in milliseconds of wall time and of what an advance skipped; null while it is in flight. */
  readonly duration_ms: number | null
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  /**
   * The receiver's response; the body is truncated to 4 KiB, and null if there was none or it is not text.
   */
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  } | null
  readonly error: AttemptError | null
}

/** The delivery of an event to a subscription, as users see it. */
export interface Delivery {
  readonly id: string
  readonly status: DeliveryStatus
  /** The event; its id is the same in every attempt. */
  readonly event: { readonly id: string; readonly type: EventType; readonly at: string }
  readonly webhook_id: string
  readonly url: string
  /** Why it was blocked, captured, given up or interrupted; null if it was not. */
  readonly reason: string | null
  readonly agent_handle: string
  readonly message_id: string
  readonly thread_id: string
  readonly attempts: readonly DeliveryAttempt[]
  /** The world's time of the next attempt; null if none is planned. */
  readonly next_attempt_at: string | null
  readonly reliances: readonly Reliance[]
}

/** An instant, in the only form that deliveries have. */
const instant = () => z.iso.datetime({ precision: 3 })

const headers = () => z.record(z.string(), z.string())

const attempt = () =>
  z.strictObject({
    number: z.int().min(1).describe('Counts from 1 within its delivery; of many, the latest are kept.'),
    cause: z.enum(attemptCauses),
    at: instant(),
    duration_ms: z.number().min(0).nullable().describe('Null while it is in flight.'),
    headers: headers(),
    answer: z
      .strictObject({
        status: z.int(),
        headers: headers(),
        body: z.string().nullable(),
        incomplete: z.string().optional(),
      })
      .nullable(),
    error: z.strictObject({ code: z.enum(attemptErrorCodes), message: z.string() }).nullable(),
  })

const eventHead = () =>
  z.strictObject({
    id: z.string(),
    type: z.enum(eventTypes),
    at: instant(),
    agent_handle: z.string(),
    message_id: z.string(),
    thread_id: z.string(),
  })

/** The part of an event that deliveries keep: the message may be deleted before they have finished. */
export type EventHead = z.output<ReturnType<typeof eventHead>>

/** Attempts that come in addition to those for the event itself. */
const furtherCauses = ['duplicate', 'redelivery'] as const

/** Creates the schema of a delivery in snapshots and logs. */
export const deliverySchema = () =>
  z.strictObject({
    id: z.string(),
    event: eventHead(),
    webhook_id: z.string(),
    url: z.url({ protocol: /^https?$/ }),
    body: z.string(),
    ordinal: z.int().min(0).describe('Its position among the deliveries of its subscription, from 0.'),
    nth: z.int().min(1).optional().describe('Its number among the deliveries of its event type, from 1.'),
    status: z.enum(deliveryStatuses),
    reason: z.string().nullable(),
    due: z
      .array(z.enum(furtherCauses))
      .describe('The duplicates and redeliveries that were in flight or waited for their turn.'),
    next_attempt_at: instant().nullable().describe('Null if an attempt was in flight; it is made again.'),
    attempts: z.array(attempt()).describe('The oldest first.'),
    reliances: z.array(
      z.strictObject({
        gap: z.string(),
        assumption: z.string(),
        instead: z.array(z.string()),
      }) as unknown as z.ZodType<Reliance>,
    ),
  })

/** The response of a receiver. `body` is the part that is kept, null if there was none or it is not text; `incomplete` says why it ended early. */
export type ReceiverAnswer = NonNullable<RecordedAttempt['answer']>

/** An attempt as it is recorded; its duration is null while it is in flight. */
export type RecordedAttempt = z.output<ReturnType<typeof attempt>>

/** The result of an attempt. */
export type AttemptResult = Pick<RecordedAttempt, 'duration_ms' | 'answer' | 'error'>

/** The unchanging part of a delivery. */
type DeliveryContent = Omit<z.output<ReturnType<typeof deliverySchema>>, keyof Progress>

/** The progress of a delivery. */
interface Progress {
  readonly status: DeliveryStatus
  readonly reason: string | null
  readonly attempts: readonly RecordedAttempt[]
  /** The world's time, ISO 8601 UTC. */
  readonly next_attempt_at: string | null
  /** The duplicates and redeliveries that are in flight or wait for their turn. */
  readonly due: readonly (typeof furtherCauses)[number][]
  readonly reliances: readonly Reliance[]
}

/** A delivery at one moment; never changed in place. */
export type DeliveryState = DeliveryContent & Progress

/** Returns whether nothing more happens to a delivery by itself. */
export function hasFinished({ status, next_attempt_at, due }: DeliveryState): boolean {
  return status !== 'pending' && next_attempt_at === null && due.length === 0
}

/**
 * Returns a delivery as another world goes on with it. An attempt in flight is left out, since it is made again; the attempts of
 * a finished delivery, and what it depended on, are in the past. Addresses of stored files are without the `base` of this server.
 */
export function continued(delivery: DeliveryState, base: string): DeliveryState {
  const attempts = delivery.attempts.filter(({ duration_ms }) => duration_ms !== null)
  const body = withBase(delivery.body, base, '')
  return { ...delivery, body, attempts: hasFinished(delivery) ? [] : attempts, reliances: [] }
}

/** The most attempts of a delivery that are kept: it may be sent again any number of times. */
const keptAttempts = 50

/** Returns attempts without the oldest redeliveries beyond those that are kept. */
function latestOf(attempts: readonly RecordedAttempt[]): readonly RecordedAttempt[] {
  if (attempts.length <= keptAttempts) return attempts
  return attempts.toSpliced(
    attempts.findIndex(({ cause }) => cause === 'redelivery'),
    1,
  )
}

/** Creates the schema of how many deliveries there were: the numbers of later ones follow. */
export const deliveryCountsSchema = () =>
  z.strictObject({
    subscriptions: z
      .record(z.string(), z.int().min(0))
      .describe('The number of deliveries of each subscription, by its id.'),
    events: z
      .partialRecord(z.enum(eventTypes), z.int().min(0))
      .describe('The number of deliveries of each event type.'),
  })

/** How many deliveries there were, by subscription and by event type. */
export type DeliveryCounts = z.output<ReturnType<typeof deliveryCountsSchema>>

/**
 * The entry of a log about a delivery: one when it is planned, one at the beginning of each attempt, and one when another attempt
 * is asked for. It follows the delivery until its next entry, so that its number does not depend on when a receiver responds.
 */
export interface DeliveryEntry {
  readonly type: 'delivery'
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  delivery: DeliveryState
}

/** One event on its way to one subscription. */
export class DeliveryRecord {
  #state: DeliveryState
  /** The latest entry of a log about it, which follows it. */
  entry: DeliveryEntry | undefined

  constructor(state: DeliveryState) {
    this.#state = state
  }

  /** Begins a delivery. */
  static begun(content: DeliveryContent): DeliveryRecord {
    return new DeliveryRecord({
      ...content,
      status: 'pending',
      reason: null,
      attempts: [],
      next_attempt_at: null,
      due: [],
      reliances: [],
    })
  }

  /** Names its random streams, so that other deliveries do not change them. */
  get path(): string {
    return `events/${this.#state.event.id}/webhooks/${this.#state.webhook_id}`
  }

  /** The current state; a new object after each change. */
  get state(): DeliveryState {
    return this.#state
  }

  /** Whether nothing more happens to it by itself. */
  get hasFinished(): boolean {
    return hasFinished(this.#state)
  }

  /** Attempts made for the event itself or as retries. */
  get tries(): number {
    return this.#state.attempts.filter(({ cause }) => cause === 'event' || cause === 'retry').length
  }

  /** The cause of the next attempt that comes by itself. */
  get nextCause(): AttemptCause {
    if (this.hasSucceeded) return 'duplicate'
    return this.tries === 0 ? 'event' : 'retry'
  }

  /** Whether a receiver has accepted it. */
  get hasSucceeded(): boolean {
    return this.#state.status === 'succeeded'
  }

  /**
   * Whether an attempt reached a receiver, even if it failed: no client relies on a delivery that it did not
   * receive.
   */
  get hasReachedReceiver(): boolean {
    return this.#state.attempts.some(
      ({ duration_ms, error }) => duration_ms !== null && reachedReceiver(error),
    )
  }

  update(change: Partial<Progress>): void {
    this.#state = { ...this.#state, ...change }
    if (this.entry) this.entry.delivery = this.#state
  }

  /** Fails, unless it has ended already. */
  giveUp(reason: string): void {
    if (this.#state.status === 'pending') this.update({ status: 'failed', reason, next_attempt_at: null })
  }

  /** Notes that another attempt is due. */
  addDue(cause: (typeof furtherCauses)[number]): void {
    this.update({ due: [...this.#state.due, cause] })
  }

  /** Notes that an attempt has ended, unless it was one for the event itself, whose end the status shows. */
  endDue(cause: AttemptCause): void {
    const { due } = this.#state
    const place = (due as readonly AttemptCause[]).indexOf(cause)
    if (place >= 0) this.update({ due: due.toSpliced(place, 1) })
  }

  /** Adds an attempt in flight; there is none of it yet. */
  beginAttempt(attempt: Omit<RecordedAttempt, 'number' | keyof AttemptResult>): void {
    const { attempts } = this.#state
    const number = (attempts.at(-1)?.number ?? 0) + 1
    const begun = { ...attempt, number, duration_ms: null, answer: null, error: null }
    this.update({ attempts: latestOf([...attempts, begun]) })
  }

  /** Returns a new entry of a log, which follows this delivery from now on; the one before keeps the present state. */
  follow(at: number): DeliveryEntry {
    this.entry = { type: 'delivery', seq: 0, at, delivery: this.#state }
    return this.entry
  }

  /** Records the result of the attempt in flight. */
  endAttempt(result: AttemptResult): void {
    const { attempts } = this.#state
    this.update({ attempts: attempts.with(-1, { ...(attempts.at(-1) as RecordedAttempt), ...result }) })
  }

  readonly note: NoteReliance = (reliance) => {
    const { reliances } = this.#state
    const place = reliances.findIndex(
      ({ gap, assumption }) => gap === reliance.gap && assumption === reliance.assumption,
    )
    if (place < 0) return this.update({ reliances: [...reliances, reliance] })
    const joined = joinReliances(reliances[place], reliance)
    if (joined !== reliances[place]) this.update({ reliances: reliances.with(place, joined) })
  }
}
