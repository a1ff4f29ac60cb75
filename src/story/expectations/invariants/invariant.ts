import type { Observation, RunFacts } from '../tracker.js'

/** What an author says about an invariant. */
export interface Limits {
  /** How many replies to a message `acts-once` allows, whatever their words. */
  readonly replies?: 1 | undefined
  /** The permitted writes, in the form in which `changes-nothing-else` reports them. */
  readonly writes?: readonly string[] | undefined
  /** The people whom `answers-everyone` expects to be answered; `*` matches any characters. */
  readonly people?: readonly string[] | undefined
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

/** Checks a play for one invariant. */
interface InvariantWatch {
  /** The invariant in words. */
  readonly expected: string
  /** Observes an event of the play; returns the first violation. */
  observe(observation: Observation): Violation | undefined
  /** Returns a violation that becomes visible only at the end of the play. */
  end?(): Violation | undefined
  /** Explains why a play without a violation says nothing, if it does not. */
  unjudged?(): string | undefined
}

/** A rule that any good client follows in any story. */
export interface Invariant {
  /** How to fix a violation. */
  readonly advice: string
  /** Whether a client is judged by it where nobody names any: such a violation is one in every story. */
  readonly general?: true
  /** The key that changes what it allows, if one does. */
  readonly limit?: keyof Limits
  watch(limits: Limits, facts: RunFacts): InvariantWatch
}
