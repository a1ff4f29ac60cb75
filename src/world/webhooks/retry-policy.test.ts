import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { found, settled } from '../../../test/support/webhooks/settled.js'
import { readingsOf } from '../../contract/gaps.js'
import type { Settle } from '../settle.js'
import type { AttemptResult } from './delivery.js'
import {
  duplicateDelay,
  type Failure,
  hasSucceeded,
  isDuplicated,
  noteTimeout,
  retryDelay,
} from './retry-policy.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const at = Date.parse('2026-01-05T09:00:00Z')

function failure(more: Partial<Failure> & { status?: number; retryAfter?: string } = {}): Failure {
  const { status = 500, retryAfter: asked, ...fields } = more
  const headers: Record<string, string> = asked === undefined ? {} : { 'retry-after': asked }
  const answer = { status, headers, body: null }
  return { failures: 1, answer, at, seed: 7, path: 'events/evt_1/webhooks/whk_1', ...fields }
}

describe('what a receiver asks for', () => {
  const asking = (retryAfter: string) => retryOf('svix', 'honoured', retryAfter)

  it.each([
    ['0', 0],
    ['120', 120 * second],
    ['Mon, 05 Jan 2026 09:02:00 GMT', 2 * minute],
    ['Monday, 05-Jan-26 09:00:30 GMT', 30 * second],
    ['Mon, 05 Jan 2026 08:00:00 GMT', 0],
    ['604800', 7 * 24 * hour],
    ['604801', 7 * 24 * hour],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 7 * 24 * hour],
  ])('Retry-After: %s', (asked, wait) => {
    expect(asking(asked)).toBe(wait)
  })

  it.each(['', '-5', '1.5', '2 minutes', '1e3', 'soon', '2026-01-05', 'Mon, nonsense GMT', '0x10'])(
    'counts for nothing where it is %j',
    (asked) => {
      expect(asking(asked)).toBe(5 * second)
    },
  )

  function retryOf(retries: string, asked: string, value: string): number | undefined {
    const choices = { 'events.retries': retries, 'events.retry-after': asked }
    return settled(choices, (settle) => retryDelay(failure({ retryAfter: value }), settle)).result
  }
})

describe('what the next attempt relies on', () => {
  const gaps = ['events.retries', 'events.gone', 'events.retry-after'] as const
  const anyChoices = fc.record(
    Object.fromEntries(
      gaps.map((gap) => [gap, fc.constantFrom(...readingsOf(gap).map(({ name }) => name))]),
    ) as Record<(typeof gaps)[number], fc.Arbitrary<string>>,
  )
  const anyFailure = fc
    .record({
      failures: fc.integer({ min: 1, max: 9 }),
      status: fc.constantFrom(500, 410),
      asked: fc.constantFrom(undefined, '120', 'soon'),
    })
    .map(({ failures, status, asked }) =>
      failure({ failures, status, ...(asked !== undefined && { retryAfter: asked }) }),
    )

  it('is what trying every other reading finds', () => {
    const exact = fc.property(anyChoices, anyFailure, (choices, failed) => {
      const perform = (settle: Settle) => retryDelay(failed, settle)
      expect(settled(choices, perform).noted).toEqual(found(gaps, choices, perform))
    })
    fc.assert(exact, { numRuns: 500 })
  })
})

/** Which of so many deliveries of a subscription come twice. */
function twice(reading: string, seed: number, webhookId = 'whk_1', count = 300) {
  const all = Array.from({ length: count }, (_, ordinal) =>
    settled({ 'events.duplicates': reading }, (settle) => isDuplicated(seed, webhookId, ordinal, settle)),
  )
  return { results: all.map(({ result }) => result), noted: all.map(({ noted }) => noted) }
}

describe('a delivery that succeeded', () => {
  it('comes once where each comes exactly once, and relies on that where it would come twice', () => {
    const { results, noted } = twice('exactly-once', 7)
    const other = twice('occasional-duplicate', 7)
    expect(results).not.toContain(true)
    expect(noted).toEqual(
      other.results.map((again) => (again ? { 'events.duplicates': ['occasional-duplicate'] } : {})),
    )
    expect(other.noted).toEqual(
      other.results.map((again) => (again ? { 'events.duplicates': ['exactly-once'] } : {})),
    )
  })

  it('comes again one time in three, whatever the seed', () => {
    for (const seed of [0, 1, 7, -3]) {
      const { results } = twice('occasional-duplicate', seed)
      for (let from = 0; from < results.length; from += 3) {
        expect(results.slice(from, from + 3).filter(Boolean)).toHaveLength(1)
      }
    }
  })

  it('comes again as the seed and its subscription decide', () => {
    const of = (seed: number, webhookId: string) => twice('occasional-duplicate', seed, webhookId).results
    expect(of(7, 'whk_1')).toEqual(of(7, 'whk_1'))
    expect(of(8, 'whk_1')).not.toEqual(of(7, 'whk_1'))
    expect(of(7, 'whk_2')).not.toEqual(of(7, 'whk_1'))
  })

  it('comes again within a second or so', () => {
    const waits = Array.from({ length: 100 }, (_, index) => duplicateDelay(7, `events/${index}/webhooks/1`))
    expect(Math.min(...waits)).toBeGreaterThan(0)
    expect(Math.max(...waits)).toBeLessThanOrEqual(1000)
    expect(new Set(waits).size).toBeGreaterThan(1)
  })
})

function answered(status: number, duration_ms = 1): AttemptResult {
  return { duration_ms, answer: { status, headers: {}, body: null }, error: null }
}

function failedBy(code: 'timeout' | 'unreachable' | 'incomplete', duration_ms: number): AttemptResult {
  return { duration_ms, answer: null, error: { code, message: '' } }
}

describe('whether an attempt succeeded', () => {
  it.each([
    [200, true, true],
    [201, true, false],
    [204, true, false],
    [299, true, false],
    [199, false, false],
    [300, false, false],
    [302, false, false],
    [400, false, false],
    [410, false, false],
    [500, false, false],
    [0, false, false],
  ])('%i: 2xx %s, 200-only %s', (status, any2xx, only200) => {
    const under = (reading: string) => settled({ 'events.success': reading }, succeeded(answered(status)))
    const [any, only] = [under('2xx'), under('200-only')]
    expect([any.result, only.result]).toEqual([any2xx, only200])
    const differs = any2xx !== only200
    expect(any.noted).toEqual(differs ? { 'events.success': ['200-only'] } : {})
    expect(only.noted).toEqual(differs ? { 'events.success': ['2xx'] } : {})
  })

  it('is not where there was no whole answer, whatever its status', () => {
    const broken: AttemptResult = {
      ...answered(204),
      error: { code: 'incomplete', message: 'The answer was cut off.' },
    }
    for (const outcome of [broken, failedBy('unreachable', 1)]) {
      expect(settled({}, succeeded(outcome))).toEqual({ result: false, noted: {} })
    }
  })

  function succeeded(outcome: AttemptResult) {
    return (settle: Settle) => hasSucceeded(outcome, settle)
  }
})

describe('the time a receiver has', () => {
  const limits = { '5s': 5000, '10s': 10_000, '15s': 15_000, '30s': 30_000 }

  /** When an attempt would have ended, and how: all that another limit may change of it. */
  function endUnder(limit: number, takes: number): AttemptResult {
    return takes > limit ? failedBy('timeout', limit) : answered(200, takes)
  }

  it('is relied on by whatever would have ended otherwise under another limit', () => {
    const seconds = fc.constantFrom(0.1, 3, 5, 7, 10, 12, 15, 20, 30, 40).map((number) => number * 1000)
    const reading = fc.constantFrom(...(Object.keys(limits) as (keyof typeof limits)[]))
    fc.assert(
      fc.property(seconds, reading, (takes, inForce) => {
        const outcome = endUnder(limits[inForce], takes)
        const instead = Object.entries(limits)
          .filter(([, limit]) => JSON.stringify(endUnder(limit, takes)) !== JSON.stringify(outcome))
          .map(([name]) => name)
        const { noted } = settled({ 'events.timeout': inForce }, (settle) => noteTimeout(outcome, settle))
        // Nobody knows how much longer a receiver would have taken that was not waited for.
        const wanted =
          takes > limits[inForce] ? Object.keys(limits).filter((name) => name !== inForce) : instead
        expect(noted).toEqual(wanted.length > 0 ? { 'events.timeout': wanted.toSorted() } : {})
      }),
    )
  })

  it('is relied on by a failure that took longer than another limit', () => {
    const notedAfter = (duration_ms: number) =>
      settled({}, (settle) => noteTimeout(failedBy('unreachable', duration_ms), settle)).noted
    expect(notedAfter(7000)).toEqual({ 'events.timeout': ['5s'] })
    expect(notedAfter(4000)).toEqual({})
  })
})
