import type { Readings } from '../../contract/gaps.js'
import { createRandom } from '../random.js'
import { createSettle, createSilentSettle, type NoteReliance } from '../settle.js'

/** The longest that a first attempt is held back so that another may overtake it, in milliseconds. */
const longest = 450

/** A first attempt: when its event happened, and how long it would be held back. */
interface Turn {
  readonly at: number
  readonly delay: number
}

/** How a first attempt goes out. */
export interface Departure {
  /** Milliseconds it is held back. */
  readonly delay: number
  /** Whether it also waits for the first attempts before it. */
  readonly inTurn: boolean
}

/** The order in which the first attempts of one subscription go out. */
export class DeliveryOrder {
  readonly #seed: number
  #recent: readonly Turn[] = []

  constructor(seed: number) {
    this.#seed = seed
  }

  /** How the next one goes out; what it relies on is noted where it would overtake another. @see interface 6 */
  next(deliveryId: string, at: number, readings: Readings, note: NoteReliance): Departure {
    const delay = createRandom(this.#seed, `deliveries/${deliveryId}/order`).integer(0, longest / 50) * 50
    const close = this.#recent.filter((turn) => turn.at + longest > at)
    const overtakes = close.some((turn) => turn.at + turn.delay > at + delay)
    // Of many at one instant, those before the last hundred have been noted already.
    this.#recent = [...close.slice(-99), { at, delay }]
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
