export { judgedAttacks, toHaveResisted } from './attack-verdicts.js'
export { type Attack, type AttackNames, attacksOf } from './attacks.js'
export { changesIn } from './changes.js'
export { createSimulator, logDefect, openSimulator } from './create-simulator.js'
export type { CreatedWorld } from './create-world.js'
export { judgeLeaks, type LeakOptions, problemWithSecrets, toHaveLeakedNothing } from './leaks.js'
export type { FileInput, ReceiveInput, SendInput, StoredMail } from './mail.js'
export {
  type DeliveryDescription,
  hintedMatcher,
  judgeSent,
  type MailboxMatchers,
  mailboxMatchers,
  type RequestMatch,
  type SentDescription,
  type ThreadDescription,
} from './matchers.js'
export {
  type ForkOptions,
  type SentFilter,
  type SimulatorOptions,
  simulatorOptions,
  toolOptions,
  type WorldOptions,
  worldOptions,
} from './options.js'
export { repeatExchange } from './repeat-exchange.js'
export {
  type IdentityInput,
  type ListOptions,
  summarize,
  type ThreadListOptions,
  type WebhookInput,
  type WorldSummary,
} from './resources.js'
export { chosenAssumptions, parseStart, requestedLayers } from './scenario-loader.js'
export { Simulator } from './simulator.js'
export { TraceError } from './trace.js'
export { toHaveKept, violations } from './violations.js'
export {
  type DeliveryWanted,
  type SentWanted,
  type ThreadMatch,
  WaitError,
  type WaitOptions,
} from './wait-for.js'
