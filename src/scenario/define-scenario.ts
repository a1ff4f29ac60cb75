import type { Faker } from '@faker-js/faker'
import type { ScenarioInput } from './format/index.js'

/** What a function given to `defineScenario` can draw from. */
export interface ScenarioContext {
  /** Faker in the scenario's locale, seeded by its seed; the reference date is the scenario's start. */
  readonly faker: Faker
  /**
   * A Faker whose values depend on the seed and on this name alone: calls added elsewhere change none of them.
   * Asked for the same name again, it begins again.
   * @example const { person } = fakerFor('first customer')
   */
  readonly fakerFor: (name: string) => Faker
  /** The seed in force: the scenario's own, or the one that stands in for it. */
  readonly seed: number
  /** The instant the story begins, in ISO 8601. */
  readonly start: string
}

/** Makes a scenario; it is called again when `seed`, `start` or `locale` in what it gives are no defaults. */
export type ScenarioFunction = (context: ScenarioContext) => ScenarioInput | Promise<ScenarioInput>

/** What `defineScenario` gives, and what a module with a scenario exports. */
export type ScenarioDefinition = ScenarioInput | ScenarioFunction

/**
 * Declares a scenario in TypeScript, with its types checked: as an object, or as a function that makes one and
 * may be async. Such a function has `seed`, `start` and `locale` as plain values, since what it draws depends on
 * them.
 * @example export default defineScenario(({ faker }) => ({ scenario: 'inbox', organization: { name: faker.company.name() } }))
 */
export function defineScenario(scenario: ScenarioFunction): ScenarioFunction
export function defineScenario(scenario: ScenarioInput): ScenarioInput
export function defineScenario(scenario: ScenarioDefinition): ScenarioDefinition {
  return scenario
}
