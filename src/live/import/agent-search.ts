import { counted, listOf } from '../../base/text.js'
import { CalibrationError, type Fields } from '../calibrate/exchange.js'
import { handlesIn, ownAddressesOf } from '../calibrate/mailbox-view.js'
import type { ReadList, ServiceLists } from './service-lists.js'

/** A thread in the mailbox of an agent. */
export interface ListedThread {
  readonly row: Fields
  readonly handle: string
}

/** The agents of a service, with the threads of their mailboxes. */
export interface FoundAgents {
  readonly identities: readonly Fields[]
  /** The threads by id, agent by agent in the order of the service. */
  readonly threads: ReadonlyMap<string, ListedThread>
  /** All threads of the organization in the order of the service; undefined if it lists threads only by agent. */
  readonly unscoped: readonly string[] | undefined
  /** Ids of unread threads whose messages were listed. */
  readonly listedUnread: ReadonlySet<string>
  /** Whether the service shows that there is no more mail. */
  readonly isComplete: boolean
}

/** The maximum number of names in the mail that are tried as handles although the service has no such agent. */
const maxMisses = 100

/** Finds the agents of a service from the mail that it lists, and lists their threads. */
export class AgentSearch {
  readonly #lists: ServiceLists
  readonly #onCount: (handle: string, threads: number) => void
  readonly #identities: Fields[] = []
  readonly #threads = new Map<string, ListedThread>()
  readonly #tried = new Set<string>()
  readonly #listedUnread = new Set<string>()
  #misses = 0
  /** The number of threads according to the first list of threads. */
  #total: number | undefined

  constructor(lists: ServiceLists, onCount: (handle: string, threads: number) => void) {
    this.#lists = lists
    this.#onCount = onCount
  }

  /** Returns the agents of some handles. @throws CalibrationError `malformed` for an unknown handle */
  async named(handles: readonly string[]): Promise<FoundAgents> {
    for (const handle of handles) {
      if (await this.#add(handle.replace(/^@/, ''))) continue
      const remedy = 'leave out --agent to import those that it lists'
      throw new CalibrationError('malformed', `--agent ${handle}: the service has no such agent; ${remedy}.`)
    }
    const unscoped = this.#identities.length > 1 ? await this.#lists.unscopedThreads() : undefined
    return this.#found(unscoped, true)
  }

  /**
   * Returns the agents of all mail that the service lists; `messages` are those that it lists without a
   * filter. Mail that arrives meanwhile is in the mailboxes, which are read last.
   * @throws CalibrationError `malformed` if mail belongs to none of the agents that can be found
   */
  async all(webhooks: readonly Fields[], messages: ReadList): Promise<FoundAgents> {
    const unscoped = await this.#lists.unscopedThreads()
    const shown = new Map<string, Fields[]>()
    for (const { id } of unscoped?.rows ?? []) shown.set(String(id), [])
    for (const row of messages.rows) {
      const thread = String(row['thread_id'])
      const before = shown.get(thread)
      if (before) before.push(row)
      else shown.set(thread, [row])
    }
    const unread = new Set(unscoped?.rows.flatMap(({ id, unread }) => (unread === true ? [String(id)] : [])))
    for (const { agent_handle: handle } of webhooks) if (handle) await this.#add(String(handle))
    for (;;) {
      const left = [...shown].filter(([id]) => !this.#threads.has(id))
      const mail = left.flatMap(([, rows]) => rows)
      const candidates = handlesIn(mail).filter((name) => !this.#tried.has(name))
      if (left.length === 0) break
      if (candidates[0] !== undefined && this.#misses < maxMisses) await this.#add(candidates[0])
      else if (mail.length > 0) throw this.#noAgentOf(left.length, mail)
      else
        await this.#readMessages(
          left.map(([id]) => id),
          { shown, unread },
        )
    }
    if (this.#identities.length === 0) {
      throw new CalibrationError('malformed', 'The mailbox shows no agent; name one with --agent HANDLE.')
    }
    this.#checkTotals(messages)
    const countsAll = messages.total !== undefined && messages.total > messages.rows.length
    return this.#found(unscoped, unscoped !== undefined || messages.isWhole || countsAll)
  }

  /** Adds the agent of a handle and the threads of its mailbox; returns whether there is one. */
  async #add(handle: string): Promise<boolean> {
    if (this.#tried.has(handle)) return true
    this.#tried.add(handle)
    const identity = await this.#lists.identity(handle)
    if (typeof identity?.['mailbox_address'] !== 'string') {
      this.#misses++
      return false
    }
    if (this.#identities.some(({ id }) => id === identity['id'])) return true
    this.#identities.push(identity)
    const own = String(identity['agent_handle'])
    this.#tried.add(own)
    const { rows, total } = await this.#lists.threads(own, (count) => this.#onCount(own, count))
    this.#total ??= total
    for (const row of rows) {
      const id = String(row['id'])
      // Listing its messages may have marked it as read.
      const unread = row['unread'] === true || this.#listedUnread.has(id)
      this.#threads.set(id, { row: { ...row, unread }, handle: own })
    }
    return true
  }

  /**
   * Reads the messages of one of some threads, which show whose it is; preferably of one that is marked as
   * read.
   */
  async #readMessages(
    ids: readonly string[],
    { shown, unread }: { readonly shown: Map<string, Fields[]>; readonly unread: ReadonlySet<string> },
  ): Promise<void> {
    const id = ids.find((one) => !unread.has(one)) ?? (ids[0] as string)
    const rows = await this.#lists.messagesOf({ thread_id: id }, 100)
    if (unread.has(id)) this.#listedUnread.add(id)
    if (rows.length === 0) throw this.#noAgentOf(ids.length, [])
    shown.set(id, [...rows])
  }

  #noAgentOf(threads: number, mail: readonly Fields[]): CalibrationError {
    const known = new Set(this.#identities.map((one) => String(one['mailbox_address']).toLowerCase()))
    const counts = new Map<string, number>()
    for (const address of mail.flatMap(ownAddressesOf)) {
      if (!known.has(address.toLowerCase())) counts.set(address, (counts.get(address) ?? 0) + 1)
    }
    const [most = 0] = [...counts.values()].sort((a, b) => b - a)
    const addresses = [...counts].filter(([, count]) => count * 2 >= most).map(([address]) => address)
    const whose = addresses.length === 0 ? '' : ` (mail of ${listOf(addresses.slice(0, 5))})`
    return this.#lacking(counted(threads, 'thread'), whose)
  }

  /** Compares what was read with what the lists counted before. */
  #checkTotals({ total: messages }: ReadList): void {
    const counts = [...this.#threads.values()].map(({ row }) => Number(row['message_count']))
    const read = counts.reduce((sum, count) => sum + count, 0)
    // Whatever a total counts, it does not exceed the number of all rows.
    const threads = (this.#total ?? 0) - this.#threads.size
    if (threads > 0) throw this.#lacking(counted(threads, 'thread'))
    if (messages !== undefined && messages > read) throw this.#lacking(counted(messages - read, 'message'))
  }

  #lacking(what: string, whose = ''): CalibrationError {
    const handles = this.#identities.map(({ agent_handle }) => String(agent_handle))
    return new CalibrationError(
      'malformed',
      `The service has ${what} of agents that could not be found${whose}; found: ${listOf(handles)}. A handle that ` +
        'differs from the address cannot be guessed: name every agent to import with --agent HANDLE.',
    )
  }

  #found(unscoped: ReadList | undefined, isComplete: boolean): FoundAgents {
    return {
      identities: this.#identities,
      threads: this.#threads,
      unscoped: unscoped?.rows.map(({ id }) => String(id)),
      listedUnread: this.#listedUnread,
      isComplete,
    }
  }
}
