export type { LogStore } from './log-store.js'
export { openState, openStore } from './open-state.js'
export type { StateStart } from './state-start.js'
