import type { World } from '../../service/world/world.js'

/** A request that waits for its turn. */
interface Waiting {
  readonly start: number
  readonly pass: () => void
}

/**
 * Lets copies of an agent that run side by side send their requests in turn: one is handled once all others rest. So what they
 * do at once happens in the same order each time, and in one that shows what they do without regard for each other.
 */
export class Copies {
  /** Returns whether several run. */
  readonly #areSeveral: () => boolean
  readonly #waiting = new Set<Waiting>()
  /** The start whose request passed last. */
  #last = 0

  /** Has the requests of several copies wait for their turn before anything else while a story is told in their own time. */
  constructor(world: World, areSeveral: () => boolean) {
    this.#areSeveral = () => world.clock.mode === 'auto' && areSeveral()
    const { gate } = world
    world.gate = (request) => {
      const { start, isKilled = false } = world.agentLife?.client ?? {}
      const turn = start === undefined || isKilled ? undefined : this.#admit(start, request.signal)
      return turn ? turn.then(() => gate?.(request)) : gate?.(request)
    }
  }

  /** The number of requests that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Makes a request of a start wait for its turn, if several copies run. */
  #admit(start: number, signal: AbortSignal): Promise<void> | undefined {
    if (!this.#areSeveral()) return undefined
    return new Promise((resolve) => {
      const waiting = {
        start,
        pass: () => {
          this.#waiting.delete(waiting)
          resolve()
        },
      }
      this.#waiting.add(waiting)
      signal.addEventListener('abort', waiting.pass, { once: true })
    })
  }

  /** Lets one request pass: of the next copy after that whose request passed last. Returns whether one waited. */
  passNext(): boolean {
    const inTurn = [...this.#waiting].sort((one, other) => one.start - other.start)
    const next = inTurn.find(({ start }) => start > this.#last) ?? inTurn[0]
    this.#last = next?.start ?? this.#last
    next?.pass()
    return next !== undefined
  }

  /** Lets all requests pass. */
  open(): void {
    for (const { pass } of this.#waiting) pass()
  }
}
