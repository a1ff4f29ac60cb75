/** The recent requests of one API key, on the world's clock. */
export interface RateStanding {
  /** Requests in the last minute, including this one. */
  readonly count: number
  /** Seconds until the oldest of them is more than a minute ago. */
  readonly retryAfter: number
}

const minute = 60_000

/** Counts the requests of the last minute by API key; forgets a key at most two minutes after its last request. */
export class RequestRate {
  readonly #limit: number
  /** The instants of each key's requests, the oldest first. */
  readonly #times = new Map<string, number[]>()
  #sweptAt = Number.NEGATIVE_INFINITY

  /** `limit` is the highest count of interest; more requests than that are not remembered. */
  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#times.size
  }

  /** Counts a request at an instant, which must not precede the last one; the count is at most the limit plus one. */
  count(key: string, now: number): RateStanding {
    if (now - this.#sweptAt >= minute) this.#sweep(now)
    const recent = (this.#times.get(key) ?? []).filter((at) => at > now - minute)
    const times = [...recent.slice(-this.#limit), now]
    this.#times.set(key, times)
    const oldest = times[0] as number
    return { count: times.length, retryAfter: Math.max(1, Math.ceil((oldest + minute - now) / 1000)) }
  }

  /** Takes back the latest request of a key, since refused requests do not count. */
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
