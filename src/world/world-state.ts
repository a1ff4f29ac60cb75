import type { Extensions } from '../contract/extensions.js'
import type { GapId, Readings } from '../contract/gaps.js'
import type { Base, MailboxStore } from '../model/index.js'
import type { Clock, ClockState } from './clock.js'
import type { CommandContext } from './commands/command.js'
import type { Expectation } from './expectation.js'
import type { FaultRules, FaultState } from './faults/fault-rules.js'
import type { IdCounts, IdSource } from './ids.js'
import type { ChosenReadings } from './readings.js'
import type {
  PlayedEntry,
  Timeline,
  TimelineEntry,
  TriggeredEntry,
  TriggerState,
  Triggers,
} from './timeline.js'
import type { DeliveryFormat } from './webhooks/delivery-format.js'
import type { DeliveryDispatcher, DispatcherState } from './webhooks/dispatcher.js'

/** How a world starts: what a scenario gives. */
export interface InitialState {
  readonly scenario: string
  /** What the story is about, in the scenario's own words; empty where it has none. */
  readonly describe: string
  readonly seed: number
  /** Tells it from other beginnings of that scenario and seed; what snapshots are made over. */
  readonly fingerprint: () => string
  /** The instant the story begins, in milliseconds since the epoch. */
  readonly start: number
  readonly base: Base
  readonly readings: Readings
  /** Who chose the reading of each gap. */
  readonly origins: Readonly<Record<GapId, string>>
  /** What happens after the start, in order. */
  readonly timeline: readonly TimelineEntry[]
  /** What happens when a client does something; nothing where it is left out. */
  readonly triggered?: readonly TriggeredEntry[]
  /** Addresses to which mail comes back, in which `*` stands for any characters; none where it is left out. */
  readonly bounces?: readonly string[]
  /** What must be true when the story is over, in the order of the file. */
  readonly expectations: readonly Expectation[]
  /** What extensions add to the documented interface; nothing where it is left out. */
  readonly extensions?: Extensions
  /** How deliveries look that the service has published; as the readings have them where it is left out. */
  readonly deliveryFormat?: DeliveryFormat | undefined
}

/** What a world is made of between one beginning and the next. */
export interface WorldState {
  readonly initialState: InitialState
  readonly store: MailboxStore
  readonly clock: Clock
  readonly ids: IdSource
  readonly faults: FaultRules
  readonly timeline: Timeline
  readonly triggers: Triggers
  readonly context: CommandContext
  readonly dispatcher: DeliveryDispatcher
}

/** A world at an instant, as snapshots and logs have it: its clock does not go on yet. */
export interface RecordedWorld {
  readonly clock: ClockState
  readonly store: MailboxStore
  /** How many ids of each kind it has handed out. */
  readonly ids: IdCounts
  readonly faults: FaultState
  readonly chosen: ChosenReadings
  /** What has happened of its story. */
  readonly played: PlayedEntry[]
  /** How far its triggers are; at their beginning where it is left out. */
  readonly triggered?: TriggerState | undefined
  /** What is still to be delivered. */
  readonly deliveries: DispatcherState
}
