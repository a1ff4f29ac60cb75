import type { Random } from '../../../../world/random.js'
import { DAY, workdayBefore } from '../../facts/calendar.js'
import { orderNumber } from '../../facts/order-number.js'
import type { Setting } from '../../story.js'
import { formatDay, formatShortDate } from './dates.js'
import { formatReais } from './money.js'
import { drawCity, drawStreet } from './places.js'
import { drawProduct, type Product } from './products.js'

/** What a customer bought and where it went. */
export interface Purchase extends Omit<Product, 'centavos'> {
  /** e.g. `NO-482913`. */
  readonly order: string
  /** e.g. `R$ 129,90`. */
  readonly price: string
  readonly city: string
  /** e.g. `Rua das Acácias, 142`. */
  readonly street: string
  /** The date of the order, e.g. `26 de dezembro`. */
  readonly ordered: string
  /** The working day the parcel came or should have come, e.g. `sexta-feira, 2 de janeiro`. */
  readonly arrived: string
}

/** Draws an order whose parcel came, or was due, a few days before the thread begins. */
export function drawPurchase(random: Random, setting: Setting): Purchase {
  const { centavos, ...product } = drawProduct(random, setting.company)
  const arrived = workdayBefore(setting.begins - random.integer(1, 5) * DAY)
  return {
    ...product,
    order: orderNumber(random, setting.company),
    price: formatReais(centavos),
    city: drawCity(random),
    street: drawStreet(random),
    ordered: formatShortDate(arrived - random.integer(4, 9) * DAY),
    arrived: formatDay(arrived),
  }
}
