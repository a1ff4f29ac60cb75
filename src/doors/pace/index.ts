export type { AgentWait, PacedAgent, ThinkTime } from './agent.js'
export { AutoTime, type TimeJump } from './auto-time.js'
export { paceQuietly } from './quiet-pace.js'
export { RequestGate } from './request-gate.js'
