import type { JudgedMailbox } from '../judged-mailbox.js'
import type { Named } from '../kind.js'
import type { StoryWindow } from '../time-window.js'
import type { Observation, RunFacts } from '../tracker.js'

/** Expects that an invariant holds. */
export interface InvariantExpectation extends Named {
  readonly kind: 'invariant'
  readonly invariant: string
  /** The maximum number of requests; null for the invariant's default. */
  readonly atMost: number | null
  /** The permitted writes, in the form in which `writes-nothing-else` reports them; null when unset. */
  readonly writes: readonly string[] | null
  /** The people who must be answered; `*` matches any characters; null when unset. */
  readonly people: readonly string[] | null
  readonly window: StoryWindow
}

/** A violation of an invariant by a client. */
export interface Violation {
  /** What the client did, for people: `asked again after 12 ms`. */
  readonly found: string
  /** The exchange or delivery that shows it, in one line. */
  readonly line: string
  /** The number of that exchange in the journal, if it is one. */
  readonly exchange?: number
  /** When that happened, if it was before the violation. */
  readonly since?: number
  readonly differences: readonly string[]
}

/** Checks a run for one invariant. */
export interface InvariantWatch {
  /** The invariant in words. */
  readonly expected: string
  /** Observes an event of the run; returns the first violation. */
  observe(observation: Observation): Violation | undefined
  /** Returns a violation that becomes visible only at the end of the run. */
  end?(facts: RunFacts): Violation | undefined
}

/** A rule that any good client follows in any story. */
export interface Invariant {
  /** How to fix a violation. */
  readonly advice: string
  /** Whether a client is judged by it where a test names no invariants. */
  readonly general?: true
  /** The key that changes its limit, if one does. */
  readonly limit?: 'at_most' | 'writes' | 'people'
  watch(expectation: InvariantExpectation, mailbox: JudgedMailbox): InvariantWatch
}
