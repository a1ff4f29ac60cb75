import type { Simulator } from '../../simulator/simulator.js'
import { parseInstant } from '../../world/index.js'
import type { Verdict } from '../verdict.js'
import { type Numbered, Trial } from './trial.js'

/**
 * Watches a simulator, and says what becomes of what its scenario expects. It has to be there from the start of the
 * story: of what happened before, it knows what the simulator's events still tell. After a reset it begins anew.
 */
export class Judge {
  readonly #simulator: Simulator
  readonly #stop: () => void
  /** The number of the latest happening that was taken in. */
  #seq: number
  #trial: Trial

  constructor(simulator: Simulator) {
    const { feed } = simulator.events
    this.#simulator = simulator
    this.#seq = feed.oldest - 1
    this.#trial = new Trial(simulator, [...this.#unread()])
    this.#stop = feed.subscribe(() => this.#readOn())
  }

  /**
   * What becomes of every expectation, in the order of the file, if the story is over now, or at another instant, ISO
   * 8601. Judging changes nothing: it may be asked as often as one likes.
   */
  verdicts(end = this.#simulator.clock.now()): Verdict[] {
    const instant = parseInstant(end)
    if (instant === undefined) throw new TypeError(`"${end}" is not an ISO 8601 instant.`)
    return this.#trial.verdicts(instant)
  }

  /** Those that nothing can change any more. */
  decided(): Verdict[] {
    return this.verdicts().filter(({ index }) => this.#trial.isDecided(index))
  }

  /** Watches no more; verdicts are about what happened until then. */
  close(): void {
    this.#stop()
  }

  #readOn(): void {
    for (const happening of this.#unread()) {
      if (happening.type === 'reset') this.#trial = new Trial(this.#simulator)
      else this.#trial.take(happening)
    }
  }

  *#unread(): IterableIterator<Numbered> {
    const { feed } = this.#simulator.events
    while (this.#seq < feed.latest) {
      const seq = ++this.#seq
      const kept = feed.keptAt(seq)
      if (kept) yield { ...kept, seq }
    }
  }
}
