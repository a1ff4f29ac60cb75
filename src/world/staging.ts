import type { HappeningType } from './feed.js'
import type { Whole } from './present.js'
import type { Surroundings } from './surroundings.js'
import { formatInstant } from './time.js'
import { showDelivery } from './webhooks/delivery-record.js'
import { type MailNews, showEvent } from './webhooks/mail-event.js'
import type { World } from './world.js'

/** Tells the feed that something happened; what it shows is made when somebody looks. */
export type Publish = (type: HappeningType, content: () => unknown) => void

/** What the parts of a world need of it, and whom they tell. */
export function wholeOf(
  world: World,
  around: Surroundings,
  { publish, tell }: { readonly publish: Publish; readonly tell: (news: MailNews) => void },
): Whole {
  return {
    tell,
    stage: {
      apply: (command) => world.apply(command),
      setReadings: (choices, from) => world.setReadings(choices, from),
      addFault: (fault) => world.addFault(fault),
      clearFaults: () => world.clearFaults(),
      onPlayed: (entry) => publish('timeline', () => entry),
    },
    deliveries: {
      receivers: world.receivers,
      outlet: around.outlet,
      base: around.base,
      onDefect: around.onDefect,
      readings: () => world.readings,
      onEvent(event, told, untold) {
        publish('event', () => showEvent(event, told))
        around.onUntold(untold, world)
      },
      onDelivery(record) {
        const { state } = record
        publish('delivery', () => showDelivery(record, state, world.masker))
        around.onDelivery(record, world)
      },
    },
    onClockMoved(from, { now, mode }) {
      publish('clock', () => ({ from: formatInstant(from), now: formatInstant(now), mode }))
    },
  }
}
