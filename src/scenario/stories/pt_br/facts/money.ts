import { formatAmount } from '../../facts/amount.js'

/** Writes an amount below a thousand million, given in centavos, e.g. `R$ 1.249,50` for 124950. */
export function formatReais(centavos: number): string {
  return `R$ ${formatAmount(centavos, { thousands: '.', decimal: ',' })}`
}
