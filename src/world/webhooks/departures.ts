import type { Clock } from '../clock.js'
import type { AttemptCause } from './delivery.js'
import type { DeliveryRecord } from './delivery-record.js'
import { Lanes } from './lane.js'

/** How many requests are under way to one receiver at a time. */
const mostAtOnce = 10

/** Makes one attempt of a delivery; settled when it has ended. It does not fail. */
type Attempt = (record: DeliveryRecord, cause: AttemptCause) => Promise<void>

/** When attempts are made: at once, in turn, or later; never two of one delivery at a time. */
export class Departures {
  readonly #clock: Clock
  readonly #attempt: Attempt
  readonly #queues = new Lanes(1)
  readonly #turns = new Lanes(1)
  readonly #receivers = new Lanes(mostAtOnce)
  readonly #planned = new Map<string, () => void>()

  constructor(clock: Clock, attempt: Attempt) {
    this.#clock = clock
    this.#attempt = attempt
  }

  /** Has an attempt made after those of its delivery, as soon as its receiver has room; settled when that has ended. */
  leave(record: DeliveryRecord, cause: AttemptCause): Promise<void> {
    const receiver = new URL(record.url).origin
    return this.#turns.run(record.id, () => {
      return this.#receivers.run(receiver, () => this.#attempt(record, cause))
    })
  }

  /** Has the first attempt of a delivery made after those of its subscription before it. */
  leaveInTurn(record: DeliveryRecord): void {
    void this.#queues.run(record.webhookId, () => this.leave(record, 'event'))
  }

  /** Plans the next attempt: what failed is tried again when the clock says so, the rest comes without being asked for. */
  plan(record: DeliveryRecord, cause: AttemptCause, wait: number): void {
    const at = this.#clock.now() + wait
    const begin = (): void => {
      this.#planned.delete(record.id)
      record.put({ nextAttemptAt: null, duplicateIsDue: cause === 'duplicate' })
      void this.leave(record, cause)
    }
    record.put({ nextAttemptAt: at })
    const callOff = cause === 'retry' ? this.#clock.schedule(at, begin) : this.#clock.after(wait, begin)
    this.#planned.set(record.id, callOff)
  }

  /** Has nothing come of what is planned for a delivery. */
  callOff(record: DeliveryRecord): void {
    this.#planned.get(record.id)?.()
    this.#planned.delete(record.id)
    record.put({ nextAttemptAt: null })
  }

  /** Has nothing come of anything that is planned. */
  end(): void {
    for (const callOff of this.#planned.values()) callOff()
    this.#planned.clear()
  }
}
