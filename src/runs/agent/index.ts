export type {
  AgentEnd,
  AgentStart,
  CommandAgent,
  CommandOutcome,
  CommandWatch,
  PlayAgent,
  StopReason,
} from './agent.js'
export { type ClientVariables, placeholders, portPlaceholder } from './client-environment.js'
export { startCommand } from './command-agent.js'
export { CommandLife } from './command-life.js'
export { startFunction } from './function-agent.js'
export { membersOf, runsBeside, sleeps } from './group-members.js'
export { momentFile, observerEnvironment } from './observers/environment.js'
export type { PlayOptions, PlayStart, PlayWatcher, RepeatedPlayOptions, ToldPart } from './options.js'
export {
  type DeliveryPorts,
  freePorts,
  isListening,
  type LocalReceiver,
  localReceivers,
  toldPorts,
  withPorts,
} from './receivers.js'
