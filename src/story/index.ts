export type { AttackChoice } from './attacks/attacked-story.js'
export type { PlannedAttack } from './attacks/planned-attack.js'
export type { LoadProgress, OnProgress } from './compile/compilation.js'
export {
  defineScenario,
  type ScenarioContext,
  type ScenarioDefinition,
  type ScenarioFunction,
} from './define-scenario.js'
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
export { ScenarioError, type ScenarioProblem } from './problems/problem.js'
export type { ExtensionSource } from './source/extension-files.js'
export { shippedScenarios } from './source/find-scenario.js'
export { readingsLayers } from './source/readings.js'
export { type LaidAttack, type Story, storyOf } from './story.js'
