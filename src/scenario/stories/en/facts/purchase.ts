import type { Random } from '../../../../world/random.js'
import { DAY, workdayBefore } from '../../facts/calendar.js'
import { orderNumber } from '../../facts/order-number.js'
import type { Setting } from '../../story.js'
import { formatDay } from './dates.js'
import { drawCurrency, formatMoney } from './money.js'
import { drawCity, drawStreet } from './places.js'
import { drawProduct } from './products.js'

/** What a customer bought and where it went. */
export interface Purchase {
  /** e.g. `NO-482913`. */
  readonly order: string
  /** e.g. `Birch desk lamp`. */
  readonly item: string
  /** e.g. `€64.90`. */
  readonly price: string
  readonly city: string
  /** e.g. `14 Mill Lane`. */
  readonly street: string
  /** The day of the order, e.g. `Friday, 26 December`. */
  readonly ordered: string
  /** The working day the parcel came or should have come, e.g. `Friday, 2 January`. */
  readonly arrived: string
}

/** Draws an order whose parcel came, or was due, a few days before the thread begins. */
export function drawPurchase(random: Random, setting: Setting): Purchase {
  const { item, cents } = drawProduct(random, setting.company)
  return { item, ...drawOrder(random, setting, cents) }
}

/** Draws the order of something already chosen, which costs `cents` hundredths. */
export function drawOrder(random: Random, setting: Setting, cents: number): Omit<Purchase, 'item'> {
  const arrived = workdayBefore(setting.begins - random.integer(1, 5) * DAY)
  return {
    order: orderNumber(random, setting.company),
    price: formatMoney(cents, drawCurrency(random)),
    city: drawCity(random),
    street: drawStreet(random),
    ordered: formatDay(arrived - random.integer(4, 9) * DAY),
    arrived: formatDay(arrived),
  }
}
