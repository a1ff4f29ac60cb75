import type { EventType } from '../../contract/events.js'
import { formatDelivery } from '../../simulator/delivery-line.js'
import { type Delivery, type DeliveryStatus, parseInstant } from '../../world/index.js'
import type { Moment } from './moment.js'

/** What is kept of a delivery. */
export interface KnownDelivery {
  readonly event: EventType
  readonly url: string
  readonly status: DeliveryStatus
  /** When its event happened. */
  readonly began: Moment
  /** When it came to the status it has. */
  readonly reached: Moment
  /** It in a line, for people. */
  readonly line: string
  /** Why it has come no further, for people. */
  readonly reasons: readonly string[]
}

/** The deliveries of a story in the order of their events, each as it was last heard of. */
export class DeliveryBook {
  readonly #known = new Map<string, KnownDelivery>()
  readonly #happened = new Map<EventType, number>()

  /** Takes in how far a delivery is. */
  note(delivery: Delivery, moment: Moment): void {
    const { id, event, url, status, reason, attempts } = delivery
    const before = this.#known.get(id)
    const error = attempts.at(-1)?.error?.message
    this.#known.set(id, {
      event: event.type,
      url,
      status,
      began: before?.began ?? { at: parseInstant(event.at) ?? moment.at, seq: moment.seq },
      reached: before?.status === status ? before.reached : moment,
      line: formatDelivery(delivery),
      reasons: [...new Set([error, reason].flatMap((text) => text ?? []))],
    })
  }

  /** Takes in that something happened of which subscriptions may be told. */
  noteEvent(type: EventType): void {
    this.#happened.set(type, this.happened(type) + 1)
  }

  /** How often something happened of which subscriptions may be told. */
  happened(type: EventType): number {
    return this.#happened.get(type) ?? 0
  }

  /** The delivery of that id. */
  get(id: string): KnownDelivery | undefined {
    return this.#known.get(id)
  }

  /** The deliveries of an event type, in the order of their events. */
  of(event: EventType): KnownDelivery[] {
    return [...this.#known.values()].filter((delivery) => delivery.event === event)
  }
}
