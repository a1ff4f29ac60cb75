export { decidesLife, isStartExpected, lifeRefusal } from './agent-life.js'
export { type AttackChoice, layAttacks, type PlannedAttack } from './attacks/index.js'
export type { LoadProgress, OnProgress } from './compilation/index.js'
export { formatScenarioDocument, mapPaths, readScenarioDocument } from './document.js'
export type { LaidAttack } from './expectations/index.js'
export type { ScenarioInput } from './format/index.js'
export { type AttackOptions, attackModeOf, loadAssumptions, loadAttacks, loadScenario } from './load.js'
export type { LoadOptions } from './open.js'
export { judgedBy, type OtherExpectations, readExpectations } from './other-expectations.js'
export {
  type EntryInput,
  type FormedMessage,
  type MailboxSizes,
  type MessagePlace,
  type Moves,
  type Story,
  type StoryOverlay,
  storyOf,
  type WrittenIdentity,
  writtenWith,
} from './overlays/index.js'
export { ScenarioError, type ScenarioProblem } from './problems/index.js'
export {
  addAssumptions,
  assumptionsLayers,
  defineScenario,
  type ExtensionSource,
  type InferredScenario,
  type NamedScenario,
  type ScenarioContext,
  type ScenarioDefinition,
  type ScenarioFunction,
  type ShippedScenarioName,
} from './read/index.js'
export { shippedScenarios } from './source/index.js'
