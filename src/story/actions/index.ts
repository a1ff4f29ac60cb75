export type { ActionMail, CompileAction, CompiledAction } from './action.js'
export { actionFields, actionNames, actionOf, type ChosenAction } from './actions.js'
export { incomingMail } from './receive.js'
