import type { GapId, Readings } from '../contract/gaps.js'
import type { Base } from '../model/index.js'
import type { Expectation } from './expectation.js'
import type { TimelineEntry } from './timeline.js'

/** How a world starts: what a scenario gives. */
export interface Beginning {
  /** The scenario's name. */
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
  /** Addresses to which mail comes back, in which `*` stands for any characters; none where it is left out. */
  readonly bounces?: readonly string[]
  /** What must be true when the story is over, in the order of the file. */
  readonly expectations: readonly Expectation[]
}
