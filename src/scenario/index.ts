export { shippedScenarios } from './files.js'
export { defineScenario, type ScenarioInput } from './format.js'
export { type LoadOptions, loadReadings, loadScenario } from './load.js'
export { ScenarioError, type ScenarioProblem } from './scenario-error.js'
