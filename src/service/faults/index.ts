export {
  checkFault,
  delayOf,
  disturb,
  effectsOf,
  type Fault,
  type FaultInput,
  faultSchema,
  keepsAnswer,
  replacesAnswer,
  unknownOperation,
  whyNeverHit,
} from './fault.js'
export { type FaultRule, FaultRules, type FaultState, faultStateSchema } from './fault-rules.js'
export type { Answer } from './kinds.js'
