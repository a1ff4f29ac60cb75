export { type AttackMode, type AttacksOptions, playAttacks } from './attacks.js'
export { attacksReport } from './attacks-report.js'
export type { AttackExample, AttackOutcome, AttacksReport, Tally } from './attacks-summary.js'
