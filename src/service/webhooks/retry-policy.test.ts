import { describe, expect, it } from 'vitest'
import { defaultAssumptions } from '../../contract/gaps.js'
import { type AssumptionChoices, withChoices } from '../assumptions/assumptions.js'
import { createSettle } from '../assumptions/settle.js'
import { type Failure, isDuplicated, retryDelay } from './retry-policy.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const at = Date.parse('2026-01-05T09:00:00Z')

const settleUnder = (choices: AssumptionChoices) => createSettle(withChoices(defaultAssumptions, choices))

function failure(more: Partial<Failure> & { status?: number; retryAfter?: string } = {}): Failure {
  const { status = 500, retryAfter: asked, ...fields } = more
  const headers: Record<string, string> = asked === undefined ? {} : { 'retry-after': asked }
  const answer = { status, headers, body: null }
  return { failures: 1, answer, at, seed: 7, path: 'events/evt_1/webhooks/whk_1', ...fields }
}

describe('Retry-After', () => {
  function delayAfter(retryAfter: string): number | undefined {
    const choices = { 'events.retries': 'svix', 'events.retry-after': 'honoured' }
    return retryDelay(failure({ retryAfter }), settleUnder(choices))
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

describe('a duplicate', () => {
  it('is sent for one delivery in three for any seed', () => {
    const chosen = new Set<string>()
    for (const seed of [0, 1, 7, -3]) {
      const settle = settleUnder({ 'events.duplicates': 'occasional-duplicate' })
      const isTwice = (ordinal: number) => isDuplicated(seed, 'whk_1', ordinal, settle)
      for (let first = 0; first < 300; first += 3) {
        expect([first, first + 1, first + 2].filter(isTwice)).toHaveLength(1)
      }
      chosen.add(Array.from({ length: 30 }, (_, ordinal) => Number(isTwice(ordinal))).join(''))
    }
    expect(chosen.size).toBe(4)
  })
})
