import type { KnownSecrets } from '../record/masker.js'
import { platform } from '../time/wall-time.js'
import type { DeliveryHost } from '../webhooks/dispatcher.js'
import { capturing } from '../webhooks/transport.js'
import { defaultMaxSent } from './commands/command.js'

/** What a world needs from the program around it. */
export interface WorldHost extends DeliveryHost {
  /** Returns the secrets of other worlds that must be masked as well. */
  readonly furtherSecrets: () => KnownSecrets
  /**
   * Called with the id of a world whose log has something to be made durable. With it, a world does nothing before `start` or
   * `recover`; without it, nothing is written.
   */
  readonly onLogged?: ((id: string) => void) | undefined
  /** The maximum number of messages that agents may send in the story of a world. */
  readonly maxSent: number
  /** Milliseconds of wall time for which an agent that nobody observes has to be quiet until a clock `auto` moves on. */
  readonly patience: number
}

/** The host of a world without a simulator; errors of listeners become uncaught exceptions. */
export const defaultHost: WorldHost = {
  furtherSecrets: () => new Set(),
  transport: capturing,
  base: () => '',
  maxSent: defaultMaxSent,
  patience: 30_000,
  onDelivery: () => undefined,
  onUnmatched: () => undefined,
  onDefect(error) {
    platform.queueMicrotask(() => {
      throw error
    })
  },
}
