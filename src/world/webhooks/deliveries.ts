import type { MailboxStore } from '../../model/index.js'
import { CommandError } from '../errors.js'
import type { Masker } from '../masking/masker.js'
import type { Courier } from './courier.js'
import type { Delivery } from './delivery.js'
import type { DeliveryFilter } from './delivery-log.js'
import { type DeliveryRecord, showDelivery } from './delivery-record.js'

/** What shows the deliveries of a world; what it shows is of the story the world is in the midst of. */
export interface DeliveriesParts {
  readonly masker: Masker
  courier(): Courier
  store(): MailboxStore
  /** @throws WorldError */
  assertOpen(): void
}

/** A delivery that is shown when somebody looks. */
export interface DeliveryEntry {
  show(): Delivery
}

/** The deliveries of a world, as users see them. */
export class Deliveries {
  readonly #parts: DeliveriesParts

  constructor(parts: DeliveriesParts) {
    this.#parts = parts
  }

  /** How many are kept. */
  get count(): number {
    return this.#parts.courier().log.size
  }

  /** Those that are meant, in the order of their events. @throws CommandError `not-found` where `since` is unknown */
  list(filter?: DeliveryFilter): Delivery[] {
    return this.entries(filter).map((entry) => entry.show())
  }

  /** The same as they are kept, each to be shown by itself: all of them may be more than fits into memory. @internal */
  entries(filter: DeliveryFilter = {}): DeliveryEntry[] {
    if (filter.since !== undefined) this.#existing(filter.since)
    const records = this.#parts.courier().log.list(filter)
    const masker = this.#parts.masker.asOfNow()
    return records.map((record) => ({ show: () => showDelivery(record, record.state, masker) }))
  }

  /** The delivery of that id, as long as it is kept. @internal */
  find(id: string): Delivery | undefined {
    const record = this.#parts.courier().log.get(id)
    return record && this.#show(record)
  }

  /** The delivery of that id. @throws CommandError `not-found` */
  get(id: string): Delivery {
    return this.#show(this.#existing(id))
  }

  /**
   * Sends a delivery once more, with the same event id; gives it back when its receiver has answered.
   * @throws CommandError `not-found`, WorldError
   */
  async redeliver(id: string): Promise<Delivery> {
    const { assertOpen, store, courier } = this.#parts
    assertOpen()
    const record = this.#existing(id)
    if (!store().get('webhook', record.webhookId)) {
      throw new CommandError('not-found', `The subscription of the delivery "${id}" was deleted.`)
    }
    await courier().redeliver(record)
    return this.#show(record)
  }

  #existing(id: string): DeliveryRecord {
    const record = this.#parts.courier().log.get(id)
    if (record) return record
    throw new CommandError('not-found', `There is no delivery "${id}" in this world.`)
  }

  #show(record: DeliveryRecord): Delivery {
    return showDelivery(record, record.state, this.#parts.masker)
  }
}
