import { counted } from '../../base/text.js'
import type { Assumptions } from '../../contract/gaps.js'
import { parseInstant } from '../../service/time/time.js'
import { CalibrationError, type Fields, shownValue } from '../calibrate/exchange.js'
import { type ClientOptions, type DownloadedFile, ServiceClient } from '../calibrate/service-client.js'
import { AgentSearch, type FoundAgents, type ListedThread } from './agent-search.js'
import { creationOrder, listOrderOf } from './ordinals.js'
import { type ReadList, ServiceLists } from './service-lists.js'

/** The options of a live mailbox. */
export interface LiveMailboxOptions extends Omit<ClientOptions, 'maxRequests'> {
  /** The agents by handle; by default those that the mailbox shows. */
  readonly agents: readonly string[]
  /** How the service settles the gaps. */
  readonly assumptions: Assumptions
  /** Only threads with mail within this many milliseconds before the latest mail. */
  readonly since: number | undefined
  readonly onProgress?: ((sentence: string) => void) | undefined
}

/** A thread that is imported. */
export interface ImportedThread extends ListedThread {
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
  readonly #lists: ServiceLists
  #found: FoundAgents | undefined
  /** The messages that the service lists without a filter. */
  #shown: ReadList | undefined
  /** Lists of messages of more than one thread, which show the order among the threads. */
  readonly #windows: string[][] = []

  constructor(options: LiveMailboxOptions) {
    this.#options = options
    const client = new ServiceClient({ ...options, maxRequests: Number.POSITIVE_INFINITY })
    this.#lists = new ServiceLists(client)
  }

  /** Returns when a message was created; undefined if it was not read. */
  timeOf(message: string): number | undefined {
    return this.messages.get(message)?.at
  }

  /** Reads the webhooks, the agents and their threads. @throws CalibrationError */
  async read(): Promise<{ readonly webhooks: readonly Fields[]; readonly identities: readonly Fields[] }> {
    const { agents, since, onProgress } = this.#options
    const webhooks = await this.#lists.webhooks()
    this.#shown = await this.#lists.messages(this.#limit, (count) => onProgress?.(counted(count, 'message')))
    const search = new AgentSearch(this.#lists, (handle, count) => {
      onProgress?.(`${handle}: ${counted(count, 'thread')}`)
    })
    const found = await (agents.length > 0 ? search.named(agents) : search.all(webhooks, this.#shown))
    this.#found = found
    for (const [id, thread] of found.threads) this.threads.set(id, { ...thread, messages: [] })
    if (since !== undefined) {
      const times = [...this.threads.values()].map(({ row }) => timeIn(row['last_message_at']))
      const earliest = times.reduce((a, b) => Math.max(a, b), 0) - since
      for (const [id, { row }] of this.threads)
        if (timeIn(row['last_message_at']) < earliest) this.threads.delete(id)
    }
    if (!found.isComplete) {
      this.notes.push(
        `The service has no list of all mail, so an agent without mail among the ${this.#shown.rows.length} messages ` +
          'that it lists may be missing; if so, name every agent with --agent HANDLE.',
      )
    }
    await this.#readMessages()
    return { webhooks, identities: found.identities }
  }

  /** The ids of the threads in the order in which to create them. */
  get threadOrder(): string[] {
    const { identities, threads, unscoped } = this.#found as FoundAgents
    const lists = identities.map(({ agent_handle }) => {
      return [...threads].flatMap(([id, { handle }]) => (handle === agent_handle ? [id] : []))
    })
    const assumption = this.#options.assumptions['threads.order']
    const known = (ids: readonly string[]): string[] => ids.filter((id) => this.threads.has(id))
    const field = assumption.startsWith('created') ? 'created_at' : 'last_message_at'
    const timeOf = (id: string): number => timeIn(this.threads.get(id)?.row[field])
    return creationOrder(
      [...(unscoped ? [unscoped] : []), ...lists].map(known),
      listOrderOf(assumption),
      timeOf,
    )
  }

  /** Downloads a stored file; undefined if that fails. The key is sent only to the service. */
  download(link: string): Promise<DownloadedFile | undefined> {
    return this.#lists.download(link, new URL(link).origin === new URL(this.#options.baseUrl).origin)
  }

  /**
   * Reads all messages: from the list of all of them if the service has one, and otherwise thread by thread.
   */
  async #readMessages(): Promise<void> {
    const { assumptions, onProgress } = this.#options
    const { identities = [], listedUnread = [] } = this.#found ?? {}
    const marked = new Set(listedUnread)
    const { rows = [], isWhole = false } = this.#shown ?? {}
    if (isWhole || assumptions['messages.order'] === 'unspecified') this.#take(rows)
    if (!isWhole && assumptions['messages.order'] === 'unspecified') {
      for (const { agent_handle: agent } of identities)
        this.#take(await this.#lists.messagesOf({ agent: words(agent) }, this.#limit))
    }
    for (const [id, { row, messages }] of this.threads) {
      if (isWhole && !(messages.length < Number(row['message_count']))) continue
      this.#take(await this.#lists.messagesOf({ thread_id: id }, this.#limit))
      if (row['unread'] === true) marked.add(id)
      onProgress?.(counted(this.messages.size, 'message'))
    }
    if (marked.size > 0 && assumptions['threads.unread-after-read'] === 'becomes-read') {
      this.notes.push(
        `The service marked ${counted(marked.size, 'thread')} as read because their messages were listed.`,
      )
    }
    let lacking = 0
    for (const { messages, row } of this.threads.values()) {
      messages.sort((a, b) => (this.timeOf(a) ?? 0) - (this.timeOf(b) ?? 0))
      if (messages.length < Number(row['message_count'])) lacking++
    }
    if (lacking > 0) this.notes.push(`${counted(lacking, 'thread')} could not be read completely.`)
  }

  /** Notes the messages of a list that belong to imported threads. */
  #take(rows: readonly Fields[]): void {
    const ids = rows.flatMap((row) => {
      const [id, thread] = [words(row['id']), words(row['thread_id'])]
      const owner = this.threads.get(thread)
      if (!owner) return []
      if (!this.messages.has(id)) {
        this.messages.set(id, { row, thread, at: timeIn(row['created_at']) })
        owner.messages.push(id)
      }
      return [id]
    })
    this.#windows.push(ids)
  }

  /** The number of messages to ask for at once. */
  get #limit(): number {
    return this.#options.assumptions['messages.limit-maximum'] === '100' ? 100 : 500
  }

  /** The ids of the messages in the order in which to create them. */
  get messageOrder(): string[] {
    const assumption = this.#options.assumptions['messages.order']
    const order = assumption === 'chronological-in-thread' ? 'descending' : listOrderOf(assumption)
    const isAscendingInThread = assumption === 'chronological-in-thread'
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
    throw new CalibrationError('malformed', `The service returned ${shownValue(value)} instead of a time.`)
  }
  return instant
}
