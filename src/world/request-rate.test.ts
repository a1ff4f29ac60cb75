import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RateStanding, RequestRate } from './request-rate.js'

const minute = 60_000

/** Counts by a scan of all requests. */
class PlainRate {
  readonly #requests: { key: string; at: number }[] = []

  count(key: string, now: number): RateStanding {
    this.#requests.push({ key, at: now })
    const recent = this.#requests.filter((request) => request.key === key && request.at > now - minute)
    const oldest = Math.min(...recent.map(({ at }) => at))
    return { count: recent.length, retryAfter: Math.max(1, Math.ceil((oldest + minute - now) / 1000)) }
  }

  uncount(key: string): void {
    const latest = this.#requests.findLastIndex((request) => request.key === key)
    this.#requests.splice(latest, 1)
  }
}

const requests = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    pause: fc.constantFrom(0, 1, 999, 1000, 20_000, 59_999, 60_000, 90_000, 120_000),
  }),
  { maxLength: 60 },
)
const limits = fc.integer({ min: 1, max: 6 })

describe('RequestRate', () => {
  it('counts like a scan when requests above the limit are refused', () => {
    fc.assert(
      fc.property(requests, limits, (made, limit) => {
        const [rate, plain] = [new RequestRate(limit), new PlainRate()]
        let now = 0
        for (const { key, pause } of made) {
          now += pause
          const standing = rate.count(key, now)
          expect(standing).toEqual(plain.count(key, now))
          expect(standing.count).toBeLessThanOrEqual(limit + 1)
          if (standing.count <= limit) continue
          rate.uncount(key)
          plain.uncount(key)
        }
      }),
    )
  })

  it('forgets unused keys', () => {
    const rate = new RequestRate(60)
    let most = 0
    for (let number = 0; number < 10_000; number++) {
      rate.count(`key-${number}`, number * 1000)
      most = Math.max(most, rate.size)
    }
    expect(most).toBeLessThanOrEqual(120)
    expect(rate.count('key-9990', 10_000_000)).toEqual({ count: 2, retryAfter: 50 })
    rate.count('last', 20_000_000)
    expect(rate.size).toBeLessThanOrEqual(121)
    rate.count('last', 20_060_000)
    expect(rate.size).toBe(1)
  })

  it('forgets all requests at a reset and ignores unknown keys', () => {
    const rate = new RequestRate(60)
    rate.uncount('unknown')
    rate.count('a', 0)
    rate.reset()
    expect(rate.count('a', 0).count).toBe(1)
  })
})
