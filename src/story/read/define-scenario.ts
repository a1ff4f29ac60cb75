import type { Faker } from '@faker-js/faker'
import type { ScenarioInput } from '../format/scenario.js'

/** The argument of a function that is passed to `defineScenario`. */
export interface ScenarioContext {
  /** English Faker, seeded by the seed; the reference date is the start. */
  readonly faker: Faker
  /**
   * A Faker whose values depend only on the seed and on this name: calls added elsewhere do not change them.
   * A second call with the same name starts from the beginning.
   * @example const { person } = fakerFor('first customer')
   */
  readonly fakerFor: (name: string) => Faker
  /** The seed that is asked for (`--seed`, `seed` of an option), or else 1. */
  readonly seed: number
  /** The instant at which the story begins unless the scenario states another one, ISO 8601. */
  readonly start: string
}

/** Creates a scenario. It is called once; a `seed`, `start` or `locale` in its result applies to templates and generated mail. */
export type ScenarioFunction = (context: ScenarioContext) => ScenarioInput | Promise<ScenarioInput>

/** The result of `defineScenario`, which a module with a scenario exports. */
export type ScenarioDefinition = ScenarioInput | ScenarioFunction

/**
 * Declares a type-checked scenario in TypeScript: an object, or a function, possibly async, that returns one.
 * @example export default defineScenario(({ faker }) => ({ scenario: 'inbox', organization: { name: faker.company.name() } }))
 */
export function defineScenario(scenario: ScenarioFunction): ScenarioFunction
// TypeScript explains a mistake by the last one, so that names functions, too.
export function defineScenario(scenario: ScenarioInput | ScenarioFunction): ScenarioInput
export function defineScenario(scenario: ScenarioDefinition): ScenarioDefinition {
  return scenario
}
