import type { Extensions } from '../../contract/extensions.js'
import { formatInstant } from '../../service/time/time.js'
import type { World } from '../../service/world/world.js'
import type { LaidAttack } from '../../story/expectations/expectation-checker.js'
import type { Expectation } from '../../story/expectations/kinds.js'
import { storyOf } from '../../story/story.js'
import type { SimulatorDependencies } from './dependencies.js'
import type { ScenarioLoader } from './scenario-loader.js'

/** What the scenario of a simulator says. */
export class StoryFacts {
  readonly #world: World
  readonly #loader: ScenarioLoader

  /** @internal */
  constructor({ world, loader }: Pick<SimulatorDependencies, 'world' | 'loader'>) {
    this.#world = world
    this.#loader = loader
  }

  /** The files of the simulator's scenario. */
  get files(): readonly URL[] {
    return this.#loader.files
  }

  /** The scenario's name. */
  get scenario(): string {
    return this.#world.initialState.scenario
  }

  /** What its scenario asks the agent to do, in a sentence to it; undefined if it does not say. */
  get task(): string | undefined {
    return storyOf(this.#world).task
  }

  /** The seed that every generated value depends on. */
  get seed(): number {
    return this.#world.initialState.seed
  }

  /** The instant at which its story begins, ISO 8601 UTC. */
  get start(): string {
    return formatInstant(this.#world.initialState.start)
  }

  /** The operations and gaps that extensions add to the documented interface. @internal */
  get extensions(): Extensions {
    return this.#world.extensions
  }

  /** The secrets of its scenario, by name. */
  get secrets(): Readonly<Record<string, string>> {
    return storyOf(this.#world).secrets ?? {}
  }

  /** The expectations of its scenario, in order. @internal */
  get expectations(): readonly Expectation[] {
    return storyOf(this.#world).expectations
  }

  /** The attacks that are laid over its story. @internal */
  get laidAttacks(): readonly LaidAttack[] {
    return storyOf(this.#world).attacks ?? []
  }
}
