import { threadingFacts, threadingKeys } from '../../mail/threading.js'
import type { MessageRow, ModelName, Rows } from './rows.js'

/** The ids of the rows with each name, in the order in which they were added. */
export class NameIndex {
  readonly #ids = new Map<string, string[]>()

  add(name: string, id: string): void {
    const ids = this.#ids.get(name)
    if (ids) ids.push(id)
    else this.#ids.set(name, [id])
  }

  remove(name: string, id: string): void {
    const left = this.#ids.get(name)?.filter((other) => other !== id) ?? []
    if (left.length > 0) this.#ids.set(name, left)
    else this.#ids.delete(name)
  }

  /** Returns the id of the first row with a name that is not deleted. */
  find(name: string, deleted: ReadonlySet<string> = noIds): string | undefined {
    return this.#ids.get(name)?.find((id) => !deleted.has(id))
  }
}

const noIds: ReadonlySet<string> = new Set()

/** The names under which a message's thread is found. */
export interface ThreadNames {
  readonly thread: string
  readonly names: readonly string[]
}

interface Link {
  readonly thread: string
  /** How many messages of the thread have the name; negative if an overlay removes messages of the base. */
  count: number
  readonly next: Link | undefined
}

/** Finds the threads that contain messages with a name. */
export class ThreadLinks {
  // Linked lists: most names belong to one thread, and a list of one takes a fifth of the memory of a map
  readonly #links = new Map<string, Link>()

  /** Counts another message, or one message fewer. */
  add({ thread, names }: ThreadNames, by: 1 | -1): void {
    for (const name of names) {
      const first = this.#links.get(name)
      let link = first
      while (link && link.thread !== thread) link = link.next
      if (link) link.count += by
      else this.#links.set(name, { thread, count: by, next: first })
    }
  }

  /** Returns the threads with messages of a name; adds the counts of both indexes. */
  threadsOf(name: string, other = none): string[] {
    const threads: string[] = []
    for (let link = this.#links.get(name); link; link = link.next) {
      if (link.count + other.#countOf(name, link.thread) > 0) threads.push(link.thread)
    }
    for (let link = other.#links.get(name); link; link = link.next) {
      if (link.count > 0 && !threads.includes(link.thread)) threads.push(link.thread)
    }
    return threads
  }

  #countOf(name: string, thread: string): number {
    let link = this.#links.get(name)
    while (link && link.thread !== thread) link = link.next
    return link?.count ?? 0
  }
}

const none = new ThreadLinks()

/** The order of a list; a descending list is read backwards. */
export type Order = 'created' | 'last-message' | 'shuffle'

interface Indexing<Row> {
  /** Returns the lists that contain a row, each as the id of the list's owner. */
  readonly scopes: (row: Row) => readonly string[]
  /** Returns the sort key of a row, for each order. */
  readonly orders: Partial<Record<Exclude<Order, 'shuffle'>, (row: Row) => number>>
  /** Returns the names, other than the id, by which a row is found. */
  readonly names: (row: Row) => readonly string[]
  /** Returns the names by which the row's thread is found. */
  readonly links?: (row: Row) => ThreadNames
}

const nothing = () => []

/** The indexes of all models. Every model that has an order also has `shuffle`. */
export const indexing: { readonly [M in ModelName]: Indexing<Rows[M]> } = {
  organization: { scopes: nothing, orders: {}, names: nothing },
  identity: {
    scopes: (row) => [row.organization_id],
    orders: { created: (row) => row.created_at },
    names: (row) => [
      identityNames.handle(row.organization_id, row.agent_handle),
      identityNames.foldedHandle(row.organization_id, row.agent_handle),
      identityNames.handleAnywhere(row.agent_handle),
      identityNames.foldedHandleAnywhere(row.agent_handle),
      identityNames.mailbox(row.organization_id, row.mailbox_address),
      identityNames.foldedMailbox(row.organization_id, row.mailbox_address),
      identityNames.mailboxAnywhere(row.mailbox_address),
    ],
  },
  thread: {
    scopes: (row) => [row.organization_id, row.identity_id],
    orders: { created: (row) => row.created_at, 'last-message': (row) => row.last_message_at },
    names: nothing,
  },
  message: {
    scopes: (row) => [row.organization_id, row.identity_id, row.thread_id],
    orders: { created: (row) => row.created_at },
    names: (row) => (row.message_id === null ? [] : [nameOf.mail(row.identity_id, row.message_id)]),
    links: (row) => ({ thread: row.thread_id, names: threadingNames(row) }),
  },
  attachment: { scopes: nothing, orders: {}, names: nothing },
  webhook: {
    scopes: (row) => [row.organization_id],
    orders: { created: (row) => row.created_at },
    names: nothing,
  },
  value: {
    scopes: (row) => [row.organization_id],
    orders: { created: (row) => row.created_at },
    names: nothing,
  },
}

/** The names by which identities are found. They are unambiguous, because ids contain no spaces. */
export const identityNames = {
  handle: (organization: string, handle: string) => `handle ${organization} ${handle}`,
  foldedHandle: (organization: string, handle: string) => `folded ${organization} ${handle.toLowerCase()}`,
  handleAnywhere: (handle: string) => `anywhere ${handle}`,
  foldedHandleAnywhere: (handle: string) => `everywhere ${handle.toLowerCase()}`,
  mailbox: (organization: string, address: string) => `mailbox ${organization} ${address}`,
  foldedMailbox: (organization: string, address: string) => `box ${organization} ${address.toLowerCase()}`,
  mailboxAnywhere: (address: string) => `anybox ${address.toLowerCase()}`,
}

/** The names by which messages and their threads are found. */
export const nameOf = {
  mail: (identity: string, messageId: string) => `mail ${identity} ${messageId}`,
  threading: (identity: string, key: string) => `threading ${identity} ${key}`,
}

/** Returns the names by which later mail finds the thread that it may belong to. */
function threadingNames(row: MessageRow): string[] {
  // Later mail never names a message by its id alone.
  if (row.headers === null && !row.in_reply_to?.includes('@')) return []
  return threadingKeys(threadingFacts(row)).map((key) => nameOf.threading(row.identity_id, key))
}

/** Returns the orders of a model's lists. */
export function ordersOf(model: ModelName): Order[] {
  const orders = Object.keys(indexing[model].orders) as Order[]
  return orders.length === 0 ? [] : [...orders, 'shuffle']
}

/** Returns the sort key of a row in a seeded shuffle, from its ordinal. */
export type ShuffleKey = (ordinal: number) => number

/** Returns the sort key of a row. */
export function sortKey<M extends ModelName>(
  model: M,
  row: Rows[M],
  order: Order,
  shuffle: ShuffleKey,
): number {
  if (order === 'shuffle') return shuffle(row.ordinal)
  return indexing[model].orders[order]?.(row) ?? Number.NaN
}
