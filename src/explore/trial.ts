import type { Changes } from './changes.js'
import type { ReliedGaps } from './relied.js'

/** What became of a run of the command. */
export interface TrialEnd {
  /** Whether the command ended by itself with status 0. */
  readonly passed: boolean
  /** How it came to its end: by itself, because its time was over, or because it could not begin. */
  readonly ended: 'by-itself' | 'time-limit' | 'not-started'
  /** How the command ended, for people, where that is not fine. */
  readonly problem: string | null
  /** The first line of its output that tells why, or else how it ended; null where it passed. */
  readonly why: string | null
  /** The last lines it wrote, of both streams, where it did not pass; plain text. */
  readonly output: string
  /** What is worth telling besides, e.g. what it left running. */
  readonly notes: readonly string[]
}

/** One run of the command under some readings, and what became of it. */
export interface Trial extends TrialEnd {
  readonly changes: Changes
  readonly relied: ReliedGaps
  /** How many requests its own server had; those to in-process simulators are not among them. */
  readonly requests: number
  /** Whether it received deliveries, at an address where no two runs can at a time. */
  readonly receives: boolean
  /** Milliseconds of wall time. */
  readonly wallMs: number
}

/** Runs the command under some changes of the readings. @throws ExploreError `interrupted` */
export type RunTrial = (changes: Changes) => Promise<Trial>
