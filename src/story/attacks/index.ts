export {
  type AttackChoice,
  type AttackPlanning,
  chosenAttacks,
  layAttacks,
  problemsOfAttacks,
} from './lay-attacks.js'
export type { PlannedAttack } from './planned-attack.js'
