import type { Identity, Message, Thread, Webhook } from '../../contract/resources.js'
import type {
  IdentityRow,
  MailboxStore,
  MessageRow,
  OrganizationRow,
  RowList,
  ThreadRow,
  WebhookRow,
} from '../../model/index.js'
import type { CommandOf, CommandType, ResultOf, SettleOwn } from '../../world/index.js'
import type { Reply } from '../reply.js'

/** What `perform` of an extension's operation is given. */
export interface ExtensionContext<
  Params = Readonly<Record<string, string>>,
  Query = Readonly<Record<string, string>>,
  Body = unknown,
> {
  /** The parameters of the path, decoded and checked. */
  readonly params: Params
  /** The parameters of the query, checked. */
  readonly query: Query
  /** The body, checked; undefined where the operation declares none. */
  readonly body: Body
  /** The request as it came. */
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: { get(name: string): string | null }
  }
  /** Whose key the request brought. */
  readonly organization: OrganizationRow
  /** What that organization has. */
  readonly world: WorldReader
  /** Shows what is in the world as the documented operations do, under the readings in force. */
  readonly render: ResourceRenderer
  /** Changes the world by a command. @throws CommandError, which becomes the answer */
  apply<T extends CommandType>(command: CommandOf<T> & { readonly type: T }): ResultOf<T>
  /** Has an agent send mail; returns the message, which is in the agent's mailbox. */
  send(mail: MailToSend): MessageRow
  /**
   * Picks the branch of the reading in force. All branches are evaluated, to see whether another reading would have given
   * another answer, so they change nothing: decide first, then `apply`.
   */
  readonly settle: SettleOwn
  /** Answers with a status, a body (JSON, where it is no text) and headers. */
  reply(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): Reply
  /** Refuses the request, since something is not there: `notFound('thread', id)`. */
  notFound(what: string, name: string): never
  /** Refuses the request, since it is wrong. */
  reject(message: string): never
  /** Refuses the request with a status of its own, in the shape that errors have. */
  refuse(status: number, message: string): never
  /** The world's time, ISO 8601 UTC. */
  now(): string
}

/** Mail that an agent sends. */
export interface MailToSend {
  /** The agent's handle, id or mailbox address. */
  readonly from: string
  readonly to: readonly string[]
  readonly subject?: string | undefined
  readonly text?: string | null | undefined
  readonly html?: string | null | undefined
  /** The id of the message that it answers; it joins that message's thread. */
  readonly in_reply_to?: string | undefined
  readonly thread_id?: string | undefined
  /** Files, their content in base64. */
  readonly attachments?: CommandOf<'send-message'>['attachments']
}

/** Reads what an organization has; lists are in the order in which things were made. Instants are in milliseconds. */
export interface WorldReader {
  /** The agent of a handle (with or without `@`), id or mailbox address. */
  identity(name: string): IdentityRow | undefined
  identities(): IdentityRow[]
  thread(id: string): ThreadRow | undefined
  /** The threads of one agent, or of all. */
  threads(of?: { readonly agent?: string | undefined }): ThreadRow[]
  message(id: string): MessageRow | undefined
  /** The messages of a thread, of an agent, or all. */
  messages(of?: {
    readonly thread_id?: string | undefined
    readonly agent?: string | undefined
  }): MessageRow[]
  /** The text and the HTML of a message. */
  bodyOf(message: MessageRow): { readonly text: string | null; readonly html: string | null }
  webhook(id: string): WebhookRow | undefined
  webhooks(): WebhookRow[]
}

/** Shows resources as the documented operations do. @see interface 2 */
export interface ResourceRenderer {
  identity(row: IdentityRow): Identity
  thread(row: ThreadRow): Thread
  message(row: MessageRow): Message
  webhook(row: WebhookRow): Webhook
}

/** Creates what reads the world for an organization. */
export function createWorldReader(store: MailboxStore, { id: organizationId }: OrganizationRow): WorldReader {
  const own = <Row extends { readonly organization_id: string }>(row: Row | undefined): Row | undefined => {
    return row?.organization_id === organizationId ? row : undefined
  }
  const identity: WorldReader['identity'] = (name) => {
    const handle = name.replace(/^@/, '')
    return (
      store.identityByHandle(organizationId, handle) ??
      own(store.get('identity', name)) ??
      store.identityByFoldedMailbox(organizationId, name)
    )
  }
  const scopeOf = (agent: string | undefined): string | undefined => {
    return agent === undefined ? organizationId : identity(agent)?.id
  }
  const thread: WorldReader['thread'] = (id) => own(store.get('thread', id))
  return {
    identity,
    identities: () => store.rows('identity', everyId(store.identities(organizationId))),
    thread,
    threads({ agent } = {}) {
      const scope = scopeOf(agent)
      return scope === undefined ? [] : store.rows('thread', everyId(store.threads(scope)))
    },
    message: (id) => own(store.get('message', id)),
    messages({ thread_id: threadId, agent } = {}) {
      const scope = threadId === undefined ? scopeOf(agent) : thread(threadId)?.id
      return scope === undefined ? [] : store.rows('message', everyId(store.messages(scope)))
    },
    bodyOf: (message) => store.bodyOf(message),
    webhook: (id) => own(store.get('webhook', id)),
    webhooks: () => store.rows('webhook', everyId(store.webhooks(organizationId))),
  }
}

function everyId(list: RowList): string[] {
  return list.page({ order: 'created', offset: 0, limit: list.count })
}
