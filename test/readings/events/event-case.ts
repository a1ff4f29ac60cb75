import type { GapId, ReadingOf, Readings } from '../../../src/contract/gaps.js'
import type { Desk } from './desk.js'

/** A gap whose readings show in deliveries. */
export type EventGap = Extract<GapId, `events.${string}`>

/** Has something happen at a desk, and waits until it has been delivered. */
export type Happen = (desk: Desk) => Promise<void>

/** How a receiver comes upon one gap, and what it sees under each of its readings. */
export interface EventCase<G extends EventGap> {
  /** Readings of other gaps that it takes to see this one. */
  readonly readings?: Partial<Omit<Readings, G>>
  /** What is delivered relies on the gap. */
  readonly happen: Happen
  /** Asserts what receivers see, reading by reading. */
  readonly sees: { readonly [R in ReadingOf<G>]: (desk: Desk) => void | Promise<void> }
  /** Happenings, as much like the other as may be, whose deliveries do not rely on the gap. */
  readonly quiet: readonly [Happen, ...Happen[]]
}

/** A case for every gap of events; a gap or a reading left out does not compile. */
export type EventCases = { readonly [G in EventGap]: EventCase<G> }
