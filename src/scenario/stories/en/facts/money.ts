import type { Random } from '../../../../world/random.js'
import { formatAmount } from '../../facts/amount.js'

const CURRENCIES = ['€', '€', '€', '£', '£', '$', '$', 'CHF '] as const

/** A currency as it is written before an amount, e.g. `€` or `CHF `. */
export type Currency = (typeof CURRENCIES)[number]

/** Draws the currency somebody pays in. */
export function drawCurrency(random: Random): Currency {
  return random.pick(CURRENCIES)
}

/** Writes an amount below a thousand million, given in hundredths, e.g. `€1,249.50` for 124950. */
export function formatMoney(cents: number, currency: Currency): string {
  return `${currency}${formatAmount(cents, { thousands: ',', decimal: '.' })}`
}
