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
  /** The id of the message it is about. */
  readonly message?: string | undefined
  /** The id of a delivery: only those that come after it. */
  readonly since?: string | undefined
  /** At most so many, the oldest of them. */
  readonly limit?: number | undefined
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
  list({ since, limit, ...wanted }: DeliveryFilter = {}): DeliveryRecord[] {
    const all = [...this.#records.values()]
    const later = since === undefined ? all : all.slice(all.findIndex(({ id }) => id === since) + 1)
    return later.filter((record) => isMeant(record, wanted)).slice(0, limit)
  }

  /** Those that are not over, the oldest first. */
  unfinished(): DeliveryRecord[] {
    return [...this.#records.values()].filter(({ isOver }) => !isOver)
  }

  #forgetOldest(): void {
    for (const [id, { isOver }] of this.#records) {
      if (!isOver) continue
      this.#records.delete(id)
      return
    }
  }
}

function isMeant(
  { event, state, webhookId, url }: DeliveryRecord,
  wanted: Omit<DeliveryFilter, 'since' | 'limit'>,
): boolean {
  return (
    (wanted.event === undefined || event.type === wanted.event) &&
    (wanted.status === undefined || state.status === wanted.status) &&
    (wanted.webhook === undefined || webhookId === wanted.webhook) &&
    (wanted.message === undefined || event.messageId === wanted.message) &&
    (wanted.url === undefined || url === normalized(wanted.url))
  )
}

/** A URL as subscriptions have it. */
function normalized(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url
}
