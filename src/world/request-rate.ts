/** How the requests of one API key stand against a limit per minute of the world's clock. */
export interface RateStanding {
  /** Requests counted in the last minute, this one included. */
  readonly count: number
  /** Seconds until the oldest of them leaves the minute. */
  readonly retryAfter: number
}

const minute = 60_000

/**
 * Counts requests by key, remembering no more than a limit needs: of no key more requests than that, and no key for
 * more than two minutes after its last one.
 */
export class RequestRate {
  readonly #limit: number
  /** Keys asked with since the latest turn, and in the time before it; a turn comes when a minute is over. */
  #recent = new Map<string, number[]>()
  #earlier = new Map<string, number[]>()
  #turnedAt = Number.NEGATIVE_INFINITY

  /** `limit` is the highest number of requests anybody will ask about. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many keys it remembers. */
  get size(): number {
    return this.#recent.size + this.#earlier.size
  }

  /** Counts a request at an instant, none before the last one's; a count above the limit is only told to be above it. */
  count(key: string, now: number): RateStanding {
    const times = this.#timesOf(key, now)
    while (times.length > 0 && ((times[0] as number) <= now - minute || times.length > this.#limit)) {
      times.shift()
    }
    times.push(now)
    const oldest = times[0] as number
    return { count: times.length, retryAfter: Math.max(1, Math.ceil((oldest + minute - now) / 1000)) }
  }

  /** Takes back the latest request of a key: one that was refused does not count. */
  uncount(key: string): void {
    const times = this.#recent.get(key) ?? this.#earlier.get(key)
    times?.pop()
  }

  /** Forgets every request. */
  reset(): void {
    this.#recent.clear()
    this.#earlier.clear()
    this.#turnedAt = Number.NEGATIVE_INFINITY
  }

  /** The requests of a key, which is among the recent ones from now on. */
  #timesOf(key: string, now: number): number[] {
    if (now - this.#turnedAt >= minute) this.#turn(now)
    const known = this.#recent.get(key)
    if (known) return known
    const times = this.#earlier.get(key) ?? []
    this.#earlier.delete(key)
    this.#recent.set(key, times)
    return times
  }

  /** Forgets the keys that nobody has asked with since the turn before: the minute of their requests is over. */
  #turn(now: number): void {
    this.#earlier = this.#recent
    this.#recent = new Map()
    this.#turnedAt = now
  }
}
