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

/** The scenarios that ship with the package. */
export type ShippedScenarioName =
  | 'auto-reply-loop'
  | 'bounce-storm'
  | 'busy-inbox'
  | 'duplicate-delivery'
  | 'empty'
  | 'multi-agent'
  | 'pagination-edges'
  | 'prompt-injection'
  | 'refund-conversation'
  | 'refund-request'
  | 'slow-and-failing'
  | 'support-desk'
  | 'world-mail'

/** The path of a scenario, which has a slash or an ending. */
type ScenarioPath = `${string}/${string}` | `${string}\\${string}` | `${string}.${string}`

/** A name that is written in a program has to be one that ships; a text that is computed may be anything. */
type CheckedName<Name extends string> = string extends Name
  ? Name
  : Name extends ShippedScenarioName | ScenarioPath
    ? Name
    : ShippedScenarioName

/** Options with a `scenario`, whose name is checked. */
export interface NamedScenario<Name extends string> {
  /** The name of a shipped scenario, a path, or the result of `defineScenario`; `support-desk` by default. */
  readonly scenario?: CheckedName<Name> | ScenarioDefinition | undefined
}

/** Options from which the name of their scenario is inferred. */
export interface InferredScenario<Name extends string> {
  readonly scenario?: Name | ScenarioDefinition | undefined
}
