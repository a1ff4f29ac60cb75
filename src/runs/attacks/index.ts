export { type AttackMode, type AttacksOptions, type NamedTrial, playAttacks } from './attacks.js'
export { attacksReport } from './attacks-report.js'
export type { AttackExample, AttackOutcome, AttacksReport, PlayName, Tally } from './attacks-summary.js'
