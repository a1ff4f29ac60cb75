/** How a language writes numbers, e.g. `{ thousands: '.', decimal: ',' }`. */
export interface NumberStyle {
  readonly thousands: string
  readonly decimal: string
}

/** Writes an amount below a thousand million, given in hundredths, e.g. `1.249,50` for 124950. */
export function formatAmount(cents: number, { thousands, decimal }: NumberStyle): string {
  const rest = cents % 100
  return `${groupThousands((cents - rest) / 100, thousands)}${decimal}${rest < 10 ? '0' : ''}${rest}`
}

/** Writes a whole number below a thousand million with its thousands apart, e.g. `12,490`. */
export function groupThousands(whole: number, thousands: string): string {
  if (whole < 1000) return `${whole}`
  const last = whole % 1000
  const zeros = `${last < 100 ? '0' : ''}${last < 10 ? '0' : ''}`
  return `${groupThousands((whole - last) / 1000, thousands)}${thousands}${zeros}${last}`
}
