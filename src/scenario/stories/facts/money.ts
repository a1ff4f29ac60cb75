import type { Random } from '../../../world/random.js'

const CURRENCIES = ['€', '€', '€', '£', '£', '$', '$', 'CHF '] as const

/** A currency as it is written before an amount, e.g. `€` or `CHF `. */
export type Currency = (typeof CURRENCIES)[number]

/** Draws the currency somebody pays in. */
export function drawCurrency(random: Random): Currency {
  return random.pick(CURRENCIES)
}

/** Writes an amount below a thousand million, given in hundredths, e.g. `€1,249.50` for 124950. */
export function formatMoney(cents: number, currency: Currency): string {
  const rest = cents % 100
  return `${currency}${groupThousands((cents - rest) / 100)}.${rest < 10 ? '0' : ''}${rest}`
}

function groupThousands(whole: number): string {
  if (whole < 1000) return `${whole}`
  const last = whole % 1000
  return `${groupThousands((whole - last) / 1000)},${last < 100 ? '0' : ''}${last < 10 ? '0' : ''}${last}`
}
