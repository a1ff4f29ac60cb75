import type { ScenarioInput } from './format/index.js'

/** Declares a scenario in TypeScript, with its types checked. */
export function defineScenario(scenario: ScenarioInput): ScenarioInput {
  return scenario
}
