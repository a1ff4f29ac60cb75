import type { Readings } from '../../contract/gaps.js'
import { createRandom } from '../random.js'
import { createSettle, createSilentSettle, type NoteReliance } from '../settle.js'

/** The longest that a first attempt is held back so that another may overtake it, in milliseconds. */
const longest = 450

/** How a first attempt goes out. */
export interface Departure {
  /** Milliseconds it is held back. */
  readonly delay: number
  /** Whether it waits for the first attempts before it, instead of being held back. */
  readonly inTurn: boolean
}

/** The order in which the first attempts of one subscription go out. */
export class DeliveryOrder {
  readonly #seed: number
  /** When the last of those so far would go out, were each held back. */
  #latest = Number.NEGATIVE_INFINITY

  constructor(seed: number) {
    this.#seed = seed
  }

  /**
   * How the next one goes out, of a delivery of that path and an event at that instant; what it relies on is noted
   * where it would overtake another. @see interface 6
   */
  next(path: string, at: number, readings: Readings, note: NoteReliance): Departure {
    const delay = createRandom(this.#seed, `${path}/order`).integer(0, longest / 50) * 50
    const overtakes = at + delay < this.#latest
    this.#latest = Math.max(this.#latest, at + delay)
    createSettle(readings, note)(
      'events.order',
      { 'in-order': () => false, shuffled: () => overtakes },
      'shown',
    )
    const settle = createSilentSettle(readings)
    return settle('events.order', {
      'in-order': () => ({ delay: 0, inTurn: true }),
      shuffled: () => ({ delay, inTurn: false }),
    })
  }
}
