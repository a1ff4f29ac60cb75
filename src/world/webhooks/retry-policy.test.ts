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

describe('Retry-After', () => {
  function delayAfter(retryAfter: string): number | undefined {
    const choices = { 'events.retries': 'svix', 'events.retry-after': 'honoured' }
    return settled(choices, (settle) => retryDelay(failure({ retryAfter }), settle)).result
  }

  it.each([
    ['0', 0],
    ['120', 120 * second],
    ['Mon, 05 Jan 2026 09:02:00 GMT', 2 * minute],
    ['Monday, 05-Jan-26 09:00:30 GMT', 30 * second],
    ['Mon, 05 Jan 2026 08:00:00 GMT', 0],
    ['604800', 7 * 24 * hour],
    ['604801', 7 * 24 * hour],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 7 * 24 * hour],
  ])('delays the next attempt for %s', (asked, wait) => {
    expect(delayAfter(asked)).toBe(wait)
  })

  it.each(['', '-5', '1.5', '2 minutes', '1e3', 'soon', '2026-01-05', 'Mon, nonsense GMT', '0x10'])(
    'is ignored if it is %j',
    (asked) => {
      expect(delayAfter(asked)).toBe(5 * second)
    },
  )
})

describe('the reliances of the next attempt', () => {
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

  it('are the readings that change its delay', () => {
    const exact = fc.property(anyChoices, anyFailure, (choices, failed) => {
      const perform = (settle: Settle) => retryDelay(failed, settle)
      expect(settled(choices, perform).noted).toEqual(found(gaps, choices, perform))
    })
    fc.assert(exact, { numRuns: 500 })
  })
})

/** Returns for each of `count` deliveries of a subscription whether it is duplicated. */
function twice(reading: string, seed: number, webhookId = 'whk_1', count = 300) {
  const all = Array.from({ length: count }, (_, ordinal) =>
    settled({ 'events.duplicates': reading }, (settle) => isDuplicated(seed, webhookId, ordinal, settle)),
  )
  return { results: all.map(({ result }) => result), noted: all.map(({ noted }) => noted) }
}

describe('a duplicate', () => {
  it('is never sent under exactly-once, with a reliance where it otherwise would be', () => {
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

  it('is sent for one delivery in three for any seed', () => {
    for (const seed of [0, 1, 7, -3]) {
      const { results } = twice('occasional-duplicate', seed)
      for (let from = 0; from < results.length; from += 3) {
        expect(results.slice(from, from + 3).filter(Boolean)).toHaveLength(1)
      }
    }
  })

  it('depends on the seed and the subscription', () => {
    const of = (seed: number, webhookId: string) => twice('occasional-duplicate', seed, webhookId).results
    expect(of(7, 'whk_1')).toEqual(of(7, 'whk_1'))
    expect(of(8, 'whk_1')).not.toEqual(of(7, 'whk_1'))
    expect(of(7, 'whk_2')).not.toEqual(of(7, 'whk_1'))
  })

  it('is sent within a second', () => {
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

describe('hasSucceeded', () => {
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

  it('is false without a complete answer', () => {
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

describe('noteTimeout', () => {
  const limits = { '5s': 5000, '10s': 10_000, '15s': 15_000, '30s': 30_000 }

  /** Returns when and how an attempt ends under a limit. */
  function endUnder(limit: number, takes: number): AttemptResult {
    return takes > limit ? failedBy('timeout', limit) : answered(200, takes)
  }

  it('notes the limits under which an attempt would have ended differently', () => {
    const seconds = fc.constantFrom(0.1, 3, 5, 7, 10, 12, 15, 20, 30, 40).map((number) => number * 1000)
    const reading = fc.constantFrom(...(Object.keys(limits) as (keyof typeof limits)[]))
    fc.assert(
      fc.property(seconds, reading, (takes, inForce) => {
        const outcome = endUnder(limits[inForce], takes)
        const instead = Object.entries(limits)
          .filter(([, limit]) => JSON.stringify(endUnder(limit, takes)) !== JSON.stringify(outcome))
          .map(([name]) => name)
        const { noted } = settled({ 'events.timeout': inForce }, (settle) => noteTimeout(outcome, settle))
        // After a timeout, the time that the receiver would have taken is unknown.
        const wanted =
          takes > limits[inForce] ? Object.keys(limits).filter((name) => name !== inForce) : instead
        expect(noted).toEqual(wanted.length > 0 ? { 'events.timeout': wanted.toSorted() } : {})
      }),
    )
  })

  it('notes the limits that are shorter than a failure took', () => {
    const notedAfter = (duration_ms: number) =>
      settled({}, (settle) => noteTimeout(failedBy('unreachable', duration_ms), settle)).noted
    expect(notedAfter(7000)).toEqual({ 'events.timeout': ['5s'] })
    expect(notedAfter(4000)).toEqual({})
  })
})
