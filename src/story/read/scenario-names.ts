import type { ScenarioDefinition } from './define-scenario.js'

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
