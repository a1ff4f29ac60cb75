import { z } from '../../base/schema.js'
import { type Identity, identitySchema, type Thread, threadSchema } from '../../contract/resources.js'
import { fromBase64 } from '../../mail/transfer-encoding.js'
import {
  type AttachmentRow,
  handleSchema,
  type IdentityRow,
  type MessageRow,
  type ThreadRow,
} from '../../service/model/rows.js'
import { headerFieldsOf, rawMessage } from '../../service/rendering/header-fields.js'
import { renderIdentity, renderThread } from '../../service/rendering/resources.js'
import { formatInstant } from '../../service/time/time.js'
import { sentMail } from '../../service/world/log.js'
import { type ShownFile, showFiles } from '../../service/world/sent-mail.js'
import { type Controlled, control, listNamed, page, shownInTurn } from './control.js'
import type { WorldView } from './world-view.js'

/** An agent to add. */
export interface IdentityInput {
  readonly handle: string
  /** The handle by default. */
  readonly displayName?: string | undefined
  readonly description?: string | undefined
  /** `<handle>@agents.example` by default. */
  readonly mailboxAddress?: string | undefined
}

/** Selects what a list contains. */
export interface ListOptions {
  /** Whether the list covers all organizations rather than only the first. */
  readonly everywhere?: boolean
}

/** Selects the threads that a list contains. */
export interface ThreadListOptions extends ListOptions {
  /** The handle of the agent whose mailbox they are in. */
  readonly agent?: string
}

function identityRow(view: WorldView, handle: string): IdentityRow {
  return view.world.store.get('identity', handle) ?? view.agent(handle)
}

/** The agents of a world. */
export const identities = {
  /** Returns the agents that `apiKey` can reach, or those of every organization, in the order they were added. */
  list: control({
    route: 'GET /identities',
    summary: 'Lists the agents of all organizations in the form that the service returns.',
    answer: () => z.object({ identities: z.array(identitySchema()) }),
    options: ['everywhere'],
    given: () => [{ everywhere: true }],
    perform({ view }: Controlled, { everywhere }: ListOptions = {}): Identity[] {
      const list = view.world.store.identities(...view.organizations(everywhere))
      return view.showAll('identity', list.page({ order: 'created' }), renderIdentity)
    },
    show: (list) => ({ identities: list }),
  }),

  /** Adds an agent with an empty mailbox. @throws WorldError `conflict`, `invalid` */
  create: control({
    route: 'POST /identities',
    summary: 'Adds an agent with an empty mailbox to the first organization.',
    body: () =>
      z.strictObject({
        handle: handleSchema().describe('The handle, without a leading @.'),
        display_name: z.string().optional().describe('The handle by default.'),
        description: z.string().optional(),
        mailbox_address: z.string().optional().describe('`<handle>@agents.example` by default.'),
      }),
    status: 201,
    answer: identitySchema,
    perform({ view }: Controlled, input: IdentityInput): Identity {
      const { handle, displayName, description, mailboxAddress } = input
      const names = { agent_handle: handle, display_name: displayName, mailbox_address: mailboxAddress }
      const row = view.world.apply({ type: 'create-identity', description, ...names })
      return view.show(row, renderIdentity)
    },
  }),

  /** Returns the agent with a handle or id. @throws WorldError `not-found` */
  get: control({
    route: 'GET /identities/{handle}',
    summary: 'Returns one agent.',
    answer: identitySchema,
    perform({ view }: Controlled, handle: string): Identity {
      return view.show(identityRow(view, handle), renderIdentity)
    },
  }),

  /** Removes the agent with a handle or id, and its mailbox. @throws WorldError `not-found` */
  delete: control({
    route: 'DELETE /identities/{handle}',
    summary: 'Removes an agent, its mailbox and the subscriptions scoped to it.',
    status: 204,
    perform({ view }: Controlled, handle: string): void {
      view.world.apply({ type: 'delete-identity', identity_id: identityRow(view, handle).id })
    },
  }),
}

/** The threads of a world. */
export const threads = {
  /**
   * Returns the threads that `apiKey` can reach, those of every organization, or those of one agent; the one with the
   * latest message first.
   * @throws WorldError `not-found` if there is no such agent
   */
  list: control({
    options: ['agent', 'everywhere'],
    perform({ view }: Controlled, { agent, everywhere }: ThreadListOptions = {}): Thread[] {
      const scopes = agent === undefined ? view.organizations(everywhere) : [view.agent(agent).id]
      const list = view.world.store.threads(...scopes)
      return view.showAll('thread', list.page({ order: 'last-message', descending: true }), renderThread)
    },
  }),

  /** Returns the thread with an id. @throws WorldError `not-found` */
  get: control({
    perform: ({ view }: Controlled, id: string): Thread => view.show(view.row('thread', id), renderThread),
  }),

  /** Marks a thread as read. @throws WorldError `not-found` */
  markRead: mark('read', false),

  /** Marks a thread as unread. @throws WorldError `not-found` */
  markUnread: mark('unread', true),
}

function mark(name: 'read' | 'unread', unread: boolean) {
  return control({
    route: `POST /threads/{id}/${name}`,
    summary: `Marks a thread as ${name}.`,
    answer: threadSchema,
    perform({ view }: Controlled, id: string): Thread {
      return view.show(view.world.apply({ type: 'set-thread-unread', thread_id: id, unread }), renderThread)
    },
  })
}

/** Selects the threads to read. */
interface ThreadSearch {
  /** The handle of the agent whose mailbox they are in; all agents by default. */
  readonly agent?: string | undefined
  /** Text in the subject or in a correspondent's name or address, case-insensitive. */
  readonly search?: string | undefined
  /** The number of threads to skip; 0 by default. */
  readonly offset?: number | undefined
  /** The maximum number of threads; 50 by default. */
  readonly limit?: number | undefined
}

/** A thread as the service returns it, with the other columns of a list of mail. */
type MailboxThread = Thread & {
  /** The agent whose mailbox it is in. */
  readonly agent_handle: string
  /** Who sent the latest message to whom; null for a thread without messages. */
  readonly last_message: Pick<MailboxMessage, 'direction' | 'from' | 'to'> | null
  /** The number of files in its messages. */
  readonly attachment_count: number
}

/** A message with everything the world knows about it, regardless of the assumptions. */
export interface MailboxMessage {
  readonly id: string
  readonly thread_id: string
  readonly direction: 'inbound' | 'outbound'
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  /** RFC 5322 header fields in order. */
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly attachments: readonly ShownFile[]
  readonly created_at: string
  /** The number of the request that sent it; null if the journal keeps no such request. */
  readonly exchange: number | null
}

/** Reads mail without requests, for people and tests: nothing is marked as read or recorded. */
export const mailbox = {
  /** Returns a page of threads, latest activity first. @throws WorldError `not-found` if there is no such agent */
  threads: control({
    route: 'GET /threads',
    summary:
      'Lists threads of all agents or of one agent, latest activity first. Records nothing and marks nothing as read.',
    query: () =>
      z.object({
        agent: z.string().optional().describe('Only threads of the agent with this handle.'),
        search: z
          .string()
          .max(200)
          .optional()
          .describe('Only threads whose subject or correspondents contain this text, ignoring case.'),
        ...page('50'),
      }),
    answer: listNamed('threads'),
    perform(
      { view }: Controlled,
      { agent, search = '', offset = 0, limit = 50 }: ThreadSearch = {},
    ): { readonly threads: readonly MailboxThread[]; readonly total: number } {
      const { store } = view.world
      const scopes = agent === undefined ? view.organizations(true) : [view.agent(agent).id]
      const list = store.threads(...scopes)
      const newestFirst = { order: 'last-message', descending: true } as const
      const show = (row: ThreadRow): MailboxThread => showThread(view, row)
      if (search === '') {
        const rows = store.rows('thread', list.page({ ...newestFirst, offset, limit }))
        return { threads: rows.map(show), total: list.count }
      }
      const text = search.toLowerCase()
      const found = store.rows('thread', list.page(newestFirst)).filter((row) => isAbout(view, row, text))
      return { threads: found.slice(offset, offset + limit).map(show), total: found.length }
    },
  }),

  /** Returns a thread with all of its messages, oldest first. @throws WorldError `not-found` */
  conversation: control({
    route: 'GET /threads/{id}',
    summary:
      'Returns a thread with its messages, all or a page of them, oldest first. Records nothing and marks nothing as read.',
    query: () => z.object(page('all')),
    answer: listNamed('messages'),
    perform(
      { view }: Controlled,
      id: string,
    ): { readonly thread: MailboxThread; readonly messages: readonly MailboxMessage[] } {
      const { thread, rows, show } = conversationIn(view, id)
      return { thread, messages: rows.map(show) }
    },
    respond({ view }, { id, offset, limit }) {
      const { thread, rows, show } = conversationIn(view, id)
      const messages = shownInTurn(rows.slice(offset).slice(0, limit), show)
      return { thread, total: rows.length, messages }
    },
  }),

  /** Returns a message with everything the world knows about it. @throws WorldError `not-found` */
  message: control({
    perform: ({ view }: Controlled, id: string): MailboxMessage =>
      showMessage(view, view.row('message', id), exchangesOf(view)),
  }),

  /**
   * Returns a message in RFC 5322 format: the bytes of the `.eml` with which it was received, or else composed from the stored
   * data. @throws WorldError `not-found`
   */
  raw: control({
    route: 'GET /messages/{id}/raw',
    summary:
      'Returns a message as a file in RFC 5322 format: the bytes with which it was received, or else composed from the stored data.',
    contentType: 'message/rfc822',
    answer: () => z.string(),
    perform: ({ view }: Controlled, id: string): Uint8Array =>
      rawMessage(view.row('message', id), view.world.store),
  }),

  /** Returns the same as text, decoded as UTF-8. @throws WorldError `not-found` */
  source: control({
    perform: ({ view }: Controlled, id: string): string =>
      new TextDecoder().decode(rawMessage(view.row('message', id), view.world.store)),
  }),

  /** Returns a stored file; its content is base64. @throws WorldError `not-found` */
  attachment: control({
    route: 'GET /attachments/{id}',
    summary: 'Returns the bytes of an attachment, regardless of the assumptions that concern its URL.',
    contentType: 'application/octet-stream',
    answer: () => z.string(),
    perform({ view }: Controlled, id: string): Pick<AttachmentRow, 'filename' | 'content_type' | 'content'> {
      return view.row('attachment', id)
    },
    show: ({ content }) => fromBase64(content),
  }),
}

function isAbout({ world }: WorldView, row: ThreadRow, text: string): boolean {
  if (row.subject.toLowerCase().includes(text)) return true
  return [row.first_message_id, row.last_message_id].some((id) => {
    const message = id === null ? undefined : world.store.get('message', id)
    return message !== undefined && `${message.from} ${message.to.join(' ')}`.toLowerCase().includes(text)
  })
}

function showThread(view: WorldView, row: ThreadRow): MailboxThread {
  const { store } = view.world
  const agent_handle = store.get('identity', row.identity_id)?.agent_handle ?? ''
  const last = row.last_message_id === null ? undefined : store.get('message', row.last_message_id)
  const messages = store.rows('message', store.messages(row.id).page({ order: 'created' }))
  return {
    ...view.show<ThreadRow, Thread>(row, renderThread),
    agent_handle,
    last_message: last ? { direction: last.direction, from: last.from, to: last.to } : null,
    attachment_count: messages.reduce((sum, { attachment_ids }) => sum + attachment_ids.length, 0),
  }
}

/** Returns a thread, the rows of its messages, and how each is shown. */
function conversationIn(view: WorldView, id: string) {
  const { store } = view.world
  const thread = showThread(view, view.row('thread', id))
  const exchanges = exchangesOf(view)
  return {
    thread,
    rows: store.rows('message', store.messages(id).page({ order: 'created' })),
    show: (row: MessageRow) => showMessage(view, row, exchanges),
  }
}

/** Returns the numbers of the requests that sent mail, by the id of the message. */
function exchangesOf({ world }: WorldView): ReadonlyMap<string, number> {
  return new Map(sentMail(world).map(({ message, exchange }) => [message.id, exchange]))
}

function showMessage(
  { world: { store } }: WorldView,
  row: MessageRow,
  exchanges: ReadonlyMap<string, number>,
): MailboxMessage {
  const { id, thread_id, direction, from, to, subject, created_at } = row
  const { text, html } = store.bodyOf(row)
  const headers = headerFieldsOf(row, store).map(([name, value]) => ({ name, value }))
  const attachments = showFiles(row, store)
  const mail = { id, thread_id, direction, from, to, subject, text, html }
  const sent = { created_at: formatInstant(created_at), exchange: exchanges.get(id) ?? null }
  return { ...mail, headers, attachments, ...sent }
}
