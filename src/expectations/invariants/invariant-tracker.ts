import { formatInstant, type InvariantExpectation } from '../../world/index.js'
import type { Observation, RunFacts, Tracker, TrackerResult } from '../tracker.js'
import { invariants } from './index.js'
import type { InvariantWatch, Violation } from './invariant.js'

/** Follows a run for one invariant, up to its first violation. */
export class InvariantTracker implements Tracker {
  readonly cameTrueAt = undefined
  readonly #facts: RunFacts
  readonly #watch: InvariantWatch
  #violation: Violation | undefined

  constructor(expectation: InvariantExpectation, facts: RunFacts) {
    this.#facts = facts
    this.#watch = invariants[expectation.invariant].watch(expectation)
  }

  get expected(): string {
    return this.#watch.expected
  }

  get decided(): boolean {
    return this.#violation !== undefined
  }

  observe(observation: Observation): void {
    this.#violation ??= this.#watch.observe(observation)
  }

  evaluate(end: number): TrackerResult {
    const violation = this.#violation ?? this.#watch.end?.(this.#facts)
    if (!violation) return { passed: true, found: 'nothing against it', nearest: null }
    const { at = end, found, line, differences } = violation
    return { passed: false, at, found, nearest: { line, exchange: null, at: formatInstant(at), differences } }
  }
}
