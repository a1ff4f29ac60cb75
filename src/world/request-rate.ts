/** How the requests of one API key stand against a limit per minute of the world's clock. */
export interface RateStanding {
  /** Requests counted in the last minute, this one included. */
  readonly count: number
  /** Seconds until the oldest of them leaves the minute. */
  readonly retryAfter: number
}

const minute = 60_000

/** Counts requests by key, remembering no more than a limit needs. */
export class RequestRate {
  readonly #limit: number
  readonly #times = new Map<string, number[]>()

  /** `limit` is the highest number of requests anybody will ask about. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts a request at an instant; a count above the limit is only told to be above it. */
  count(key: string, now: number): RateStanding {
    let times = this.#times.get(key)
    if (!times) {
      times = []
      this.#times.set(key, times)
    }
    while (times.length > 0 && ((times[0] as number) <= now - minute || times.length > this.#limit)) {
      times.shift()
    }
    times.push(now)
    const oldest = times[0] as number
    return { count: times.length, retryAfter: Math.max(1, Math.ceil((oldest + minute - now) / 1000)) }
  }

  /** Takes back the latest request of a key: one that was refused does not count. */
  uncount(key: string): void {
    this.#times.get(key)?.pop()
  }

  /** Forgets every request. */
  reset(): void {
    this.#times.clear()
  }
}
