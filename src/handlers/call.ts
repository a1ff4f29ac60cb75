import type { MailboxStore, OrganizationRow } from '../model/index.js'
import type { Settle } from '../world/index.js'
import type { Query } from './query.js'
import type { Renderer } from './rendering/renderer.js'
import type { Reply } from './reply.js'
import type { RequestBody } from './request-body.js'
import type { Apply } from './visit.js'

/** One authenticated request on its way through an operation. */
export interface Call {
  /** What the caller's world holds. */
  readonly store: MailboxStore
  /** The caller's organization: nothing outside it is ever seen. */
  readonly organization: OrganizationRow
  readonly request: Request
  readonly body: RequestBody
  /** The `{handle}` of the path, still percent-encoded; empty where the path has none. */
  readonly handle: string
  readonly query: Query
  readonly settle: Settle
  readonly render: Renderer
  /** Changes the world by a command. */
  readonly apply: Apply
  /** The body as it was read, for the journal. */
  noteBody(body: string): void
}

/** What an operation does: read the world, or apply one command, and reply. @throws Refusal */
export type OperationFunction = (call: Call) => Reply | Promise<Reply>
