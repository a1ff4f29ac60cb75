import type { ExpectationKind } from '../world/index.js'

/** What became of one expectation of a scenario. */
export interface Verdict {
  /** Its place in the file, counted from 0. */
  readonly index: number
  /** The key the file gives it. */
  readonly key: string | null
  readonly kind: ExpectationKind
  /** What must be true, in a sentence: the scenario's own, or one made of the expectation. */
  readonly describe: string
  readonly passed: boolean
  /** The story time at which it failed, ISO 8601 UTC; the end where it passed, or could have until then. */
  readonly at: string
  /** What was expected, for people: `at least 1 request of messages.list with query.agent "support"`. */
  readonly expected: string
  /** What there was: `0 of 14 requests`, `unread: true`. */
  readonly found: string
  /** What came nearest, where it failed and something did; lines of differences. */
  readonly nearest: {
    /** An exchange's or a delivery's line, or the resource's name. */
    readonly line: string
    /** The number of the exchange in the journal; null where it is none. */
    readonly exchange: number | null
    /** The story time of it, ISO 8601 UTC. */
    readonly at: string
    readonly differences: readonly string[]
  } | null
}
