import type { Faker } from '@faker-js/faker'
import type { ScenarioInput } from '../format/scenario.js'

/** The argument of a function that is passed to `defineScenario`. */
export interface ScenarioContext {
  /** Faker in the scenario's locale, seeded by its seed; the reference date is the scenario's start. */
  readonly faker: Faker
  /**
   * A Faker whose values depend only on the seed and on this name: calls added elsewhere do not change them.
   * A second call with the same name starts from the beginning.
   * @example const { person } = fakerFor('first customer')
   */
  readonly fakerFor: (name: string) => Faker
  /** The seed in force: the scenario's own, or the one that overrides it. */
  readonly seed: number
  /** The instant at which the story begins, ISO 8601. */
  readonly start: string
}

/** Creates a scenario. It is called again if its result sets a `seed`, `start` or `locale` other than the default. */
export type ScenarioFunction = (context: ScenarioContext) => ScenarioInput | Promise<ScenarioInput>

/** The result of `defineScenario`, which a module with a scenario exports. */
export type ScenarioDefinition = ScenarioInput | ScenarioFunction

/**
 * Declares a type-checked scenario in TypeScript: an object, or a function, possibly async, that returns one. If
 * the function sets `seed`, `start` or `locale`, these must be plain values, because what it draws depends on them.
 * @example export default defineScenario(({ faker }) => ({ scenario: 'inbox', organization: { name: faker.company.name() } }))
 */
export function defineScenario(scenario: ScenarioFunction): ScenarioFunction
// TypeScript explains a mistake by the last one, so that names functions, too.
export function defineScenario(scenario: ScenarioInput | ScenarioFunction): ScenarioInput
export function defineScenario(scenario: ScenarioDefinition): ScenarioDefinition {
  return scenario
}
