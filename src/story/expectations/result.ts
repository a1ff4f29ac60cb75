import type { ExpectationKindName } from './kinds.js'
import type { NearestMatch } from './tracker.js'

/** The result of one expectation of a scenario. */
export interface ExpectationResult {
  /** Its place in the file, counted from 0. */
  readonly index: number
  readonly key: string | null
  readonly kind: ExpectationKindName
  /** What must be true, in a sentence: the scenario's own, or a generated one. */
  readonly describe: string
  readonly passed: boolean
  /** The story time at which it failed, ISO 8601 UTC; the end of the run if it passed, or could still have passed. */
  readonly at: string
  /** The expectation in words, e.g. `at least 1 request of messages.list with query.agent "support"`. */
  readonly expected: string
  /** The finding in words, e.g. `0 of 14 requests`, `unread: true`. */
  readonly found: string
  /** The nearest match of a failed expectation, if there is one. */
  readonly nearest: NearestMatch | null
  /** Why it says nothing although it passed; absent if it was judged. */
  readonly unjudged?: string
}
