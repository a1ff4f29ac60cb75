export { type Base, BaseBuilder, type Body, type BodySource } from './base.js'
export { nameOf, type Order, type ShuffleKey } from './indexing.js'
export { MailboxStore } from './mailbox-store.js'
export { type PageRequest, RowList } from './row-list.js'
export type { Unplaced } from './row-shapes.js'
export {
  type AttachmentRow,
  type Direction,
  type HeaderField,
  type IdentityRow,
  type MessageRow,
  type ModelName,
  modelNames,
  type OrganizationRow,
  type Rows,
  type ThreadRow,
  type WebhookRow,
} from './rows.js'
export { factsMarked, factsOfEmptyThread, factsWithMessage, type ThreadFacts } from './thread-facts.js'
export type { RowName, Written } from './written.js'
