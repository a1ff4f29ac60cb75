import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Outcome } from './delivery-record.js'
import { settled } from './settled.fixture.js'
import { hasSucceeded, noteTimeLimit, timeLimit } from './success.js'

function answered(status: number, duration = 1): Outcome {
  return { duration, answer: { status, headers: {}, body: null }, error: null }
}

function failed(code: 'timeout' | 'unreachable' | 'incomplete', duration: number): Outcome {
  return { duration, answer: undefined, error: { code, message: '' } }
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
    const broken: Outcome = {
      ...answered(204),
      error: { code: 'incomplete', message: 'The answer ended before it was whole.' },
    }
    for (const outcome of [broken, failed('unreachable', 1)]) {
      expect(settled({}, succeeded(outcome))).toEqual({ result: false, noted: {} })
    }
  })

  function succeeded(outcome: Outcome) {
    return (settle: Parameters<typeof hasSucceeded>[1]) => hasSucceeded(outcome, settle)
  }
})

describe('the time a receiver has', () => {
  const limits = { '5s': 5000, '10s': 10_000, '15s': 15_000, '30s': 30_000 }

  it.each(Object.entries(limits))('is %s', (reading, limit) => {
    expect(settled({ 'events.timeout': reading }, timeLimit).result).toBe(limit)
  })

  /** When an attempt would have ended, and how: all that another limit may change of it. */
  function endUnder(limit: number, takes: number): Outcome {
    return takes > limit ? failed('timeout', limit) : answered(200, takes)
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
        const { noted } = settled({ 'events.timeout': inForce }, (settle) => noteTimeLimit(outcome, settle))
        // Nobody knows how much longer a receiver would have taken that was not waited for.
        const wanted =
          takes > limits[inForce] ? Object.keys(limits).filter((name) => name !== inForce) : instead
        expect(noted).toEqual(wanted.length > 0 ? { 'events.timeout': wanted.toSorted() } : {})
      }),
    )
  })

  it('is relied on by a failure that took longer than another limit', () => {
    const notedAfter = (duration: number) =>
      settled({}, (settle) => noteTimeLimit(failed('unreachable', duration), settle)).noted
    expect(notedAfter(7000)).toEqual({ 'events.timeout': ['5s'] })
    expect(notedAfter(4000)).toEqual({})
  })
})
