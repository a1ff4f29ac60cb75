import type { Random } from '../../../../world/random.js'
import { tradeOf } from '../../facts/catalogue.js'

/** A thing on sale. */
export interface Product {
  /**
   * What it is called, e.g. `غلاية كهربائية`. Its gender is anybody's guess, so texts speak of the product
   * (`المنتج`) and set the name in quotation marks.
   */
  readonly item: string
  readonly riyals: number
}

type Goods = readonly (readonly [name: string, riyals: number])[]

const HOME: Goods = [
  ['غلاية كهربائية', 149],
  ['طقم قدور من الجرانيت', 329],
  ['مكنسة لاسلكية', 499],
  ['مصباح أرضي', 219],
  ['سجادة صوف', 640],
  ['مبخرة كهربائية', 119],
  ['ماكينة قهوة عربية', 379],
  ['لحاف قطني', 189],
]

const OFFICE: Goods = [
  ['كرسي مكتب شبكي', 549],
  ['مصباح مكتب LED', 129],
  ['حامل شاشة مزدوج', 199],
  ['لوحة مفاتيح لاسلكية', 159],
  ['شاحن USB-C بقوة 65 واط', 99],
  ['طابعة ملصقات', 289],
  ['خزانة ملفات معدنية', 720],
  ['سبورة بيضاء', 175],
]

const OUTDOOR: Goods = [
  ['خيمة لأربعة أشخاص', 430],
  ['حقيبة ظهر 40 لترًا', 210],
  ['كيس نوم شتوي', 185],
  ['حافظة ماء 2 لتر', 79],
  ['موقد غاز صغير', 95],
  ['كرسي رحلات قابل للطي', 110],
  ['صندوق تبريد', 260],
  ['كشاف رأس', 69],
]

const TRADES: readonly Goods[] = [HOME, OFFICE, OUTDOOR]

/** Draws something the company sells; a company always sells the same range of goods. */
export function drawProduct(random: Random, company: string): Product {
  const [item, riyals] = random.pick(tradeOf(TRADES, company))
  return { item, riyals: Math.round(riyals * (0.85 + random.next() * 0.3)) }
}
