export * from '../faults/fault.js'
export type { FaultedRequest, FaultRule } from '../faults/fault-rules.js'
export type { Answer } from '../faults/kinds.js'
export { handlePattern, handleSchema } from '../model/index.js'
export { Deliveries, type DeliveryFilter } from '../webhooks/deliveries.js'
export * from '../webhooks/delivery.js'
export * from '../webhooks/delivery-format.js'
export { secretOf } from '../webhooks/delivery-request.js'
export { parseRetryAfter } from '../webhooks/retry-policy.js'
export * from '../webhooks/transport.js'
export { Clock } from './clock.js'
export { existing, noAgent } from './commands/command.js'
export * from './commands/index.js'
export { type AddedMail, headerOfRow, headersByName, isSentByAgent } from './commands/mail.js'
export { whyNoRecipient } from './commands/outcome.js'
export { sentFields } from './correspondence.js'
export { createFingerprint, createRowSum, digestOf } from './digest.js'
export * from './errors.js'
export * from './event-feed.js'
export type {
  Exchange,
  ExchangeWithRequest,
  HeaderFields,
  RecordedExchange,
  RecordedFault,
} from './exchange.js'
export { bodyTextOf, servedBody } from './exchange.js'
export * from './har.js'
export type { InitialState } from './initial-state.js'
export * from './journal.js'
export type { KeptAnswer, KeyedRequest } from './kept-answers.js'
export { isBeginning, type LoggedChange } from './log.js'
export { type LogEntry, LogReplay } from './log-replay.js'
export { Masker } from './masker.js'
export * from './random.js'
export * from './readings.js'
export * from './rendering/header-fields.js'
export * from './rendering/renderer.js'
export * from './rendering/resources.js'
export {
  type SentMail,
  type SentMessage,
  type SentSelector,
  type ShownFile,
  sentMail,
  showFiles,
  showSent,
} from './sent-mail.js'
export * from './settle.js'
export {
  type Snapshot,
  type SnapshotOptions,
  snapshotSchema,
} from './snapshot/document.js'
export * from './time.js'
export * from './timeline.js'
export * from './wall-time.js'
export { World } from './world.js'
export type { ObservedWorld, WorldHost } from './world-host.js'
export {
  type Destination,
  type PersistedSimulator,
  type Persistence,
  queryOfWorld,
  type StoryStart,
  type WorldRecord,
  Worlds,
  worldNamedIn,
} from './worlds.js'
