import type { Extensions } from '../../contract/extensions.js'
import type { GapId } from '../../contract/gaps.js'
import type { DeliveryRecord } from '../webhooks/delivery.js'
import { capturing, type DeliveryTransport } from '../webhooks/transport.js'
import type { Masker } from './masker.js'
import type { KnownSecrets } from './secrets.js'
import { defaultMaxSent } from './sent-count.js'
import type { Relied } from './settle.js'

/** The part of a world that observers of its deliveries see. */
export interface ObservedWorld {
  readonly extensions: Extensions
  readonly id: string
  readonly masker: Masker
  /** The source of each gap's reading. */
  readonly origins: Readonly<Record<GapId, string>>
}

/** What a world needs from the program around it. */
export interface WorldHost {
  /** Returns the secrets of other worlds that must be masked as well. */
  readonly furtherSecrets: () => KnownSecrets
  /** Called with the errors that listeners to the feed throw. */
  readonly onDefect: (error: unknown) => void
  /** Sends the deliveries that no receiver in this process takes. */
  readonly transport: DeliveryTransport
  /** Returns the base URL of stored files in deliveries and controls. */
  readonly base: () => string
  /**
   * Called with the id of a world that has new entries for its log. With it, a world does nothing before `start` or
   * `recover`; without it, no world has a log.
   */
  readonly onLogged?: ((id: string) => void) | undefined
  /** The maximum number of messages that agents may send in the story of a world. */
  readonly maxSent: number
  readonly onDelivery: (record: DeliveryRecord, world: ObservedWorld) => void
  /** Called with the reliances of a decision that a subscription does not receive an event. */
  readonly onUnmatched: (relied: readonly Relied[], world: ObservedWorld) => void
}

/** The host of a world without a simulator; errors of listeners become uncaught exceptions. */
export const defaultHost: WorldHost = {
  furtherSecrets: () => new Set(),
  transport: capturing,
  base: () => '',
  maxSent: defaultMaxSent,
  onDelivery: () => undefined,
  onUnmatched: () => undefined,
  onDefect(error) {
    queueMicrotask(() => {
      throw error
    })
  },
}
