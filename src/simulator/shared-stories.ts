import { once } from '../contract/once.js'
import { type ScenarioDefinition, shippedScenarios } from '../scenario/index.js'
import type { Beginning } from '../world/index.js'

/** What a story is loaded from. */
export interface Source {
  readonly scenario: string | ScenarioDefinition
  /** Whether it comes from somebody who may not read this machine. */
  readonly shippedOnly?: boolean | undefined
}

/** How many stories are kept; each holds all its mail. */
const kept = 8

/**
 * The stories of shipped scenarios, each loaded once for all worlds that want it: nobody changes what they are
 * loaded from. Those wanted longest ago go first.
 */
export class SharedStories {
  readonly #load: (source: Source, seed: number | undefined) => Promise<Beginning>
  readonly #stories = new Map<string, Promise<Beginning>>()
  /** Asked for once: what ships does not change while a process runs, and those who ask are answered in turn. */
  readonly #shipped = once(shippedScenarios)

  constructor(load: (source: Source, seed: number | undefined) => Promise<Beginning>) {
    this.#load = load
  }

  /** The story of a source for a seed, its own when it is left out; one that does not ship is loaded each time. */
  async get(source: Source, seed: number | undefined): Promise<Beginning> {
    const { scenario } = source
    const ships = typeof scenario === 'string' && (await this.#shipped()).includes(scenario)
    if (!ships) return this.#load(source, seed)
    const key = `${scenario} ${seed}`
    const story = this.#stories.get(key) ?? this.#load(source, seed)
    this.#stories.delete(key)
    this.#stories.set(key, story)
    const [oldest] = this.#stories.keys()
    if (this.#stories.size > kept && oldest !== undefined) this.#stories.delete(oldest)
    try {
      return await story
    } catch (error) {
      this.#stories.delete(key)
      throw error
    }
  }
}
