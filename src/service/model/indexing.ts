import { type ThreadIndex, threadingFacts } from '../../mail/threading.js'
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

/** The order of a list; a descending list is read backwards. */
export type Order = 'created' | 'last-message' | 'shuffle'

interface Indexing<Row> {
  /** Returns the lists that contain a row, each as the id of the list's owner. */
  readonly scopes: (row: Row) => readonly string[]
  /** Returns the sort key of a row, for each order. */
  readonly orders: Partial<Record<Exclude<Order, 'shuffle'>, (row: Row) => number>>
  /** Returns the names, other than the id, by which a row is found. */
  readonly names: (row: Row) => readonly string[]
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
    names: (row) => (row.message_id === null ? [] : [nameOfMail(row.identity_id, row.message_id)]),
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

/** Returns the name by which a message is found in its mailbox. */
export function nameOfMail(identity: string, messageId: string): string {
  return `mail ${identity} ${messageId}`
}

/** Adds a message to the index by which later mail finds its thread; among several messages, that of the highest `order` counts. */
export function addToThreads(threads: ThreadIndex, row: MessageRow, order: number): void {
  // Later mail never names a message by its id alone.
  if (row.headers === null && !row.in_reply_to?.includes('@')) return
  threads.add(row.identity_id, threadingFacts(row), row.thread_id, order)
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
