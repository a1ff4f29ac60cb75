import type { Readings } from '../../contract/gaps.js'
import { limits } from '../../contract/operations.js'
import { counted } from '../../contract/text.js'
import { parseInstant } from '../../world/index.js'
import {
  CalibrationError,
  describeExchange,
  type Fields,
  objectOf,
  type ProbeRequest,
  refuseWrongKey,
} from '../exchange.js'
import { handlesIn } from '../mailbox-view.js'
import { get, identityRequest } from '../reads.js'
import { type ClientOptions, type DownloadedFile, ServiceClient } from '../service-client.js'
import { creationOrder, listOrderOf } from './ordinals.js'

/** The options of a live mailbox. */
export interface LiveMailboxOptions extends Omit<ClientOptions, 'maxRequests'> {
  /** The agents by handle; by default those that the mailbox shows. */
  readonly agents: readonly string[]
  /** How the service settles the gaps. */
  readonly readings: Readings
  /** Only threads with mail within this many milliseconds before the latest mail. */
  readonly since: number | undefined
  readonly onProgress?: ((sentence: string) => void) | undefined
}

/** A thread that is imported. */
export interface ImportedThread {
  readonly row: Fields
  readonly handle: string
  /** Ids of its messages, the oldest first. */
  messages: string[]
}

/** A message that is imported. */
export interface ImportedMessage {
  readonly row: Fields
  readonly thread: string
  /** When it was created. */
  readonly at: number
}

/** The mailboxes of a service, read page by page. */
export class LiveMailbox {
  readonly threads = new Map<string, ImportedThread>()
  readonly messages = new Map<string, ImportedMessage>()
  /** Notes for the user. */
  readonly notes: string[] = []
  readonly #options: LiveMailboxOptions
  readonly #client: ServiceClient
  /** Lists of messages beyond single threads, which show the order among them. */
  readonly #windows: string[][] = []

  constructor(options: LiveMailboxOptions) {
    this.#options = options
    this.#client = new ServiceClient({ ...options, maxRequests: Number.POSITIVE_INFINITY })
  }

  /** Returns when a message was created; undefined if it was not read. */
  timeOf(message: string): number | undefined {
    return this.messages.get(message)?.at
  }

  webhooks(): Promise<readonly Fields[]> {
    return this.#list(get('/api/v1/webhooks'), 'webhooks')
  }

  /** Downloads a stored file; undefined if that fails. The key is sent only to the service. */
  download(link: string): Promise<DownloadedFile | undefined> {
    return this.#client.download(link, new URL(link).origin === new URL(this.#options.baseUrl).origin)
  }

  /**
   * Returns the body of a page: an object with `list`, or an identity; undefined if there is no such identity.
   * @throws CalibrationError `refused`, `unexpected`
   */
  async #page(request: ProbeRequest, list?: string): Promise<Fields | undefined> {
    const exchange = await this.#client.send(request)
    const { answer } = exchange
    refuseWrongKey(exchange)
    const body = answer.status === 200 ? objectOf(answer) : undefined
    if (body && (list === undefined || Array.isArray(body[list]))) return body
    if (list === undefined && answer.status >= 400 && answer.status < 500) return undefined
    // Without this page, mail would be missing from the scenario.
    const expected = list === undefined ? 'an identity' : `a list of ${list}`
    const remedy = 'check --base-url and --readings, or run the command again later'
    throw new CalibrationError(
      'unexpected',
      `${describeExchange(exchange)}: expected ${expected}; ${remedy}.`,
    )
  }

  /** Returns the rows of a list. @throws CalibrationError */
  async #list(request: ProbeRequest, name: string): Promise<readonly Fields[]> {
    return (await this.#page(request, name))?.[name] as Fields[]
  }

  /** Returns the identities of the agents. @throws CalibrationError */
  async identities(webhooks: readonly Fields[]): Promise<Fields[]> {
    const { agents } = this.#options
    const named = agents.map((handle) => handle.replace(/^@/, ''))
    const shown = async (): Promise<string[]> => {
      const rows = await this.#list(get('/api/v1/mail/messages', { limit: '100' }), 'messages')
      return handlesIn({ messages: new Map(rows.map((row) => [words(row['id']), row])), webhooks })
    }
    const identities: Fields[] = []
    for (const handle of named.length > 0 ? named : (await shown()).slice(0, 100)) {
      const identity = await this.#page(identityRequest(handle))
      const isNew = identity && !identities.some(({ id }) => id === identity['id'])
      if (isNew && typeof identity['mailbox_address'] === 'string') identities.push(identity)
      else if (!identity && named.length > 0) {
        throw new CalibrationError(
          'malformed',
          `--agent ${handle}: the service has no such agent; leave out --agent to import those that it shows.`,
        )
      }
    }
    if (identities.length === 0) {
      throw new CalibrationError('malformed', 'The mailbox shows no agent; name one with --agent HANDLE.')
    }
    return identities
  }

  /** Pages through threads; returns their ids in the order in which to create them. */
  async listThreads(identities: readonly Fields[]): Promise<string[]> {
    const { readings, since, onProgress } = this.#options
    const lists: string[][] = []
    for (const identity of identities) {
      const handle = words(identity['agent_handle'])
      const rows = await this.#allThreads({ agent: handle }, (count) => {
        onProgress?.(`${handle}: ${counted(count, 'thread')}`)
      })
      for (const row of rows) this.threads.set(words(row['id']), { row, handle, messages: [] })
      lists.push(rows.map((row) => words(row['id'])))
    }
    if (since !== undefined) {
      const times = [...this.threads.values()].map(({ row }) => timeIn(row['last_message_at']))
      const earliest = times.reduce((a, b) => Math.max(a, b), 0) - since
      for (const [id, { row }] of this.threads)
        if (timeIn(row['last_message_at']) < earliest) this.threads.delete(id)
    }
    if (identities.length > 1 && readings['threads.unscoped'] === 'all') {
      lists.unshift((await this.#allThreads({})).map((row) => words(row['id'])))
    }
    const reading = readings['threads.order']
    const known = (ids: readonly string[]): string[] => ids.filter((id) => this.threads.has(id))
    const field = reading.startsWith('created') ? 'created_at' : 'last_message_at'
    const timeOf = (id: string): number => timeIn(this.threads.get(id)?.row[field])
    return creationOrder(lists.map(known), listOrderOf(reading), timeOf)
  }

  async #allThreads(filter: Record<string, string>, onCount?: (count: number) => void): Promise<Fields[]> {
    const limit = limits['threads.list'].limit.maximum
    const threads = new Map<string, Fields>()
    for (let offset = 0; ; offset += limit) {
      const query = { ...filter, limit: String(limit), offset: String(offset) }
      const rows = await this.#list(get('/api/v1/mail/threads', query), 'threads')
      for (const row of rows) threads.set(words(row['id']), row)
      onCount?.(threads.size)
      if (rows.length < limit) return [...threads.values()]
    }
  }

  /** Reads all messages: page by page if offsets are supported, and otherwise thread by thread. */
  async listMessages(identities: readonly Fields[]): Promise<void> {
    const { readings, onProgress } = this.#options
    const maximum = readings['messages.limit-maximum']
    const limit = maximum === '100' ? 100 : 500
    const path = '/api/v1/mail/messages'
    const progress = (): void => onProgress?.(counted(this.messages.size, 'message'))
    if (readings['messages.offset'] === 'honoured') {
      const all: string[] = []
      for (let offset = 0; ; offset += limit) {
        const ids = await this.#take(get(path, { limit: String(limit), offset: String(offset) }))
        all.push(...ids)
        progress()
        if (ids.length < limit) break
      }
      this.#windows.push(all)
    } else {
      if (readings['messages.order'] === 'unspecified') {
        this.#windows.push(await this.#take(get(path, { limit: String(limit) })))
        for (const { agent_handle: agent } of identities) {
          this.#windows.push(await this.#take(get(path, { agent: words(agent), limit: String(limit) })))
        }
      }
      for (const id of this.threads.keys()) {
        this.#windows.push(await this.#take(get(path, { thread_id: id, limit: String(limit) })))
        progress()
      }
      const unread = [...this.threads.values()].filter(({ row }) => row['unread'] === true).length
      if (unread > 0 && readings['threads.unread-after-read'] === 'becomes-read') {
        this.notes.push(
          `The service marked ${counted(unread, 'thread')} as read because their messages were listed.`,
        )
      }
    }
    let lacking = 0
    for (const { messages, row } of this.threads.values()) {
      messages.sort((a, b) => (this.timeOf(a) ?? 0) - (this.timeOf(b) ?? 0))
      if (messages.length < Number(row['message_count'])) lacking++
    }
    if (lacking > 0) this.notes.push(`${counted(lacking, 'thread')} could not be read completely.`)
  }

  /** Notes a page of messages; returns their ids in order. */
  async #take(request: ProbeRequest): Promise<string[]> {
    const rows = await this.#list(request, 'messages')
    return rows.flatMap((row) => {
      const [id, thread] = [words(row['id']), words(row['thread_id'])]
      const owner = this.threads.get(thread)
      if (!owner) return []
      if (!this.messages.has(id)) {
        this.messages.set(id, { row, thread, at: timeIn(row['created_at']) })
        owner.messages.push(id)
      }
      return [id]
    })
  }

  /** The ids of the messages in the order in which to create them. */
  get messageOrder(): string[] {
    const reading = this.#options.readings['messages.order']
    const order = reading === 'chronological-in-thread' ? 'descending' : listOrderOf(reading)
    const isAscendingInThread = reading === 'chronological-in-thread'
    const lists = this.#windows.map((ids) => {
      const isOfThread = new Set(ids.map((id) => this.messages.get(id)?.thread)).size === 1
      return isAscendingInThread && isOfThread && this.#windows.length > 1 ? ids.toReversed() : ids
    })
    return creationOrder(lists, order, (id) => this.timeOf(id) ?? 0)
  }
}

/** Returns a value if it is text, and otherwise an empty string. */
export function words(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Parses a time. @throws CalibrationError */
export function timeIn(value: unknown): number {
  const instant = parseInstant(words(value))
  if (instant === undefined) {
    throw new CalibrationError('malformed', `The service shows ${JSON.stringify(value)} instead of a time.`)
  }
  return instant
}
