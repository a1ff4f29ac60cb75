/** What files of scenarios and extensions import from this package: what each is written with, and its errors. */
export { ExtensionError, gaps } from '../../contract/index.js'
export { defineExtension } from '../../service/extensions/index.js'
export {
  AssumptionError,
  ClockError,
  CommandError,
  FaultError,
  SnapshotError,
  WorldError,
} from '../../service/model/index.js'
export { ScenarioError } from '../problems/index.js'
export { defineScenario } from './define-scenario.js'
