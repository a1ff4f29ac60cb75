import type { Random } from '../../../../world/random.js'

const QUARTERS = ['الورود', 'النخيل', 'الياسمين', 'الربيع', 'المروج', 'الأندلس', 'الزهور', 'النسيم'] as const
const STREETS = [
  'الزيتون',
  'المكتبة',
  'الحديقة',
  'السوق القديم',
  'المدارس',
  'الجسر',
  'القمر',
  'البرتقال',
] as const
const CARRIERS = ['نورس للشحن', 'هدهد للتوصيل', 'قافلة الطرود', 'جناح السريع', 'مرسى للنقل'] as const

/** Draws the rest of an address after the city, e.g. `حي الورود، شارع الزيتون، مبنى 14`. */
export function drawStreet(random: Random): string {
  const building = random.integer(2, 148)
  return `حي ${random.pick(QUARTERS)}، شارع ${random.pick(STREETS)}، مبنى ${building}`
}

/** Draws one of the made-up parcel services. */
export function drawCarrier(random: Random): string {
  return random.pick(CARRIERS)
}
