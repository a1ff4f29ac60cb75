import type { AnsweredRequest, InvariantExpectation, InvariantName } from '../../world/index.js'
import type { Observation, RunFacts } from '../tracker.js'

/** What a client did against an invariant. */
export interface Violation {
  /** When, in milliseconds since the epoch of the story; the end of the run where it is left out. */
  readonly at?: number
  /** What it did, for people: `asked again after 12 ms`. */
  readonly found: string
  /** The exchange or delivery at which it showed, in a line. */
  readonly line: string
  readonly differences: readonly string[]
}

/** Watches a run for one invariant. */
export interface InvariantWatch {
  /** What must be true, for people. */
  readonly expected: string
  /** Takes note of something; returns the first violation. */
  observe(observation: Observation): Violation | undefined
  /** Returns a violation that only shows at the end of the run. */
  end?(facts: RunFacts): Violation | undefined
}

/** What holds for any good client, whatever the story. */
export interface Invariant {
  readonly name: InvariantName
  /** What a client does that keeps it, in a sentence. */
  readonly describe: string
  /** What to do about a violation. */
  readonly advice: string
  watch(expectation: InvariantExpectation): InvariantWatch
}

/** Declares an invariant. */
export function defineInvariant(invariant: Invariant): Invariant {
  return invariant
}

/** Names a request so that it is equal to another one exactly if a client sends the same again. */
export function requestKey({ method, path, query, request }: AnsweredRequest): string {
  const pairs = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${method} ${path} ${JSON.stringify(pairs)} ${request.body ?? ''}`
}

/** Tells whether an answer asks to come back later, or did not arrive whole. */
export function isFailure({ status, fault }: AnsweredRequest): boolean {
  const isDamaged = fault?.reset ?? fault?.malformed ?? fault?.empty ?? fault?.truncate
  return status >= 500 || status === 429 || isDamaged !== undefined
}

/** Formats a request in a line, as nearest matches show it. */
export function requestLine({ method, path, query, status }: AnsweredRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
  return `${method} ${path}${search} → ${status}`
}
