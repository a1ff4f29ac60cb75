import { expect, it } from 'vitest'
import { formatDuration, formatSpan } from './story-time.js'

it.each([
  [0, '0s'],
  [250, '250ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [72_400, '1m12s'],
  [3_600_000, '1h'],
  [90_061_000, '1d1h1m1s'],
])('%i milliseconds are %s for people', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})

it('a span begins no later than it ends', () => {
  expect(formatSpan('2026-01-05T09:00:00.000Z', '2026-01-05T09:03:30.000Z')).toBe('3m30s')
  expect(formatSpan('2026-01-05T09:00:00.000Z', '2026-01-05T08:00:00.000Z')).toBe('0s')
})
