export {
  type Authentication,
  type AuthenticationInput,
  authenticationFrom,
  authenticationInput,
  authenticationSchema,
} from './authentication.js'
export { type Base, BaseBuilder, type Body, type BodySource } from './base.js'
export {
  AssumptionError,
  ClockError,
  CodedError,
  CommandError,
  FaultError,
  givenUp,
  SnapshotError,
  StateError,
  WorldError,
} from './errors.js'
export type { Arrival } from './hidden-messages.js'
export type { Order } from './indexing.js'
export { lastInstant, nextTick, withDistinctInstants } from './instants.js'
export { MailboxStore, type RowList } from './mailbox-store.js'
export type { WrittenRows } from './overlay.js'
export {
  type AttachmentRow,
  type Direction,
  factsMarked,
  factsOfEmptyThread,
  factsWithMessage,
  type HeaderField,
  handlePattern,
  handleSchema,
  type IdentityRow,
  type IdKind,
  idPrefixes,
  type MessageRow,
  type ModelName,
  modelNames,
  type OrganizationRow,
  type Rows,
  rowSchemas,
  type ThreadFacts,
  type ThreadRow,
  type Unplaced,
  type ValueRow,
  type WebhookRow,
} from './rows.js'
export { unknownId } from './unknown-id.js'
