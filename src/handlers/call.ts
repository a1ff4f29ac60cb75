import type { MailboxStore, OrganizationRow } from '../model/index.js'
import type { Query } from './query.js'
import type { Reply } from './reply.js'
import type { Visit } from './visit.js'

/** One authenticated request on its way through an operation. */
export interface Call extends Pick<Visit, 'request' | 'body' | 'settle' | 'render' | 'apply' | 'noteBody'> {
  /** What the caller's world holds. */
  readonly store: MailboxStore
  /** The caller's organization: nothing outside it is ever seen. */
  readonly organization: OrganizationRow
  /** The `{handle}` of the path, still percent-encoded; empty where the path has none. */
  readonly handle: string
  readonly query: Query
}

/** What an operation does: read the world, or apply one command, and reply. @throws Refusal */
export type OperationFunction = (call: Call) => Reply | Promise<Reply>
