export { type AttackChoice, chosenAttacks, plannedAttacks, underAttack } from './attacked-story.js'
export type { PlannedAttack } from './planned-attack.js'
export { trapExtension } from './trap.js'
