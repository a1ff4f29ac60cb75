import type { DeliveryRecord, Outcome } from './delivery-record.js'

/** Milliseconds of wall time that an advance of the clock waits for a receiver, and for one that has timed out. */
const wall = { first: 2000, afterTimeout: 200 }

/** How long an advance of the clock waits for receivers: for one that is stuck, little. */
export class Patience {
  readonly #stuck = new Set<string>()

  /** Milliseconds of wall time that the next attempt of a delivery is waited for. */
  with({ url, hasTimedOut }: DeliveryRecord): number {
    return hasTimedOut || this.#stuck.has(url) ? wall.afterTimeout : wall.first
  }

  /** Takes in how an attempt of a delivery ended. */
  learn({ url }: DeliveryRecord, { error }: Outcome): void {
    if (error?.code === 'timeout') this.#stuck.add(url)
    else this.#stuck.delete(url)
  }
}
