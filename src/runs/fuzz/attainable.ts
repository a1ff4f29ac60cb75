import type { PlayedStory } from './facts.js'
import { answersInvariant, type Judgement, type JudgingFacts, judgementOf } from './judging.js'
import { keyOfElement, type PlanElement, type Pool, plainContent } from './kinds/kinds.js'

/** Plays a plan against given expectations. */
export type PlayPlan = (
  elements: readonly PlanElement[],
  expectations: Judgement['expectations'],
) => Promise<PlayedStory>

/** What a client does not reach in an undisturbed story. */
export interface Unreached {
  readonly elements: readonly PlanElement[]
  /** A description for the name of each expectation, and for `command` (the exit status). */
  readonly what: ReadonlyMap<string, string>
}

/**
 * Knows which expectations the client does not meet in the stories of plans even when nothing disturbs it.
 * Such an expectation is not judged in that story, since the content of the story may rule it out.
 */
export class Attainable {
  readonly #facts: JudgingFacts
  readonly #pool: Pool
  readonly #play: PlayPlan
  readonly #controls = new Map<string, Promise<Unreached>>()
  readonly #unreached = new Map<string, Unreached>()

  constructor(facts: JudgingFacts, pool: Pool, play: PlayPlan) {
    this.#facts = facts
    this.#pool = pool
    this.#play = play
  }

  /** The undisturbed stories in which something was not reached. */
  get unreached(): readonly Unreached[] {
    return [...this.#unreached.values()].filter(({ what }) => what.size > 0)
  }

  /** Returns the criteria for a plan, without those that its story is known to rule out. */
  judgementOf(elements: readonly PlanElement[]): Judgement {
    const known = this.#controlsOf(elements).map((control) => this.#unreached.get(keyOfElement(control)))
    const names = known.flatMap((one) => [...(one?.what.keys() ?? [])])
    return judgementOf(elements, this.#facts, new Set(names))
  }

  /** Plays the undisturbed stories of a plan that were not played yet. */
  async learn(elements: readonly PlanElement[]): Promise<void> {
    for (const control of this.#controlsOf(elements)) {
      const key = keyOfElement(control)
      const played = this.#controls.get(key) ?? this.#playControl([control])
      this.#controls.set(key, played)
      this.#unreached.set(key, await played)
    }
  }

  async #playControl(elements: readonly PlanElement[]): Promise<Unreached> {
    const { expectations } = judgementOf(elements, this.#facts)
    const { passed, why, verdicts } = await this.#play(elements, expectations)
    const what = new Map<string, string>()
    if (!passed) what.set('command', `its exit status (${why})`)
    // Additional threads do not prevent anything that is expected.
    const isLarger = elements.every((element) => element.vary === 'sizes' && element.added > 0)
    if (isLarger) return { elements, what }
    for (const { passed: isMet, index, kind, describe } of verdicts) {
      const name = expectations[index]?.name
      // Invariants hold in every story, but other mail may leave no time for everybody.
      const isRuledOut = kind !== 'invariant' || name === answersInvariant
      if (!isMet && isRuledOut && name !== undefined) what.set(name, describe)
    }
    return { elements, what }
  }

  /** Returns the content of each element, in its plainest form and from the start. */
  #controlsOf(elements: readonly PlanElement[]): PlanElement[] {
    return elements.flatMap((element) => plainContent(element, this.#pool) ?? [])
  }
}
