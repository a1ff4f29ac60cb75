import type { MailboxStore } from '../model/index.js'
import type { Relied } from './reliance-summary.js'
import type { DeliveryRecord } from './webhooks/delivery-record.js'
import { capturing, type Outlet } from './webhooks/outlet.js'
import type { World } from './world.js'

/** What a world has to do with others beside it. */
export interface Surroundings {
  /** Keys of others that must not be shown either. */
  readonly furtherKeys: () => Iterable<string>
  /** Told where somebody who listens to the feed throws. */
  readonly onDefect: (error: unknown) => void
  /** How deliveries leave that no receiver in this process takes. */
  readonly outlet: Outlet
  /** The address below which deliveries show stored files. */
  readonly base: () => string
  /** Told whenever a delivery changes. */
  readonly onDelivery: (record: DeliveryRecord, world: World) => void
  /** Told what it relied on that subscriptions were not told of an event. */
  readonly onUntold: (relied: readonly Relied[], world: World) => void
}

/** A world alone: what goes wrong while somebody listens is thrown on, past everything. */
export const noSurroundings: Surroundings = {
  furtherKeys: () => [],
  outlet: capturing,
  base: () => '',
  onDelivery: () => undefined,
  onUntold: () => undefined,
  onDefect(error) {
    queueMicrotask(() => {
      throw error
    })
  },
}

/** The API keys that a world's organizations list. */
export function keysOf(store: MailboxStore): string[] {
  return [...store.all('organization')].flatMap(({ api_keys }) => api_keys)
}
