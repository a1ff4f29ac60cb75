import type { Identity, Message, Thread, Webhook } from '../../contract/resources.js'
import { textOfHtml } from '../../mail/snippet.js'
import type { Settle, SettleExtensionGap } from '../assumptions/settle.js'
import type { MailboxStore, RowList } from '../model/mailbox-store.js'
import type {
  HeaderField,
  IdentityRow,
  MessageRow,
  OrganizationRow,
  ThreadRow,
  WebhookRow,
} from '../model/rows.js'
import type { Reply } from '../operations/reply.js'
import { addressesOf, headerFieldsOf, type MessageAddresses, rawMessage } from '../rendering/header-fields.js'
import type { CommandOf, CommandType, ResultOf } from '../world/commands/commands.js'

/** The argument of an extension operation's `perform`. */
export interface ExtensionContext<
  Params = Readonly<Record<string, string>>,
  Query = Readonly<Record<string, string>>,
  Body = unknown,
> {
  /** The parameters of the path, decoded and checked. */
  readonly params: Params
  /** The parameters of the query, checked. */
  readonly query: Query
  /** The body, checked; undefined if the operation declares none. */
  readonly body: Body
  /** The original request. */
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: { get(name: string): string | null }
  }
  /** The organization whose key the request carried. */
  readonly organization: OrganizationRow
  /** Reads the data of that organization. */
  readonly world: WorldReader
  /** Renders rows of the world as the documented operations do, under the assumptions in force. */
  readonly render: ResourceRenderer
  /** Applies a command to the world. @throws WorldError, which becomes the response */
  apply<T extends CommandType>(command: CommandOf<T> & { readonly type: T }): ResultOf<T>
  /** What the extension keeps in the world for that organization. */
  readonly state: ExtensionState
  /** Sends mail from an agent; returns the message in the agent's mailbox. */
  send(mail: MailToSend): MessageRow
  /**
   * Returns the result of the branch for the assumption in force. All branches are evaluated, to see whether another assumption
   * would have given another response, so they must not change anything: decide first, then `apply`.
   */
  readonly settle: SettleExtensionGap & Settle
  /** Returns a response with a status, headers and a body, which is JSON unless it is a string. */
  reply(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): Reply
  /** Refuses the request because something does not exist: `notFound('thread', id)`. */
  notFound(what: string, name: string): never
  /** Refuses the request as invalid. */
  reject(message: string): never
  /** Refuses the request with any status, in the shape that errors have. */
  refuse(status: number, message: string): never
  /** Returns the world's time, ISO 8601 UTC. */
  now(): string
}

/**
 * What extensions keep in the world, for one organization: plain JSON by key. It is part of snapshots, logs and forks, and
 * gone after a reset. All extensions have the same keys, so begin them with a name, as in `drafts/1`.
 */
export interface ExtensionState {
  /** Returns a copy of the value of a key; undefined if there is none. */
  get<Value = unknown>(key: string): Value | undefined
  /** Keeps a value that JSON can express, or removes it with undefined. @throws TypeError, WorldError */
  set(key: string, value: unknown): void
  /** Returns the values whose keys begin with a prefix, in the order in which they were first set. */
  list<Value = unknown>(prefix?: string): { readonly key: string; readonly value: Value }[]
}

/** A message that an agent sends. */
export interface MailToSend {
  /** The agent's handle, id or mailbox address. */
  readonly from: string
  /** Addresses, with or without a display name; so are `cc`, `bcc` and `reply_to`. */
  readonly to: readonly string[]
  readonly cc?: readonly string[] | undefined
  /** Only the sender's own copy contains these. */
  readonly bcc?: readonly string[] | undefined
  readonly reply_to?: readonly string[] | undefined
  /** Additional header fields by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly subject?: string | undefined
  readonly text?: string | null | undefined
  readonly html?: string | null | undefined
  /** The id of the message that it replies to, whose thread it joins. */
  readonly in_reply_to?: string | undefined
  readonly thread_id?: string | undefined
  /** Whether its recipients in the organization receive it; false by default. */
  readonly local_delivery?: boolean | undefined
  /** Files, with their content in base64. */
  readonly attachments?: readonly FileToSend[] | undefined
}

/** A file of a message that an agent sends. */
export type FileToSend = NonNullable<CommandOf<'send-message'>['attachments']>[number]

/** Reads the data of an organization. Lists are in the order of creation; instants are in milliseconds. */
export interface WorldReader {
  /** Returns the agent with a handle (with or without `@`), id or mailbox address. */
  identity(name: string): IdentityRow | undefined
  identities(): IdentityRow[]
  thread(id: string): ThreadRow | undefined
  /** Returns the threads of one agent, or of all. */
  threads(of?: { readonly agent?: string | undefined }): ThreadRow[]
  message(id: string): MessageRow | undefined
  /** Returns the messages of a thread, of an agent, or all. */
  messages(of?: {
    readonly thread_id?: string | undefined
    readonly agent?: string | undefined
  }): MessageRow[]
  /**
   * Returns the bare addresses in each address field of a message; `bcc` only of messages that the agent
   * sent.
   */
  addressesOf(message: MessageRow): MessageAddresses
  /** Returns the RFC 5322 header fields of a message, in order. */
  headersOf(message: MessageRow): readonly HeaderField[]
  /** Returns the files of a message, as `send` attaches them. */
  attachmentsOf(message: MessageRow): FileToSend[]
  /** Returns a message in RFC 5322 format: the bytes with which it was received, or else composed from the stored data. */
  rawOf(message: MessageRow): Uint8Array
  /** Returns the text and the HTML of a message. */
  bodyOf(message: MessageRow): { readonly text: string | null; readonly html: string | null }
  /** Returns what a message says as text: its text or, if it has none, that of its HTML. */
  textOf(message: MessageRow): string
  webhook(id: string): WebhookRow | undefined
  webhooks(): WebhookRow[]
}

/** The resources of the interface by name: their rows, and their form in responses. */
export interface ShownResources {
  readonly Identity: { readonly row: IdentityRow; readonly shown: Identity }
  readonly Thread: { readonly row: ThreadRow; readonly shown: Thread }
  readonly Message: { readonly row: MessageRow; readonly shown: Message }
  readonly Webhook: { readonly row: WebhookRow; readonly shown: Webhook }
}

/** Renders resources as the documented operations do. @see interface 2 */
export interface ResourceRenderer {
  identity(row: IdentityRow): Identity
  thread(row: ThreadRow): Thread
  message(row: MessageRow): Message
  webhook(row: WebhookRow): Webhook
}

/** Creates a reader of the data of an organization. */
export function createWorldReader(store: MailboxStore, { id: organizationId }: OrganizationRow): WorldReader {
  const own = <Row extends { readonly organization_id: string }>(row: Row | undefined): Row | undefined => {
    return row?.organization_id === organizationId ? row : undefined
  }
  const identity: WorldReader['identity'] = (name) => {
    const handle = name.replace(/^@/, '')
    return (
      store.identityBy('handle', organizationId, handle) ??
      own(store.get('identity', name)) ??
      store.identityBy('foldedMailbox', organizationId, name)
    )
  }
  const scopeOf = (agent: string | undefined): string | undefined => {
    return agent === undefined ? organizationId : identity(agent)?.id
  }
  const thread: WorldReader['thread'] = (id) => own(store.get('thread', id))
  return {
    identity,
    identities: () => store.rows('identity', allIds(store.identities(organizationId))),
    thread,
    threads({ agent } = {}) {
      const scope = scopeOf(agent)
      return scope === undefined ? [] : store.rows('thread', allIds(store.threads(scope)))
    },
    message: (id) => own(store.get('message', id)),
    messages({ thread_id: threadId, agent } = {}) {
      const scope = threadId === undefined ? scopeOf(agent) : thread(threadId)?.id
      return scope === undefined ? [] : store.rows('message', allIds(store.messages(scope)))
    },
    addressesOf,
    headersOf: (message) => headerFieldsOf(message, store),
    attachmentsOf(message) {
      const files = store.rows('attachment', message.attachment_ids)
      return files.map(({ filename, content_type, content_id, content }) => {
        return { filename, content_type, content_id, content }
      })
    },
    rawOf: (message) => rawMessage(message, store),
    bodyOf: (message) => store.bodyOf(message),
    textOf(message) {
      const { text, html } = store.bodyOf(message)
      return text || (html === null ? '' : textOfHtml(html))
    },
    webhook: (id) => own(store.get('webhook', id)),
    webhooks: () => store.rows('webhook', allIds(store.webhooks(organizationId))),
  }
}

/** Returns the ids of a list in the order of creation. */
export function allIds(list: RowList): string[] {
  return list.page({ order: 'created', offset: 0, limit: list.count })
}
