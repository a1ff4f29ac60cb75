import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readingsOf } from '../../contract/gaps.js'
import { type Failure, retryAfter } from './retries.js'
import { found, settled } from './settled.fixture.js'

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

/** The waits after the first failure, the second, and so on, until there are no more. */
function scheduleOf(reading: string, more: Partial<Failure> = {}): number[] {
  const waits: number[] = []
  for (let failures = 1; failures < 20; failures++) {
    const choices = { 'events.retries': reading }
    const { result } = settled(choices, (settle) => retryAfter(failure({ ...more, failures }), settle))
    if (result === undefined) break
    waits.push(result)
  }
  return waits
}

describe('the schedule of retries', () => {
  it('is as Svix has it where a reading says so', () => {
    const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]
    expect(scheduleOf('svix')).toEqual(waits)
  })

  it('is empty where a reading says so', () => {
    expect(scheduleOf('none')).toEqual([])
  })

  it('has five waits, each about four times the one before, the first about ten seconds', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), (seed, path) => {
        const waits = scheduleOf('exponential-5', { seed, path })
        expect(waits).toHaveLength(5)
        for (const [index, wait] of waits.entries()) {
          const exact = 10 * second * 4 ** index
          expect(wait).toBeGreaterThanOrEqual(exact)
          expect(wait).toBeLessThanOrEqual(exact * 1.1)
          expect(Number.isInteger(wait)).toBe(true)
        }
      }),
    )
  })

  it('is the same for the same seed and delivery, and another for another', () => {
    const schedules = [{}, { seed: 8 }, { path: 'events/evt_2/webhooks/whk_1' }, {}].map((more) =>
      scheduleOf('exponential-5', more),
    )
    expect(schedules[3]).toEqual(schedules[0])
    expect(new Set(schedules.map(String)).size).toBe(3)
  })

  it('is as long where there was no answer at all', () => {
    expect(scheduleOf('exponential-5', { answer: undefined })).toEqual(scheduleOf('exponential-5'))
  })
})

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

  it('is never more than a week, beyond all numbers either', () => {
    expect(asking('9'.repeat(400))).toBe(7 * 24 * hour)
  })

  it('counts for nothing where it is ignored, nor where nothing is tried again', () => {
    expect(retryOf('svix', 'ignored', '120')).toBe(5 * second)
    expect(retryOf('none', 'honoured', '120')).toBeUndefined()
  })

  function retryOf(retries: string, asked: string, value: string): number | undefined {
    const choices = { 'events.retries': retries, 'events.retry-after': asked }
    return settled(choices, (settle) => retryAfter(failure({ retryAfter: value }), settle)).result
  }
})

describe('a receiver that is gone', () => {
  it.each([
    ['retried', 410, 5 * second],
    ['final', 410, undefined],
    ['final', 404, 5 * second],
  ])('%s: %i', (reading, status, wait) => {
    const choices = { 'events.retries': 'svix', 'events.gone': reading }
    expect(settled(choices, (settle) => retryAfter(failure({ status }), settle)).result).toBe(wait)
  })
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
      const perform = (settle: Parameters<typeof retryAfter>[1]) => retryAfter(failed, settle)
      expect(settled(choices, perform).noted).toEqual(found(gaps, choices, perform))
    })
    fc.assert(exact, { numRuns: 500 })
  })
})
