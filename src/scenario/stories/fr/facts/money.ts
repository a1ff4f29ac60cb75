import { formatAmount } from '../../facts/amount.js'

/** Writes euros given in hundredths, e.g. `1 249,50 €` for 124950. */
export function formatMoney(cents: number): string {
  return `${formatAmount(cents, { thousands: ' ', decimal: ',' })} €`
}
