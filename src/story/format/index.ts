export { obeyed } from './attack.js'
export { createScenarioJsonSchema } from './json-schema.js'
export { type Scenario, type ScenarioInput, scenarioSchema } from './scenario.js'
export { unknownNames } from './unknown-names.js'
