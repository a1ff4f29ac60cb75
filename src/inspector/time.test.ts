import { describe, expect, it } from 'vitest'
import { exactTime, shortTime, timeDistance } from './time.js'

const now = '2026-01-05T14:40:00.000Z'

describe('times in lists', () => {
  it.each([
    ['2026-01-05T00:00:00.000Z', '00:00', '00:00:00'],
    ['2026-01-05T23:59:59.000Z', '23:59', '23:59:59'],
    ['2026-01-04T23:59:59.000Z', 'Sun', 'Sun 23:59:59'],
    ['2025-12-30T09:30:00.000Z', 'Tue', 'Tue 09:30:00'],
    ['2025-12-29T09:30:00.000Z', '29 Dec 2025', '29 Dec 2025 09:30:00'],
    ['2026-01-06T09:30:00.000Z', '6 Jan', '6 Jan 09:30:00'],
    ['2024-11-23T14:31:05.000Z', '23 Nov 2024', '23 Nov 2024 14:31:05'],
  ])('%s is short, but clear beside the time of the story', (at, short, exact) => {
    expect([shortTime(at, now), exactTime(at, now)]).toEqual([short, exact])
  })

  it('are told as a distance as well', () => {
    expect(timeDistance('2026-01-05T14:37:00.000Z', now)).toBe('3 minutes ago')
    expect(timeDistance('2026-01-07T14:40:00.000Z', now)).toBe('in 2 days')
  })
})
