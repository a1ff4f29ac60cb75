import { expect, it } from 'vitest'
import { formatMoney } from './money.js'

it.each([
  [0, '€', '€0.00'],
  [5, '$', '$0.05'],
  [6_490, '£', '£64.90'],
  [100_005, 'CHF ', 'CHF 1,000.05'],
  [124_950, '€', '€1,249.50'],
  [100_100_900, '$', '$1,001,009.00'],
] as const)('writes %i hundredths of %s as %s', (cents, currency, written) => {
  expect(formatMoney(cents, currency)).toBe(written)
})
