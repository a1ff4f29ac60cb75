import type { EventType } from '../../contract/events.js'
import { type Delivery, type DeliveryStatus, parseInstant } from '../../world/index.js'
import type { Moment } from './moment.js'

/** What is kept of a delivery. */
export interface KnownDelivery {
  readonly id: string
  readonly event: EventType
  readonly url: string
  readonly status: DeliveryStatus
  /** When its event happened. */
  readonly began: Moment
  /** When it came to the status it has. */
  readonly reached: Moment
  readonly attempts: number
  /** What became of it last, for people; empty where there is nothing to tell. */
  readonly outcome: string
}

/** The deliveries of a story in the order of their events, each as it was last heard of. */
export class DeliveryBook {
  readonly #known = new Map<string, KnownDelivery>()

  /** Takes in how far a delivery is. */
  note(delivery: Delivery, moment: Moment): void {
    const { id, event, url, status, attempts } = delivery
    const before = this.#known.get(id)
    this.#known.set(id, {
      id,
      event: event.type,
      url,
      status,
      began: before?.began ?? { at: parseInstant(event.at) ?? moment.at, seq: moment.seq },
      reached: before?.status === status ? before.reached : moment,
      attempts: attempts.length,
      outcome: outcomeOf(delivery),
    })
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

/** A delivery in a line, for people: `message.bounced to http://127.0.0.1:8787/hook failed after 4 attempts`. */
export function formatDelivery({ event, url, status, attempts }: KnownDelivery): string {
  const after = attempts === 0 ? '' : ` after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  return `${event} to ${url} ${status}${after}`
}

function outcomeOf({ reason, attempts }: Delivery): string {
  if (reason !== null) return reason
  const last = attempts.at(-1)
  if (!last) return ''
  if (last.error) return `attempt ${last.number}: ${last.error.message}`
  return last.response ? `attempt ${last.number}: answered ${last.response.status}` : ''
}
