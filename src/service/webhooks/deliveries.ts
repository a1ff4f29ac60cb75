import { checkOptions, type OptionNames } from '../../base/options.js'
import type { EventType } from '../../contract/resources.js'
import { unknownId, WorldError } from '../model/errors.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { Masker } from '../record/masker.js'
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryRecord,
  type DeliveryState,
  type DeliveryStatus,
  hasFinished,
  type RecordedAttempt,
} from './delivery.js'

/** The world that deliveries belong to. */
interface DeliveriesWorld {
  readonly masker: Masker
  readonly dispatcher: { readonly log: DeliveryLog; redeliver(record: DeliveryRecord): Promise<void> }
  readonly store: MailboxStore
  /** @throws WorldError */
  assertOpen(): void
}

/** Selects deliveries. Omitted fields match anything. */
export interface DeliveryFilter {
  readonly event?: EventType | undefined
  readonly status?: DeliveryStatus | undefined
  readonly webhook?: string | undefined
  readonly url?: string | undefined
  readonly message?: string | undefined
  /** The id of a delivery; selects only those after it. */
  readonly since?: string | undefined
  /** The maximum number; the oldest are selected. */
  readonly limit?: number | undefined
}

const filterOptions: OptionNames<DeliveryFilter> = {
  event: 'public',
  status: 'public',
  webhook: 'public',
  url: 'public',
  message: 'public',
  since: 'public',
  limit: 'public',
}

/** The deliveries of a world, as users see them. */
export class Deliveries {
  readonly #world: DeliveriesWorld

  constructor(world: DeliveriesWorld) {
    this.#world = world
  }

  get count(): number {
    return this.#world.dispatcher.log.size
  }

  /** Returns the deliveries in the order of their events. @throws WorldError `not-found` when `since` is unknown */
  list(filter: DeliveryFilter = {}): Delivery[] {
    checkOptions('deliveries.list', filter, filterOptions)
    if (filter.since !== undefined) this.#existing(filter.since)
    const masker = this.#world.masker.asOfNow()
    return this.#world.dispatcher.log.list(filter).map(({ state }) => showDelivery(state, masker))
  }

  /** Returns the delivery of that id. @throws WorldError `not-found` */
  get(id: string): Delivery {
    return showDelivery(this.#existing(id).state, this.#world.masker)
  }

  /**
   * Sends a delivery once more, with the same event id; returns it when its receiver has responded.
   * @throws WorldError `not-found`
   */
  async redeliver(id: string): Promise<Delivery> {
    this.#world.assertOpen()
    const record = this.#existing(id)
    if (!this.#world.store.get('webhook', record.state.webhook_id)) {
      throw new WorldError(
        'not-found',
        `The subscription of the delivery "${id}" was deleted, so it has no receiver; create another subscription for later events.`,
      )
    }
    await this.#world.dispatcher.redeliver(record)
    return showDelivery(record.state, this.#world.masker)
  }

  #existing(id: string): DeliveryRecord {
    const record = this.#world.dispatcher.log.get(id)
    if (record) return record
    throw unknownId('delivery', id)
  }
}

/** Renders a delivery for people, with keys and tokens masked. */
export function showDelivery(delivery: DeliveryState, masker: Masker): Delivery {
  const { id, status, event, webhook_id, url, reason, attempts, next_attempt_at, reliances } = delivery
  const { id: event_id, type, at, ...about } = event
  return {
    id,
    status,
    event: { id: event_id, type, at },
    webhook_id,
    url: masker.url(url),
    reason: reason === null ? null : masker.text(reason),
    ...about,
    attempts: attempts.map((attempt) => showAttempt(attempt, delivery, masker)),
    next_attempt_at,
    reliances,
  }
}

function showAttempt(
  { number, cause, at, duration_ms, headers, answer, error }: RecordedAttempt,
  { url, body }: DeliveryState,
  worldMasker: Masker,
): DeliveryAttempt {
  const sent = Object.entries(headers)
  // A receiver may respond with the token that it was sent.
  const masker = worldMasker.forRequest(sent, new URL(url).search)
  return {
    number,
    cause,
    at,
    duration_ms: duration_ms === null ? null : Math.round(duration_ms * 1000) / 1000,
    request: { headers: masker.headers(sent), body: masker.text(body) },
    response: answer && {
      status: answer.status,
      headers: masker.headers(Object.entries(answer.headers)),
      body: answer.body === null ? null : masker.text(answer.body),
    },
    error: error && { ...error, message: masker.text(error.message) },
  }
}

/** How many finished deliveries are kept. */
const keptFinished = 10_000

/**
 * The deliveries of a world, in the order of their events; the oldest finished ones are dropped, except those that the
 * story may refer to.
 */
export class DeliveryLog {
  readonly #isReferenced: (delivery: DeliveryState) => boolean
  readonly #records = new Map<string, DeliveryRecord>()
  /** The finished deliveries, in the order in which they finished. */
  readonly #finished = new Set<DeliveryRecord>()

  /** `isReferenced` returns whether the story may refer to a delivery; by default it refers to none. */
  constructor(isReferenced: (delivery: DeliveryState) => boolean = () => false) {
    this.#isReferenced = isReferenced
  }

  get size(): number {
    return this.#records.size
  }

  add(record: DeliveryRecord): void {
    this.#records.set(record.state.id, record)
    this.noteChange(record)
  }

  /** Drops the oldest finished delivery if another one has finished. */
  noteChange(record: DeliveryRecord): void {
    if (!record.hasFinished) this.#finished.delete(record)
    else if (!this.#isReferenced(record.state)) this.#finished.add(record)
    const [oldest] = this.#finished
    if (!oldest || this.#finished.size <= keptFinished) return
    this.#finished.delete(oldest)
    this.#records.delete(oldest.state.id)
  }

  get(id: string): DeliveryRecord | undefined {
    return this.#records.get(id)
  }

  list({ since, limit, ...wanted }: DeliveryFilter = {}): DeliveryRecord[] {
    const all = [...this.#records.values()]
    const later = since === undefined ? all : all.slice(all.findIndex(({ state }) => state.id === since) + 1)
    return later.filter(({ state }) => matches(state, wanted)).slice(0, limit)
  }

  /** Returns the deliveries on which the future depends: the unfinished ones, and those that the story may refer to. */
  needed(): DeliveryState[] {
    const all = [...this.#records.values()].map(({ state }) => state)
    return all.filter((state) => !hasFinished(state) || this.#isReferenced(state))
  }
}

function matches({ event, webhook_id, url, status }: DeliveryState, wanted: DeliveryFilter): boolean {
  return (
    (wanted.event === undefined || event.type === wanted.event) &&
    (wanted.status === undefined || status === wanted.status) &&
    (wanted.webhook === undefined || webhook_id === wanted.webhook) &&
    (wanted.message === undefined || event.message_id === wanted.message) &&
    (wanted.url === undefined || url === normalized(wanted.url))
  )
}

/** Returns a URL in the form in which subscriptions have it. */
function normalized(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url
}
