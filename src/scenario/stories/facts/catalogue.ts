import { hashText, type Random } from '../../../world/random.js'

/** The goods of one trade, e.g. all for the garden; a company always sells those of the same one. */
export function tradeOf<Trade>(trades: readonly Trade[], company: string): Trade {
  return trades[hashText(company)[0] % trades.length] as Trade
}

/** Draws a price in hundredths within 15 % of a usual one in whole units, e.g. 6490 for 64. */
export function priceNear(random: Random, price: number, endings: readonly number[]): number {
  const whole = Math.round(price * (0.85 + random.next() * 0.3))
  return whole * 100 + random.pick(endings)
}
