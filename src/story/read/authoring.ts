/** What files of scenarios and extensions import from this package: what each is written with, and its errors. */
export { ExtensionError } from '../../contract/extensions.js'
export { gaps } from '../../contract/gaps.js'
export { defineExtension } from '../../service/extensions/define-extension.js'
export { WorldError } from '../../service/model/errors.js'
export { defineScenario } from './define-scenario.js'
export { ScenarioError } from './problem.js'
