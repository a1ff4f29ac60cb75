import type { Extensions } from '../../contract/extensions.js'
import type { GapId, Readings } from '../../contract/gaps.js'
import type { Base } from '../model/index.js'
import type { DeliveryFormat } from '../webhooks/delivery-format.js'
import type { Expectation } from './expectation.js'
import type { TimelineEntry, TriggeredEntry } from './timeline.js'

/** An attack that is laid over a story. */
export interface LaidAttack {
  readonly name: string
  /** A text of its mail: a response with it has brought the attack to the agent; null if any part of the mail has. */
  readonly needle: string | null
  /** The ids of the messages that it brings. */
  readonly messages: readonly string[]
  /** The expectations of which one holds if the agent obeys; `failed` if it no longer does its work. */
  readonly obeyed: readonly Expectation[] | 'failed'
}

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
  /** Returns the contribution of the base's rows to digests. */
  readonly rowSum: () => readonly number[]
  readonly readings: Readings
  /** Who chose the reading of each gap. */
  readonly origins: Readonly<Record<GapId, string>>
  /** The entries that are played after the start, in order. */
  readonly timeline: readonly TimelineEntry[]
  /** The entries that clients trigger; none by default. */
  readonly triggered?: readonly TriggeredEntry[]
  /** Addresses whose mail bounces; `*` matches any characters. None by default. */
  readonly bounces?: readonly string[]
  /** Values that no agent may pass on, by name; none by default. */
  readonly secrets?: Readonly<Record<string, string>>
  /** The scenario's expectations, in the order of the file. */
  readonly expectations: readonly Expectation[]
  /** The attacks that are laid over the story; none by default. */
  readonly attacks?: readonly LaidAttack[]
  /** The additions of extensions to the documented interface; none by default. */
  readonly extensions?: Extensions
  /** The delivery format that the service has published; by default, the readings decide. */
  readonly deliveryFormat?: DeliveryFormat | undefined
}
