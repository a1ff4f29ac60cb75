export { type Base, BaseBuilder, type Body, type BodySource } from './base.js'
export { nameOf, type Order, type ShuffleKey } from './indexing.js'
export { MailboxStore } from './mailbox-store.js'
export { type PageRequest, RowList } from './row-list.js'
export type {
  AttachmentRow,
  Direction,
  HeaderField,
  IdentityRow,
  MessageRow,
  ModelName,
  OrganizationRow,
  Rows,
  ThreadRow,
  WebhookRow,
} from './rows.js'
export { factsMarked, factsOfEmptyThread, factsWithMessage, type ThreadFacts } from './thread-facts.js'
