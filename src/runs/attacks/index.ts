export { type AttackMode, type AttacksOptions, type NamedTrial, playAttacks } from './attacks.js'
export { attacksReport } from './attacks-report.js'
export type { AttackExample, AttacksReport } from './attacks-summary.js'
