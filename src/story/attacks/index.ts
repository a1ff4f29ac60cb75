export { type AttackChoice, type AttackPlanning, chosenAttacks, underAttack } from './attacked-story.js'
export type { PlannedAttack } from './planned-attack.js'
export { trapExtension } from './trap.js'
