import { type EventType, eventTypes } from '../../contract/resources.js'
import { z } from '../../contract/schema.js'
import type { Reliance } from '../reliances.js'
import { joinReliances, type NoteReliance } from '../settle.js'
import { formatInstant, instantSchema, parseInstant } from '../time.js'
import {
  type AttemptCause,
  attemptCauses,
  attemptErrorCodes,
  type DeliveryStatus,
  reachedReceiver,
} from './delivery.js'
import type { AttemptResult } from './transport.js'

/** An instant, in the one form in which deliveries show it. */
const instant = () => instantSchema().transform((text) => formatInstant(parseInstant(text) as number))

const headers = () => z.record(z.string(), z.string())

const attempt = () =>
  z.strictObject({
    cause: z.enum(attemptCauses),
    at: instant(),
    duration_ms: z.number().min(0),
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

/** An unfinished delivery as snapshots contain it. */
export const unfinishedSchema = () =>
  z.strictObject({
    id: z.string(),
    event: eventHead(),
    webhook_id: z.string(),
    url: z.url({ protocol: /^https?$/ }),
    body: z.string(),
    ordinal: z.int().min(0).describe('Its place among the deliveries of its subscription, counted from 0.'),
    succeeded: z.boolean().describe('Whether only a duplicate of it is still to come.'),
    next_attempt_at: instant().nullable().describe('Null where an attempt was in flight: it is made again.'),
    attempts: z.array(attempt()).describe('Those that have ended, the oldest first.'),
  })

/** An unfinished delivery as snapshots contain it. */
export type Unfinished = z.output<ReturnType<typeof unfinishedSchema>>

/** The unchanging part of a delivery. */
export type DeliveryContent = Omit<Unfinished, 'succeeded' | 'next_attempt_at' | 'attempts'>

/** An attempt as it is recorded. */
export type RecordedAttempt = Omit<Unfinished['attempts'][number], keyof AttemptResult> & AttemptResult

/** The progress of a delivery at one moment; never changed in place. */
export interface DeliveryState {
  readonly status: DeliveryStatus
  readonly reason: string | null
  readonly attempts: readonly RecordedAttempt[]
  /** The world's time, ISO 8601 UTC. */
  readonly nextAttemptAt: string | null
  /** Whether a duplicate has come due and has not finished: it is in flight, or waits for its turn. */
  readonly duplicateIsDue: boolean
  readonly reliances: readonly Reliance[]
}

const initialState: DeliveryState = {
  status: 'pending',
  reason: null,
  attempts: [],
  nextAttemptAt: null,
  duplicateIsDue: false,
  reliances: [],
}

/** One event on its way to one subscription. */
export class DeliveryRecord {
  readonly content: DeliveryContent
  #state: DeliveryState

  constructor(content: DeliveryContent, state: Partial<DeliveryState> = {}) {
    this.content = content
    this.#state = { ...initialState, ...state }
  }

  /** Restores an unfinished delivery from its form in snapshots. */
  static read({
    succeeded,
    next_attempt_at: nextAttemptAt,
    attempts,
    ...content
  }: Unfinished): DeliveryRecord {
    const status = succeeded ? 'succeeded' : 'pending'
    const duplicateIsDue = succeeded && nextAttemptAt === null
    return new DeliveryRecord(content, { status, attempts, nextAttemptAt, duplicateIsDue })
  }

  /** Its form in snapshots, of an unfinished delivery: an attempt in flight is left out, and made again. */
  get written(): Unfinished {
    const { nextAttemptAt, attempts } = this.#state
    const ended = attempts.flatMap(({ duration_ms, ...attempt }) => {
      return duration_ms === null ? [] : [{ ...attempt, duration_ms }]
    })
    return {
      ...this.content,
      succeeded: this.hasSucceeded,
      next_attempt_at: nextAttemptAt,
      attempts: ended,
    }
  }

  /** Names its random streams, so that other deliveries do not change them. */
  get path(): string {
    return `events/${this.content.event.id}/webhooks/${this.content.webhook_id}`
  }

  /** Its progress; a new object after each change. */
  get state(): DeliveryState {
    return this.#state
  }

  /** Whether nothing more happens to it by itself. */
  get hasFinished(): boolean {
    const { status, nextAttemptAt, duplicateIsDue } = this.#state
    return status !== 'pending' && nextAttemptAt === null && !duplicateIsDue
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

  /** Whether an attempt reached a receiver, whatever it answered: nobody relies on what nobody received. */
  get hasReachedReceiver(): boolean {
    return this.#state.attempts.some(
      ({ duration_ms, error }) => duration_ms !== null && reachedReceiver(error),
    )
  }

  update(change: Partial<DeliveryState>): void {
    this.#state = { ...this.#state, ...change }
  }

  /** Adds an attempt in flight; returns its place. */
  beginAttempt(attempt: Omit<RecordedAttempt, keyof AttemptResult>): number {
    const { attempts } = this.#state
    this.update({ attempts: [...attempts, { ...attempt, duration_ms: null, answer: null, error: null }] })
    return attempts.length
  }

  /** Records the result of the attempt at a place. */
  endAttempt(place: number, result: AttemptResult): void {
    const { attempts } = this.#state
    this.update({ attempts: attempts.with(place, { ...(attempts[place] as RecordedAttempt), ...result }) })
  }

  readonly note: NoteReliance = (reliance) => {
    const { reliances } = this.#state
    const place = reliances.findIndex(
      ({ gap, reading }) => gap === reliance.gap && reading === reliance.reading,
    )
    if (place < 0) return this.update({ reliances: [...reliances, reliance] })
    const joined = joinReliances(reliances[place], reliance)
    if (joined !== reliances[place]) this.update({ reliances: reliances.with(place, joined) })
  }
}

/** Selects deliveries; what is left out may be anything. */
export interface DeliveryFilter {
  readonly event?: EventType | undefined
  readonly status?: DeliveryStatus | undefined
  readonly webhook?: string | undefined
  readonly url?: string | undefined
  readonly message?: string | undefined
  /** The id of a delivery: only those that come after it. */
  readonly since?: string | undefined
  /** At most so many, the oldest of them. */
  readonly limit?: number | undefined
}

/** How many deliveries are kept, and how many characters of their bodies; only finished ones are dropped. */
const capacity = { deliveries: 100_000, characters: 32 * 1024 * 1024 }

/** The deliveries of a world, in the order of their events; the oldest finished ones are dropped. */
export class DeliveryLog {
  readonly #records = new Map<string, DeliveryRecord>()
  #characters = 0

  get size(): number {
    return this.#records.size
  }

  add(record: DeliveryRecord): void {
    this.#records.set(record.content.id, record)
    this.#characters += record.content.body.length
    while (this.#records.size > capacity.deliveries || this.#characters > capacity.characters) {
      const oldest = this.#oldestFinished()
      if (!oldest) return
      this.#records.delete(oldest.id)
      this.#characters -= oldest.body.length
    }
  }

  get(id: string): DeliveryRecord | undefined {
    return this.#records.get(id)
  }

  list({ since, limit, ...wanted }: DeliveryFilter = {}): DeliveryRecord[] {
    const all = [...this.#records.values()]
    const later =
      since === undefined ? all : all.slice(all.findIndex(({ content }) => content.id === since) + 1)
    return later.filter((record) => matches(record, wanted)).slice(0, limit)
  }

  unfinished(): DeliveryRecord[] {
    return [...this.#records.values()].filter(({ hasFinished }) => !hasFinished)
  }

  #oldestFinished(): DeliveryContent | undefined {
    for (const { hasFinished, content } of this.#records.values()) if (hasFinished) return content
    return undefined
  }
}

function matches(
  { content, state }: DeliveryRecord,
  wanted: Omit<DeliveryFilter, 'since' | 'limit'>,
): boolean {
  const { event, webhook_id, url } = content
  return (
    (wanted.event === undefined || event.type === wanted.event) &&
    (wanted.status === undefined || state.status === wanted.status) &&
    (wanted.webhook === undefined || webhook_id === wanted.webhook) &&
    (wanted.message === undefined || event.message_id === wanted.message) &&
    (wanted.url === undefined || url === normalized(wanted.url))
  )
}

/** Returns a URL in the form in which subscriptions have it. */
function normalized(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url
}
