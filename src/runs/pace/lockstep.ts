/** A request that waits for its turn. */
interface Waiting {
  readonly start: number
  readonly pass: () => void
}

/**
 * Lets copies of an agent that run side by side send their requests in turn, so that what they do at once happens in the
 * same order each time, and in one that shows what they do without regard for each other.
 */
export class Lockstep {
  readonly #isSeveral: () => boolean
  #waiting: readonly Waiting[] = []
  /** The start whose request passed last. */
  #last = 0

  /** `isSeveral` returns whether several copies run. */
  constructor(isSeveral: () => boolean) {
    this.#isSeveral = isSeveral
  }

  /** Whether requests have to wait for their turn. */
  get isActive(): boolean {
    return this.#isSeveral()
  }

  /** The number of requests that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Makes a request of a start wait for its turn, if several copies run. */
  admit(start: number, signal: AbortSignal): Promise<void> | undefined {
    if (!this.isActive) return undefined
    return new Promise((resolve) => {
      const pass = (): void => {
        this.#waiting = this.#waiting.filter((one) => one.pass !== pass)
        resolve()
      }
      this.#waiting = [...this.#waiting, { start, pass }]
      signal.addEventListener('abort', pass, { once: true })
    })
  }

  /** Lets one request pass: of the next copy after that whose request passed last. Returns whether one waited. */
  passNext(): boolean {
    const inTurn = [...this.#waiting].sort((one, other) => one.start - other.start)
    const next = inTurn.find(({ start }) => start > this.#last) ?? inTurn[0]
    if (!next) return false
    this.#last = next.start
    next.pass()
    return true
  }

  /** Lets all requests pass. */
  open(): void {
    for (const { pass } of this.#waiting) pass()
  }
}
