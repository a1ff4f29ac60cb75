import type { GapId, ReadingOf, Readings } from '../../../src/contract/gaps.js'
import type { Desk } from './desk.js'

/** A gap whose readings show in deliveries. */
export type EventGap = Extract<GapId, `events.${string}`>

/** Causes an event at a desk and waits for its delivery. */
export type Happen = (desk: Desk) => Promise<void>

/** How a receiver meets a gap, and the result under each reading. */
export interface EventCase<G extends EventGap> {
  /** Readings of other gaps that this case requires. */
  readonly readings?: Partial<Omit<Readings, G>>
  /** Events that rely on the gap. */
  readonly happen: Happen
  /** Asserts what receivers see, reading by reading. */
  readonly sees: { readonly [R in ReadingOf<G>]: (desk: Desk) => void | Promise<void> }
  /** Similar events whose deliveries do not rely on the gap. */
  readonly quiet: readonly [Happen, ...Happen[]]
}

/** A case for every gap of events; a missing gap or reading does not compile. */
export type EventCases = { readonly [G in EventGap]: EventCase<G> }
