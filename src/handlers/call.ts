import type { MailboxStore, OrganizationRow } from '../model/index.js'
import type { Settle, World } from '../world/index.js'
import type { Query } from './query.js'
import type { Renderer } from './rendering/renderer.js'
import type { Reply } from './reply.js'

/** One authenticated request on its way through an operation. */
export interface Call {
  readonly world: World
  readonly store: MailboxStore
  /** The caller's organization: nothing outside it is ever seen. */
  readonly organization: OrganizationRow
  readonly request: Request
  /** The `{handle}` of the path, still percent-encoded; empty where the path has none. */
  readonly handle: string
  readonly query: Query
  readonly settle: Settle
  readonly render: Renderer
  /** The body as it was read, for the journal. */
  noteBody(body: string): void
}

/** What an operation does: read the world, or apply one command, and reply. @throws Refusal */
export type OperationFunction = (call: Call) => Reply | Promise<Reply>
