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

/** What is wrong with what a client did. */
export interface Wrong {
  /** What the client did, for people: `asked again after 12 ms`. */
  readonly found: string
  readonly differences: readonly string[]
}

/** A violation of an invariant that becomes visible only at the end of a play. */
interface LateViolation extends Wrong {
  /** What shows it, in one line. */
  readonly line: string
  /** When that happened; by default at the end. */
  readonly since?: number | undefined
}

/** Checks a play for one invariant. */
interface InvariantWatch {
  /** The invariant in words. */
  readonly expected: string
  /** Observes an event of the play; returns what is wrong with a request. */
  observe(observation: Observation): Wrong | undefined
  end?(): LateViolation | undefined
  /** Explains why a play without a violation says nothing, if it does not. */
  unjudged?(): string | undefined
}

/** A rule that any good client follows in any story. */
export interface Invariant {
  /** How to fix a violation. */
  readonly advice: string
  /** Whether a client is judged by it where nobody names any: such a violation is one in every story. */
  readonly general?: true
  watch(limits: Limits, facts: RunFacts): InvariantWatch
}
