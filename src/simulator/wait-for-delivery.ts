import type { EventType } from '../contract/events.js'
import { type Delivery, FeedReader, type World } from '../world/index.js'
import { explainDelivery, explainNone, formatDelivery } from './delivery-line.js'
import {
  checkDeliveryMatch,
  type DeliveryMatch,
  deliveryMismatches,
  nearestDeliveries,
} from './delivery-matching.js'
import { formatMismatch } from './matching.js'
import type { Simulator } from './simulator.js'
import type { Search } from './wait-for.js'

/** A delivery that is waited for: one that is over, where no status is given. */
export interface DeliveryWanted extends DeliveryMatch {
  /** The type of the event it tells of. */
  readonly delivery: EventType
}

/** How many deliveries are told of where none fits. */
const mostTold = 5

/** Looks for a delivery that fits. @throws TypeError */
export function deliverySearch(
  sim: Simulator,
  { feed }: World,
  { delivery: event, ...match }: DeliveryWanted,
): Search<Delivery> {
  checkDeliveryMatch(event, match)
  const { deliveries, masker } = sim
  const differ = (one: Delivery) => deliveryMismatches(event, match, one, masker)
  const fits = (one: Delivery): boolean => differ(one).length === 0
  const reader = new FeedReader(feed, feed.latest, new Set(['delivery']))
  let looked = false
  return {
    find() {
      if (!looked) {
        looked = true
        return deliveries.list({ event }).find(fits)
      }
      // Of thousands of them, one has changed.
      for (let next = reader.next(); next; next = reader.next()) {
        const found = next.type === 'gap' ? undefined : deliveries.find((next.data as Delivery).id)
        if (found && fits(found)) return found
      }
      return undefined
    },
    describe() {
      const all = deliveries.list({ event })
      if (all.length === 0) return explainNone(sim, event)
      const judged = all.map((one) => ({ one, mismatches: differ(one) }))
      const [closest] = nearestDeliveries(judged) as [(typeof judged)[number]]
      const lines = [...closest.mismatches.map(formatMismatch), ...explainDelivery(closest.one, sim.clock)]
      return [
        `None of the deliveries fits. Nearest is ${formatDelivery(closest.one)}:`,
        ...lines.map((line) => `  ${line}`),
        ...(all.length === 1 ? [] : describeAll(all)),
      ].join('\n')
    },
  }
}

function describeAll(all: readonly Delivery[]): string[] {
  const count = `${all.length} deliveries were made`
  const latest = all.slice(-mostTold).map((one) => `  ${formatDelivery(one)}`)
  return [`${count}${all.length > mostTold ? ', at last' : ''}:`, ...latest]
}
