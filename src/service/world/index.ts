export { type KnownChanges, knownChanges, type RowChange } from './changes.js'
export { existing, noAgent } from './commands/command.js'
export type { Command, CommandOf, CommandType, ResultOf } from './commands/commands.js'
export { type AddedMail, isSentByAgent } from './commands/mail.js'
export { authenticationOfRow, headerOfRow, headersByName } from './commands/mail-fields.js'
export { whyNoRecipient } from './commands/outcome.js'
export { valueId } from './commands/value.js'
export { sentFields } from './correspondence.js'
export { createFingerprint, createRowSum, digesting, digestOf } from './digest.js'
export {
  bodyTextOf,
  type Exchange,
  type ExchangeWithRequest,
  type HeaderFields,
  type RecordedExchange,
  type RecordedFault,
  servedBody,
} from './exchange.js'
export {
  createHar,
  type Har,
  type HarContent,
  type HarEntry,
  type HarLog,
  type HarPair,
  type HarRequest,
  type HarResponse,
  harText,
} from './har.js'
export type { InitialState } from './initial-state.js'
export {
  type CommandCause,
  type EntryFilter,
  type ExchangeFilter,
  Journal,
  type JournalEntry,
  type JournalUsage,
  type KeptCommand,
  type RecordedCommand,
} from './journal.js'
export type { KeptAnswer } from './kept-answers.js'
export { LogReplay } from './log-replay.js'
export { momentIn, type PastMoment } from './past.js'
export {
  type SentMail,
  type SentMessage,
  type SentSelector,
  type ShownFile,
  sentMail,
  showFiles,
  showSent,
} from './sent-mail.js'
export { type Snapshot, type SnapshotOptions, snapshotSchema } from './snapshot/document.js'
export type {
  AddressedWorld,
  AgentAct,
  AgentLife,
  CompiledEntry,
  PlayedEntry,
  TimelineEntry,
} from './story-entry.js'
export { type ToldStory, type ToldTraffic, toldStory, toldUntil } from './told-story.js'
export type { Trigger, TriggeredEntry } from './triggers.js'
export { World } from './world.js'
export type { WorldHost } from './world-host.js'
export type { RecordedWorld } from './world-state.js'
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
