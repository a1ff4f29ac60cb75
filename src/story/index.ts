export type { AttackChoice, PlannedAttack } from './attacks/index.js'
export type { LoadProgress, OnProgress } from './compilation/index.js'
export { formatScenarioDocument, mapPaths, readScenarioDocument } from './document.js'
export { type LaidAttack, type Story, storyOf } from './expectations/index.js'
export type { ScenarioInput } from './format/index.js'
export {
  type AttackOptions,
  addReadings,
  attackModeOf,
  loadAttacks,
  loadReadings,
  loadScenario,
} from './load.js'
export type { LoadOptions } from './open.js'
export { ScenarioError, type ScenarioProblem } from './problems/index.js'
export {
  defineScenario,
  type ExtensionSource,
  readingsLayers,
  type ScenarioContext,
  type ScenarioDefinition,
  type ScenarioFunction,
} from './read/index.js'
export { shippedScenarios } from './source/index.js'
