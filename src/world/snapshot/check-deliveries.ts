import type { ClockStand } from '../clock.js'
import { handedOut } from '../ids.js'
import { parseInstant } from '../time.js'
import type { Snapshot } from './document.js'
import { contradiction, type Place } from './refusal.js'

/** Checks what is still to be delivered: ids that are handed out already, and nothing before it happened. @throws SnapshotError */
export function checkDeliveries(snapshot: Snapshot, stand: ClockStand): void {
  const { unfinished, subscriptions } = snapshot.deliveries
  const place = ['deliveries', 'unfinished']
  checkIds(snapshot)
  for (const [index, { event, webhook_id, ordinal }] of unfinished.entries()) {
    if ((parseInstant(event.at) as number) > stand.now) {
      throw contradiction(
        [...place, index, 'event', 'at'],
        `it has not happened yet: it is ${snapshot.clock.now}`,
      )
    }
    const { [webhook_id]: count = 0 } = subscriptions
    if (ordinal >= count) {
      const problem = `expected less than ${count}, which is how many deliveries "${webhook_id}" has had by deliveries.subscriptions`
      throw contradiction([...place, index, 'ordinal'], problem)
    }
  }
}

/** Each delivery has an id of its own, and none is one that is handed out later. */
function checkIds({ deliveries: { unfinished }, ids, seed }: Snapshot): void {
  const places = new Map<string, Place>()
  for (const [index, { id }] of unfinished.entries()) {
    const place = ['deliveries', 'unfinished', index, 'id']
    if (places.has(id)) throw contradiction(place, `"${id}" is taken by another delivery`)
    places.set(id, place)
  }
  const { delivery: handed = 0 } = ids
  for (let n = handed + 1; n <= handed + unfinished.length + 1000; n++) {
    const place = unfinished.length > 0 && places.get(handedOut('delivery', seed, n))
    if (place)
      throw contradiction(place, `it has number ${n} of the ids that are handed out, and ids says ${handed}`)
  }
}
