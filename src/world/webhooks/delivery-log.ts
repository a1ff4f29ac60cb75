import type { EventType } from '../../contract/events.js'
import type { DeliveryStatus } from './delivery.js'
import type { DeliveryRecord } from './delivery-record.js'

/** Which deliveries are meant; what is left out may be anything. */
export interface DeliveryFilter {
  readonly event?: EventType | undefined
  readonly status?: DeliveryStatus | undefined
  /** The id of a subscription. */
  readonly webhook?: string | undefined
  readonly url?: string | undefined
}

/** How many deliveries that are over are kept. */
const mostKept = 100_000

/** The deliveries of a world, in the order of their events; of those that are over, the oldest are forgotten. */
export class DeliveryLog {
  readonly #records = new Map<string, DeliveryRecord>()

  /** How many there are. */
  get size(): number {
    return this.#records.size
  }

  /** Adds one. */
  add(record: DeliveryRecord): void {
    this.#records.set(record.id, record)
    if (this.#records.size > mostKept) this.#forgetOldest()
  }

  /** The delivery of that id. */
  get(id: string): DeliveryRecord | undefined {
    return this.#records.get(id)
  }

  /** Those that are meant, the oldest first. */
  list({ event, status, webhook, url }: DeliveryFilter = {}): DeliveryRecord[] {
    return [...this.#records.values()].filter((record) => {
      return (
        (event === undefined || record.event.type === event) &&
        (status === undefined || record.state.status === status) &&
        (webhook === undefined || record.webhookId === webhook) &&
        (url === undefined || record.url === url)
      )
    })
  }

  #forgetOldest(): void {
    for (const [id, { isOver }] of this.#records) {
      if (!isOver) continue
      this.#records.delete(id)
      return
    }
  }
}
