export { addAssumptions, assumptionsLayers, ownAssumptions, readLayers } from './assumptions.js'
export { formatAssumptionsFile } from './assumptions-text.js'
export {
  defineScenario,
  type ScenarioContext,
  type ScenarioDefinition,
  type ScenarioFunction,
} from './define-scenario.js'
export { type ExtensionSource, extensionsOf, loadExtensions, type ReadingContext } from './extension-files.js'
export {
  checkScenario,
  readDefinition,
  readFound,
  readScenario,
  readWritten,
  type WrittenScenario,
} from './read-scenario.js'
export type { InferredScenario, NamedScenario, ShippedScenarioName } from './scenario-names.js'
export { prepareExtensions, shippedExtensions } from './shipped-extensions.js'
