import type { Random } from '../../../../world/random.js'
import { DAY, workdayBefore } from '../../facts/calendar.js'
import { orderNumber } from '../../facts/order-number.js'
import type { Setting } from '../../story.js'
import { formatDay } from './dates.js'
import { formatYen } from './money.js'
import { drawBlock, drawCity } from './places.js'
import { drawProduct } from './products.js'

/** What a customer bought and where it went. */
export interface Purchase {
  /** e.g. `NO-482913`. */
  readonly order: string
  /** e.g. `LEDデスクライト（ホワイト）`. */
  readonly item: string
  /** e.g. `6,480円`. */
  readonly price: string
  readonly city: string
  /** The whole address, e.g. `金沢市若葉町2-14-3`. */
  readonly destination: string
  /** The day of the order, e.g. `12月26日（金）`. */
  readonly ordered: string
  /** The working day the parcel came or should have come, e.g. `1月2日（金）`. */
  readonly arrived: string
}

/** Draws an order whose parcel came, or was due, a few days before the thread begins. */
export function drawPurchase(random: Random, setting: Setting): Purchase {
  const { item, yen } = drawProduct(random, setting.company)
  const arrived = workdayBefore(setting.begins - random.integer(1, 5) * DAY)
  const city = drawCity(random)
  return {
    order: orderNumber(random, setting.company),
    item,
    price: formatYen(yen),
    city,
    destination: `${city}${drawBlock(random)}`,
    ordered: formatDay(arrived - random.integer(4, 9) * DAY),
    arrived: formatDay(arrived),
  }
}
