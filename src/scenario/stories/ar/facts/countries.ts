import type { Random } from '../../../../world/random.js'
import { formatAmount } from '../../facts/amount.js'
import { easternDigits } from './numerals.js'

/** Where a customer lives: what they pay in, how they write digits, and the cities there. */
export interface Country {
  /** e.g. `ريال`. */
  readonly currency: string
  /** What a Saudi riyal buys, in hundredths of the currency. */
  readonly rate: number
  readonly eastern: boolean
  readonly cities: readonly string[]
}

const COUNTRIES: readonly Country[] = [
  {
    currency: 'ريال',
    rate: 100,
    eastern: false,
    cities: ['الرياض', 'جدة', 'الدمام', 'المدينة المنورة', 'أبها'],
  },
  { currency: 'درهم', rate: 100, eastern: false, cities: ['دبي', 'أبوظبي', 'الشارقة', 'العين'] },
  {
    currency: 'جنيه',
    rate: 1_200,
    eastern: true,
    cities: ['القاهرة', 'الإسكندرية', 'المنصورة', 'الجيزة', 'أسيوط'],
  },
  { currency: 'دينار', rate: 20, eastern: false, cities: ['عمّان', 'إربد', 'الزرقاء', 'السلط'] },
]

/** Draws where somebody lives. */
export function drawCountry(random: Random): Country {
  return random.pick(COUNTRIES)
}

/** A price in riyals as the country's currency has it, in hundredths. */
export function priceIn(riyals: number, { rate }: Country): number {
  return Math.round(riyals * rate)
}

/** Writes an amount given in hundredths, e.g. `1,249.50 ريال`, or `١٬٢٤٩٫٥٠ جنيه`. */
export function formatMoney(hundredths: number, { currency, eastern }: Country): string {
  const style = eastern ? { thousands: '٬', decimal: '٫' } : { thousands: ',', decimal: '.' }
  const amount = formatAmount(hundredths, style)
  return `${eastern ? easternDigits(amount) : amount} ${currency}`
}

/** Writes text with the digits that are usual in the country. */
export function inDigits(text: string, { eastern }: Country): string {
  return eastern ? easternDigits(text) : text
}
