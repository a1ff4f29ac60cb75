import { checkOptions, defineOptions, option } from '../../base/options.js'
import type { Thread } from '../../contract/resources.js'
import type { AttachmentRow, MessageRow, ThreadRow } from '../../service/model/rows.js'
import { headerFieldsOf } from '../../service/rendering/header-fields.js'
import { rawMessage } from '../../service/rendering/raw-message.js'
import { renderThread } from '../../service/rendering/resources.js'
import { formatInstant } from '../../service/time/time.js'
import { sentMail } from '../../service/world/journal.js'
import { type ShownFile, showFiles } from '../../service/world/sent-mail.js'
import type { ResourceView } from './resources.js'

/** Selects the threads to read. */
export interface ThreadSearch {
  /** The handle of the agent whose mailbox they are in; all agents by default. */
  readonly agent?: string | undefined
  /** Text in the subject or in a correspondent's name or address, case-insensitive. */
  readonly search?: string | undefined
  /** The number of threads to skip; 0 by default. */
  readonly offset?: number | undefined
  /** The maximum number of threads; 50 by default. */
  readonly limit?: number | undefined
}

const searchOptions = defineOptions<ThreadSearch>(() => ({
  agent: option.text(),
  search: option.text(),
  offset: option.count(),
  limit: option.count(),
}))

/** A thread as the service returns it, with the other columns of a list of mail. */
export type MailboxThread = Thread & {
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
export class MailboxReader {
  readonly #view: ResourceView

  constructor(view: ResourceView) {
    this.#view = view
  }

  /** Returns a page of threads, latest activity first. @throws CommandError `not-found` if there is no such agent */
  threads(options: ThreadSearch = {}): {
    readonly threads: readonly MailboxThread[]
    readonly total: number
  } {
    checkOptions('mailbox.threads', options, searchOptions)
    const { agent, search = '', offset = 0, limit = 50 } = options
    const { store } = this.#view.world
    const scopes = agent === undefined ? this.#view.organizations(true) : [this.#view.agent(agent).id]
    const list = store.threads(...scopes)
    const newestFirst = { order: 'last-message', descending: true } as const
    if (search === '') {
      const ids = list.page({ ...newestFirst, offset, limit })
      return { threads: store.rows('thread', ids).map((row) => this.#thread(row)), total: list.count }
    }
    const text = search.toLowerCase()
    const found = store.rows('thread', list.page(newestFirst)).filter((row) => this.#matches(row, text))
    const page = found.slice(offset, offset + limit)
    return { threads: page.map((row) => this.#thread(row)), total: found.length }
  }

  /** Returns a thread with all of its messages, oldest first. @throws CommandError `not-found` */
  conversation(id: string): { readonly thread: MailboxThread; readonly messages: readonly MailboxMessage[] } {
    const { store } = this.#view.world
    const thread = this.#thread(this.#view.row('thread', id))
    const messages = store.rows('message', store.messages(id).page({ order: 'created' }))
    const exchanges = this.#exchanges()
    return { thread, messages: messages.map((message) => this.#message(message, exchanges)) }
  }

  /** Returns a message with everything the world knows about it. @throws CommandError `not-found` */
  message(id: string): MailboxMessage {
    return this.#message(this.#view.row('message', id), this.#exchanges())
  }

  /**
   * Returns a message in RFC 5322 format: the bytes of the `.eml` with which it was received, or else composed from the stored
   * data. @throws CommandError `not-found`
   */
  raw(id: string): Uint8Array {
    return rawMessage(this.#view.row('message', id), this.#view.world.store)
  }

  /** Returns the same as text, decoded as UTF-8. @throws CommandError `not-found` */
  source(id: string): string {
    return new TextDecoder().decode(this.raw(id))
  }

  /** Returns a stored file; its content is base64. @throws CommandError `not-found` */
  attachment(id: string): Pick<AttachmentRow, 'filename' | 'content_type' | 'content'> {
    return this.#view.row('attachment', id)
  }

  #matches({ subject, first_message_id, last_message_id }: ThreadRow, text: string): boolean {
    if (subject.toLowerCase().includes(text)) return true
    const { store } = this.#view.world
    return [first_message_id, last_message_id].some((id) => {
      const message = id === null ? undefined : store.get('message', id)
      return message !== undefined && `${message.from} ${message.to.join(' ')}`.toLowerCase().includes(text)
    })
  }

  #thread(row: ThreadRow): MailboxThread {
    const { store } = this.#view.world
    const agent_handle = store.get('identity', row.identity_id)?.agent_handle ?? ''
    const last = row.last_message_id === null ? undefined : store.get('message', row.last_message_id)
    const messages = store.rows('message', store.messages(row.id).page({ order: 'created' }))
    return {
      ...this.#view.show<ThreadRow, Thread>(row, renderThread),
      agent_handle,
      last_message: last ? { direction: last.direction, from: last.from, to: last.to } : null,
      attachment_count: messages.reduce((sum, { attachment_ids }) => sum + attachment_ids.length, 0),
    }
  }

  /** Returns the numbers of the requests that sent mail, by the id of the message. */
  #exchanges(): ReadonlyMap<string, number> {
    return new Map(sentMail(this.#view.world).map(({ message, exchange }) => [message.id, exchange]))
  }

  #message(row: MessageRow, exchanges: ReadonlyMap<string, number>): MailboxMessage {
    const { store } = this.#view.world
    const { id, thread_id, direction, from, to, subject, created_at } = row
    const { text, html } = store.bodyOf(row)
    const headers = headerFieldsOf(row, store).map(([name, value]) => ({ name, value }))
    const attachments = showFiles(row, store)
    const mail = { id, thread_id, direction, from, to, subject, text, html }
    const sent = { created_at: formatInstant(created_at), exchange: exchanges.get(id) ?? null }
    return { ...mail, headers, attachments, ...sent }
  }
}
