export {
  defineScenario,
  type ScenarioContext,
  type ScenarioDefinition,
  type ScenarioFunction,
} from './define-scenario.js'
export { shippedScenarios } from './find-scenario.js'
export type { ScenarioInput } from './format/index.js'
export { addReadings, type LoadOptions, loadReadings, loadScenario } from './load.js'
export type { LoadProgress, OnProgress } from './progress.js'
export { formatReadingsFile, readingsLayers } from './readings-file.js'
export { ScenarioError, type ScenarioProblem } from './scenario-error.js'
