import type { Random } from '../../../../world/random.js'
import { DAY } from '../../facts/calendar.js'
import { orderNumber } from '../../facts/order-number.js'
import type { Setting } from '../../story.js'
import { drawCountry, formatMoney, inDigits, priceIn } from './countries.js'
import { formatDay, workdayBefore } from './dates.js'
import { drawStreet } from './places.js'
import { drawProduct } from './products.js'

/** What a customer bought and where it went. */
export interface Purchase {
  /** e.g. `NO-482913`. */
  readonly order: string
  /** e.g. `غلاية كهربائية`. */
  readonly item: string
  /** e.g. `149.00 ريال`. */
  readonly price: string
  readonly city: string
  /** The whole address, e.g. `الرياض، حي الورود، شارع الزيتون، مبنى 14`. */
  readonly destination: string
  /** The day of the order, e.g. `الخميس 25 ديسمبر`. */
  readonly ordered: string
  /** The working day the parcel came or should have come, e.g. `الأحد 4 يناير`. */
  readonly arrived: string
}

/** Draws an order whose parcel came, or was due, a few days before the thread begins. */
export function drawPurchase(random: Random, setting: Setting): Purchase {
  const { item, riyals } = drawProduct(random, setting.company)
  const country = drawCountry(random)
  const arrived = workdayBefore(setting.begins - random.integer(1, 5) * DAY)
  const city = random.pick(country.cities)
  return {
    order: orderNumber(random, setting.company),
    item,
    price: formatMoney(priceIn(riyals, country), country),
    city,
    destination: inDigits(`${city}، ${drawStreet(random)}`, country),
    ordered: inDigits(formatDay(arrived - random.integer(4, 9) * DAY), country),
    arrived: inDigits(formatDay(arrived), country),
  }
}
