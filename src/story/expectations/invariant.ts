import type { InvariantExpectation } from '../../service/world/index.js'
import type { JudgedMailbox } from './judged-mailbox.js'
import type { Observation, RunFacts } from './tracker.js'

/** A violation of an invariant by a client. */
export interface Violation {
  /** What the client did, for people: `asked again after 12 ms`. */
  readonly found: string
  /** The exchange or delivery that shows it, in one line. */
  readonly line: string
  /** The number of that exchange in the journal, if it is one. */
  readonly exchange?: number
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
  watch(expectation: InvariantExpectation, mailbox: JudgedMailbox): InvariantWatch
}
