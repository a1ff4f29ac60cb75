import { CommandError, type Delivery, type DeliveryFilter, type World } from '../world/index.js'

/** What was, and is being, sent to webhook subscriptions. @see interface 6 */
export class Deliveries {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** The deliveries that are meant, in the order of their events, with every attempt; keys and tokens are masked. */
  list(filter?: DeliveryFilter): Delivery[] {
    return this.#world.deliveries(filter)
  }

  /** The delivery of that id. @throws CommandError `not-found` */
  get(id: string): Delivery {
    const delivery = this.#world.delivery(id)
    if (delivery) return delivery
    throw new CommandError('not-found', `There is no delivery "${id}" in this world.`)
  }

  /**
   * Sends a delivery once more, with the same event id; gives it back when its receiver has answered. A failure of it
   * is not tried again.
   * @throws CommandError `not-found`, WorldError
   */
  async redeliver(id: string): Promise<Delivery> {
    await this.#world.redeliver(id)
    return this.get(id)
  }
}
