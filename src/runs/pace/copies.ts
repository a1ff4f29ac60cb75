import type { World } from '../../service/world/world.js'

/**
 * Lets copies of an agent that run side by side send their requests in turn: one is handled once all others rest. So what they
 * do at once happens in the same order each time, and in one that shows what they do without regard for each other.
 */
export class Copies {
  /** What lets each request pass that waits for its turn, with the start whose request it is. */
  readonly #waiting = new Map<() => void, number>()
  /** The start whose request passed last. */
  #last = 0

  /** Has the requests of several copies wait for their turn before anything else while a story is told in their own time. */
  constructor(world: World, areSeveral: () => boolean) {
    const { gate } = world
    world.gate = (request) => {
      const start = world.agentLife?.client?.start
      const isInTurn = start !== undefined && world.clock.mode === 'auto' && areSeveral()
      return isInTurn ? this.#turn(start, request.signal).then(() => gate?.(request)) : gate?.(request)
    }
  }

  /** The number of requests that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size
  }

  #turn(start: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const pass = (): void => {
        this.#waiting.delete(pass)
        resolve()
      }
      this.#waiting.set(pass, start)
      signal.addEventListener('abort', pass, { once: true })
    })
  }

  /** Lets one request pass: of the next copy after that whose request passed last. Returns whether one waited. */
  passNext(): boolean {
    const inTurn = [...this.#waiting].sort(([, one], [, other]) => one - other)
    const [pass, start] = inTurn.find(([, one]) => one > this.#last) ?? inTurn[0] ?? []
    this.#last = start ?? this.#last
    pass?.()
    return pass !== undefined
  }

  /** Lets all requests pass. */
  open(): void {
    for (const pass of this.#waiting.keys()) pass()
  }
}
