import type { Extensions } from '../../contract/extensions.js'
import type { GapId } from '../../contract/gaps.js'
import type { Relied } from '../assumptions/settle.js'
import type { Masker } from '../record/masker.js'
import type { DeliveryEntry, DeliveryRecord } from './delivery.js'
import type { EventEntry } from './subscriptions.js'
import type { DeliveryTransport } from './transport.js'

/** The part of a world that observers of its deliveries see. */
export interface ObservedWorld {
  readonly extensions: Extensions
  readonly id: string
  readonly masker: Masker
  /** The source of each gap's assumption. */
  readonly origins: Readonly<Record<GapId, string>>
}

/** What the deliveries of a world need from the program around it. */
export interface DeliveryHost {
  /** Called with the errors that listeners to the feed throw. */
  readonly onDefect: (error: unknown) => void
  /** Sends the deliveries that no receiver in this process takes. */
  readonly transport: DeliveryTransport
  /** Returns the base URL of stored files in deliveries and controls. */
  readonly base: () => string
  readonly onDelivery: (record: DeliveryRecord, world: ObservedWorld) => void
  /** Called with the reliances of a decision that a subscription does not receive an event. */
  readonly onUnmatched: (relied: readonly Relied[], world: ObservedWorld) => void
}

/** The log of a world, as far as deliveries write it. */
export interface DeliveryLogWriter {
  append(entry: Omit<EventEntry, 'seq'> | DeliveryEntry): unknown
  /** Tells of an entry again, whose delivery has changed. */
  update(entry: DeliveryEntry): void
}
