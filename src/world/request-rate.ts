/** How the requests of one API key stand against a limit per minute of the world's clock. */
export interface RateStanding {
  /** Requests counted in the last minute, this one included. */
  readonly count: number
  /** Seconds until the oldest of them leaves the minute. */
  readonly retryAfter: number
}

const minute = 60_000

/** Counts requests by key: of each key as many as a limit needs, and no key longer than two minutes after its last one. */
export class RequestRate {
  readonly #limit: number
  /** The instants of the requests of each key, the oldest first. */
  readonly #times = new Map<string, number[]>()
  #sweptAt = Number.NEGATIVE_INFINITY

  /** `limit` is the highest number of requests anybody will ask about. */
  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#times.size
  }

  /** Counts a request at an instant, none before the last one's; the count never exceeds the limit by more than one. */
  count(key: string, now: number): RateStanding {
    if (now - this.#sweptAt >= minute) this.#sweep(now)
    const recent = (this.#times.get(key) ?? []).filter((at) => at > now - minute)
    const times = [...recent.slice(-this.#limit), now]
    this.#times.set(key, times)
    const oldest = times[0] as number
    return { count: times.length, retryAfter: Math.max(1, Math.ceil((oldest + minute - now) / 1000)) }
  }

  /** Takes back the latest request of a key: one that was refused does not count. */
  uncount(key: string): void {
    this.#times.get(key)?.pop()
  }

  reset(): void {
    this.#times.clear()
    this.#sweptAt = Number.NEGATIVE_INFINITY
  }

  #sweep(now: number): void {
    this.#sweptAt = now
    for (const [key, times] of this.#times) {
      if (times.every((at) => at <= now - minute)) this.#times.delete(key)
    }
  }
}
