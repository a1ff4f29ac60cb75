import type { Extensions } from '../../contract/extensions.js'
import type { Assumptions, GapId } from '../../contract/gaps.js'
import type { Base } from '../model/base.js'
import type { DeliveryFormat } from '../webhooks/delivery-format.js'
import type { TimelineEntry } from './story-entry.js'
import type { TriggeredEntry } from './triggers.js'

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
  readonly assumptions: Assumptions
  /** Who chose the assumption of each gap. */
  readonly origins: Readonly<Record<GapId, string>>
  /** The entries that are played after the start, in order. */
  readonly timeline: readonly TimelineEntry[]
  /** The entries that clients trigger; none by default. */
  readonly triggered?: readonly TriggeredEntry[]
  /** Addresses whose mail bounces; `*` matches any characters. None by default. */
  readonly bounces?: readonly string[]
  /** The additions of extensions to the documented interface; none by default. */
  readonly extensions?: Extensions
  /** The delivery format that the service has published; by default, the assumptions decide. */
  readonly deliveryFormat?: DeliveryFormat | undefined
}
