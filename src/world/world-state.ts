import type { Extensions } from '../contract/extensions.js'
import type { GapId, Readings } from '../contract/gaps.js'
import type { Base, MailboxStore } from '../model/index.js'
import type { Clock, ClockState } from './clock.js'
import type { CommandContext } from './commands/command.js'
import type { Expectation } from './expectation.js'
import type { FaultRules, FaultState } from './faults/fault-rules.js'
import type { Masker } from './masker.js'
import type { IdCounts, IdSource } from './random.js'
import type { ChosenReadings } from './readings.js'
import type { WorldSecrets } from './secrets.js'
import type { Relied } from './settle.js'
import type {
  PlayedEntry,
  Timeline,
  TimelineEntry,
  TriggeredEntry,
  TriggerState,
  Triggers,
} from './timeline.js'
import type { DeliveryRecord } from './webhooks/delivery.js'
import type { DeliveryFormat } from './webhooks/delivery-format.js'
import type { DeliveryDispatcher, DispatcherState } from './webhooks/dispatcher.js'
import { capturing, type DeliveryTransport } from './webhooks/transport.js'

/** The state of a world at its start, compiled from a scenario. */
export interface InitialState {
  readonly scenario: string
  /** The scenario's own description of its story; empty when it has none. */
  readonly describe: string
  readonly seed: number
  /** Identifies the content of the scenario: a snapshot can be restored only over the same content. */
  readonly fingerprint: () => string
  /** The instant the story begins, in milliseconds since the epoch. */
  readonly start: number
  readonly base: Base
  readonly readings: Readings
  /** Who chose the reading of each gap. */
  readonly origins: Readonly<Record<GapId, string>>
  /** The entries that are played after the start, in order. */
  readonly timeline: readonly TimelineEntry[]
  /** The entries that clients trigger; none by default. */
  readonly triggered?: readonly TriggeredEntry[]
  /** Addresses whose mail bounces; `*` matches any characters. None by default. */
  readonly bounces?: readonly string[]
  /** The scenario's expectations, in the order of the file. */
  readonly expectations: readonly Expectation[]
  /** The additions of extensions to the documented interface; none by default. */
  readonly extensions?: Extensions
  /** The delivery format that the service has published; by default, the readings decide. */
  readonly deliveryFormat?: DeliveryFormat | undefined
}

/** The parts of a world that each restart replaces. */
export interface WorldState {
  readonly initialState: InitialState
  readonly store: MailboxStore
  readonly secrets: WorldSecrets
  readonly clock: Clock
  readonly ids: IdSource
  readonly faults: FaultRules
  readonly timeline: Timeline
  readonly triggers: Triggers
  readonly context: CommandContext
  readonly dispatcher: DeliveryDispatcher
}

/** A world at one instant, read from a snapshot or a log; its clock does not run yet. */
export interface RecordedWorld {
  readonly clock: ClockState
  readonly store: MailboxStore
  /** How many ids of each kind it has handed out. */
  readonly ids: IdCounts
  readonly faults: FaultState
  readonly chosen: ChosenReadings
  /** The timeline entries that were played. */
  readonly played: PlayedEntry[]
  /** The state of its triggers; no counts by default. */
  readonly triggered?: TriggerState | undefined
  /** The unfinished deliveries. */
  readonly deliveries: DispatcherState
}

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
  readonly furtherSecrets: () => Iterable<string>
  /** Called with the errors that listeners to the feed throw. */
  readonly onDefect: (error: unknown) => void
  /** Sends the deliveries that no receiver in this process takes. */
  readonly transport: DeliveryTransport
  /** Returns the base URL of stored files in deliveries. */
  readonly base: () => string
  /**
   * Called with the id of a world that has new entries for its log. With it, a world does nothing before `start` or
   * `recover`; without it, no world has a log.
   */
  readonly onLogged?: ((id: string) => void) | undefined
  readonly onDelivery: (record: DeliveryRecord, world: ObservedWorld) => void
  /** Called with the reliances of a decision that a subscription does not receive an event. */
  readonly onUnmatched: (relied: readonly Relied[], world: ObservedWorld) => void
}

/** The host of a world without a simulator; errors of listeners become uncaught exceptions. */
export const defaultHost: WorldHost = {
  furtherSecrets: () => [],
  transport: capturing,
  base: () => '',
  onDelivery: () => undefined,
  onUnmatched: () => undefined,
  onDefect(error) {
    queueMicrotask(() => {
      throw error
    })
  },
}
