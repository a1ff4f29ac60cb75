import type { Random } from '../../../../world/random.js'
import { DAY, workdayBefore } from '../../facts/calendar.js'
import { orderNumber } from '../../facts/order-number.js'
import type { Setting } from '../../story.js'
import { formatDay } from './dates.js'
import { formatMoney } from './money.js'
import { drawCity, drawStreet } from './places.js'
import { drawProduct, type Product } from './products.js'

/** What a customer bought and where it went. */
export interface Purchase extends Product {
  /** e.g. `NO-482913`. */
  readonly order: string
  /** e.g. `64,90 €`. */
  readonly price: string
  readonly city: string
  readonly street: string
  /** The day of the order, e.g. `26 décembre`. */
  readonly ordered: string
  /** The working day the parcel came or should have come. */
  readonly arrived: string
}

/** Draws an order whose parcel came, or was due, a few days before the thread begins. */
export function drawPurchase(random: Random, { company, begins }: Setting): Purchase {
  const product = drawProduct(random, company)
  const arrived = workdayBefore(begins - random.integer(1, 5) * DAY)
  return {
    ...product,
    order: orderNumber(random, company),
    price: formatMoney(product.cents),
    city: drawCity(random),
    street: drawStreet(random),
    ordered: formatDay(arrived - random.integer(4, 9) * DAY),
    arrived: formatDay(arrived),
  }
}
