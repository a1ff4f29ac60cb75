import { threadingFacts, threadingKeys } from '../mail/index.js'
import type { MessageRow, ModelName, Rows } from './rows.js'

/** The rows of each name, in the order in which they came to it. */
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

  /** The id of the first row of a name that is not gone. */
  find(name: string, gone: ReadonlySet<string> = nobody): string | undefined {
    return this.#ids.get(name)?.find((id) => !gone.has(id))
  }
}

const nobody: ReadonlySet<string> = new Set()

/** Names that the messages of one thread share. */
export interface ThreadNames {
  readonly thread: string
  readonly names: readonly string[]
}

interface Link {
  readonly thread: string
  /** How many messages of the thread have the name; less than none where an overlay takes them away. */
  count: number
  readonly next: Link | undefined
}

/** The threads in which messages of a name are. */
export class ThreadLinks {
  // Most names belong to one thread, and a list of one takes a fifth of what a map takes
  readonly #links = new Map<string, Link>()

  /** Counts one message more, or one less. */
  add({ thread, names }: ThreadNames, by: 1 | -1): void {
    for (const name of names) {
      const first = this.#links.get(name)
      let link = first
      while (link && link.thread !== thread) link = link.next
      if (link) link.count += by
      else this.#links.set(name, { thread, count: by, next: first })
    }
  }

  /** The threads with messages of a name, those counted by both indexes. */
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

/** The sort keys of ordered indexes; descending orders read them backwards. */
export type Order = 'created' | 'last-message' | 'shuffle'

interface Indexing<Row> {
  /** The lists a row appears in, each named by the id of what the list belongs to. */
  readonly scopes: (row: Row) => readonly string[]
  /** What each order sorts by, in numbers. */
  readonly orders: Partial<Record<Exclude<Order, 'shuffle'>, (row: Row) => number>>
  /** The names, other than its id, by which a row is found. */
  readonly names: (row: Row) => readonly string[]
  /** The names by which its thread is found. */
  readonly links?: (row: Row) => ThreadNames
}

const nothing = () => []

/** The indexes of every model. `shuffle` belongs to every model that has an order. */
export const indexing: { readonly [M in ModelName]: Indexing<Rows[M]> } = {
  organization: { scopes: nothing, orders: {}, names: nothing },
  identity: {
    scopes: (row) => [row.organization_id],
    orders: { created: (row) => row.created_at },
    names: (row) => [
      nameOf.handle(row.organization_id, row.agent_handle),
      nameOf.foldedHandle(row.organization_id, row.agent_handle),
      nameOf.handleAnywhere(row.agent_handle),
      nameOf.foldedHandleAnywhere(row.agent_handle),
      nameOf.mailbox(row.organization_id, row.mailbox_address),
      nameOf.foldedMailbox(row.organization_id, row.mailbox_address),
      nameOf.mailboxAnywhere(row.mailbox_address),
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
}

/** The names rows are found by; a space cannot occur in an id, so none is taken for another. */
export const nameOf = {
  handle: (organization: string, handle: string) => `handle ${organization} ${handle}`,
  foldedHandle: (organization: string, handle: string) => `folded ${organization} ${handle.toLowerCase()}`,
  handleAnywhere: (handle: string) => `anywhere ${handle}`,
  foldedHandleAnywhere: (handle: string) => `everywhere ${handle.toLowerCase()}`,
  mailbox: (organization: string, address: string) => `mailbox ${organization} ${address}`,
  foldedMailbox: (organization: string, address: string) => `box ${organization} ${address.toLowerCase()}`,
  mailboxAnywhere: (address: string) => `anybox ${address.toLowerCase()}`,
  mail: (identity: string, messageId: string) => `mail ${identity} ${messageId}`,
  threading: (identity: string, key: string) => `threading ${identity} ${key}`,
}

/** By what later mail finds the thread it may belong to. */
function threadingNames(row: MessageRow): string[] {
  if (row.headers === null && row.in_reply_to === null) return []
  return threadingKeys(threadingFacts(row)).map((key) => nameOf.threading(row.identity_id, key))
}

/** The orders a model's lists can be read in. */
export function ordersOf(model: ModelName): Order[] {
  const orders = Object.keys(indexing[model].orders) as Order[]
  return orders.length === 0 ? [] : [...orders, 'shuffle']
}

/** The number a seeded shuffle puts a row at, by its ordinal. */
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
