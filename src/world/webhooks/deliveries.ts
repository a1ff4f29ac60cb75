import { checkOptions } from '../../contract/options.js'
import { eventTypes } from '../../contract/resources.js'
import type { MailboxStore } from '../../model/index.js'
import { CommandError } from '../errors.js'
import type { Masker } from '../masking/masker.js'
import { notFound } from '../not-found.js'
import { type Delivery, type DeliveryAttempt, deliveryStatuses } from './delivery.js'
import type {
  DeliveryContent,
  DeliveryFilter,
  DeliveryRecord,
  DeliveryState,
  RecordedAttempt,
} from './delivery-record.js'
import type { DeliveryDispatcher } from './dispatcher.js'

/** The world that deliveries belong to. */
export interface DeliveriesWorld {
  readonly masker: Masker
  readonly dispatcher: DeliveryDispatcher
  readonly store: MailboxStore
  /** @throws WorldError */
  assertOpen(): void
}

/** A delivery that is rendered when somebody looks. */
export interface DeliveryEntry {
  show(): Delivery
}

const filterOptions = {
  event: eventTypes,
  status: deliveryStatuses,
  webhook: 'string',
  url: 'string',
  message: 'string',
  since: 'string',
  limit: 'number',
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

  /** Returns the selected ones in the order of their events. @throws CommandError `not-found` where `since` is unknown */
  list(filter: DeliveryFilter = {}): Delivery[] {
    checkOptions('deliveries.list', filter, filterOptions)
    return this.entries(filter).map((entry) => entry.show())
  }

  /** Returns the same unrendered: all of them may be more than fits into memory. @internal */
  entries(filter: DeliveryFilter = {}): DeliveryEntry[] {
    if (filter.since !== undefined) this.#existing(filter.since)
    const records = this.#world.dispatcher.log.list(filter)
    const masker = this.#world.masker.asOfNow()
    return records.map((record) => ({ show: () => showDelivery(record, record.state, masker) }))
  }

  /** Returns the delivery of that id, as long as it is kept. @internal */
  find(id: string): Delivery | undefined {
    const record = this.#world.dispatcher.log.get(id)
    return record && this.#show(record)
  }

  /** Returns the delivery of that id. @throws CommandError `not-found` */
  get(id: string): Delivery {
    return this.#show(this.#existing(id))
  }

  /**
   * Sends a delivery once more, with the same event id; returns it when its receiver has answered.
   * @throws CommandError `not-found`, WorldError
   */
  async redeliver(id: string): Promise<Delivery> {
    this.#world.assertOpen()
    const record = this.#existing(id)
    if (!this.#world.store.get('webhook', record.content.webhook_id)) {
      throw new CommandError(
        'not-found',
        `The subscription of the delivery "${id}" was deleted, so it has no receiver; another one gets what comes from now on.`,
      )
    }
    await this.#world.dispatcher.redeliver(record)
    return this.#show(record)
  }

  #existing(id: string): DeliveryRecord {
    const record = this.#world.dispatcher.log.get(id)
    if (record) return record
    throw notFound('delivery', id)
  }

  #show(record: DeliveryRecord): Delivery {
    return showDelivery(record, record.state, this.#world.masker)
  }
}

/** Renders a delivery for people, with keys and tokens masked. */
export function showDelivery(
  { content }: DeliveryRecord,
  { status, reason, attempts, nextAttemptAt, reliances }: DeliveryState,
  masker: Masker,
): Delivery {
  const { id, event, webhook_id, url } = content
  const { id: event_id, type, at, ...about } = event
  return {
    id,
    status,
    event: { id: event_id, type, at },
    webhook_id,
    url: masker.url(url),
    reason: reason === null ? null : masker.text(reason),
    ...about,
    attempts: attempts.map((attempt, index) => showAttempt(attempt, index + 1, content, masker)),
    next_attempt_at: nextAttemptAt,
    reliances,
  }
}

function showAttempt(
  { cause, at, duration_ms, headers, answer, error }: RecordedAttempt,
  number: number,
  { url, body }: DeliveryContent,
  worldMasker: Masker,
): DeliveryAttempt {
  const sent = Object.entries(headers)
  // A receiver may answer with the token it was sent.
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
