import type { MailToThread } from '../../mail/threading.js'
import { nextTick } from '../time/time.js'
import type { Base, BaseIndex, Body } from './base.js'
import { identityNames, nameOfMail, type Order, sortKey } from './indexing.js'
import { Overlay, type WrittenRows } from './overlay.js'
import type { IdentityRow, MessageRow, ModelName, OrganizationRow, Rows, ThreadRow } from './rows.js'
import { emptySequence, lowerBound, merge, positionOf, type Sequence, withoutHoles } from './sequence.js'

/** The order and range of a page; without an offset and a limit, all rows. */
interface PageRequest<Orders extends Order> {
  readonly order: Orders
  readonly descending?: boolean
  readonly offset?: number
  readonly limit?: number
}

/** The orders that lists of every model have. */
type CommonOrder = Exclude<Order, 'last-message'>

/** The models of which an organization has lists. */
type ListedModel = Exclude<ModelName, 'organization' | 'attachment'>

/** A list of rows that is never built as a whole: counting costs O(1), a page O(page + log n). */
export class RowList<Model extends ListedModel = ListedModel, Orders extends Order = CommonOrder> {
  readonly #model: Model
  readonly #scopes: readonly string[]
  readonly #index: Pick<BaseIndex | Overlay, 'sequence'>
  readonly #store: Pick<MailboxStore, 'rows' | 'sortKey'>
  readonly #leftOut: readonly Rows[Model][]

  /** Lists the rows of a model in any of the scopes, which are ids, without some of them. */
  constructor(
    model: Model,
    scopes: readonly string[],
    index: Pick<BaseIndex | Overlay, 'sequence'>,
    store: Pick<MailboxStore, 'rows' | 'sortKey'>,
    leftOut: readonly Rows[Model][] = [],
  ) {
    this.#model = model
    this.#scopes = scopes
    this.#index = index
    this.#store = store
    this.#leftOut = leftOut
  }

  /** Returns the list without some of its rows. */
  without(rows: readonly Rows[Model][]): RowList<Model, Orders> {
    return new RowList(this.#model, this.#scopes, this.#index, this.#store, rows)
  }

  /** Returns the rows that were created after an instant, until another one. */
  createdIn(after: number, until: number): Rows[Model][] {
    const sequence = this.#sequence('created')
    const [first, end] = [lowerBound(sequence, after + 1, 0), lowerBound(sequence, until + 1, 0)]
    return this.#store.rows(this.#model, first < end ? sequence.ids(first, end - first) : [])
  }

  get count(): number {
    return this.#sequence('created').length
  }

  /** Returns the ids of a page; empty past the end. */
  page({ order, descending, offset = 0, limit = Number.POSITIVE_INFINITY }: PageRequest<Orders>): string[] {
    const sequence = this.#sequence(order)
    const count = Math.max(0, Math.min(limit, sequence.length - offset))
    if (count === 0) return []
    return descending
      ? sequence.ids(sequence.length - offset - count, count).reverse()
      : sequence.ids(offset, count)
  }

  /** Returns the first instant, from the given one on, at which none of the rows was created, as far as a tick tells. */
  freeInstant(from: number, tick: number): number {
    const sequence = this.#sequence('created')
    const first = Math.floor(from / tick) * tick
    let free = from
    for (let position = lowerBound(sequence, first, 0); position < sequence.length; position++) {
      const next = nextTick(sequence.keyAt(position), tick)
      if (next > nextTick(free, tick)) break
      if (next > free) free = next
    }
    return free
  }

  #sequence(order: Order): Sequence {
    const model = this.#model
    const all = this.#scopes.map((scope) => this.#index.sequence(model, scope, order))
    const whole = all.length === 1 ? (all[0] as Sequence) : all.reduce(merge, emptySequence)
    const holes = this.#leftOut.map((row) => {
      return positionOf(whole, this.#store.sortKey(model, row, order), row.ordinal)
    })
    return withoutHoles(
      whole,
      holes.sort((a, b) => a - b),
    )
  }
}

/** A row before and after it was written; undefined where there is none. */
export interface WrittenRow {
  readonly model: ModelName
  readonly id: string
  readonly before: Rows[ModelName] | undefined
  readonly after: Rows[ModelName] | undefined
}

/** All rows that a world can read and write: the shared base, seen through the world's overlay. */
export class MailboxStore {
  readonly #base: Base
  #overlay: Overlay | undefined
  /** In a rehearsal, the rows that it has written, by model and id. */
  #rehearsed: Map<string, Rows[ModelName]> | undefined
  /** Called with each row that is written or deleted, as it was and as it is. */
  onWritten: ((row: WrittenRow) => void) | undefined

  constructor(base: Base) {
    this.#base = base
  }

  /** Returns a store with the rows of another store over the same base. */
  static of(base: Base, written: WrittenRows): MailboxStore {
    const store = new MailboxStore(base)
    if (Object.keys(written.ordinals).length > 0 || written.deleted.length > 0)
      store.#overlay = Overlay.of(base, written)
    return store
  }

  /** The changes of the world; they must not be modified. */
  get written(): WrittenRows {
    return (this.#overlay ?? new Overlay(this.#base)).written
  }

  /** How many characters the texts in the written rows have. */
  get size(): number {
    return this.#overlay?.size ?? 0
  }

  get<M extends ModelName>(model: M, id: string): Rows[M] | undefined {
    const rehearsed = this.#rehearsed?.get(`${model} ${id}`) as Rows[M] | undefined
    return rehearsed ?? (this.#overlay ?? this.#base.database).get(model, id)
  }

  rows<M extends ModelName>(model: M, ids: readonly string[]): Rows[M][] {
    return ids.map((id) => this.get(model, id) as Rows[M])
  }

  /** Returns all rows of a model in unspecified order, for snapshots and checks, not for responses. */
  all<M extends ModelName>(model: M): IterableIterator<Rows[M]> {
    return (this.#overlay ?? this.#base.database).all(model)
  }

  /** Returns the ordinal of the next new row of a model. */
  nextOrdinal(model: ModelName): number {
    return this.#base.database.count(model) + (this.#overlay?.count(model) ?? 0)
  }

  /** Returns a store with the same rows as this one, which finds what is written to it only by id, and deletes nothing. */
  rehearsal(): MailboxStore {
    const rehearsal = new MailboxStore(this.#base)
    rehearsal.#overlay = this.#overlay
    rehearsal.#rehearsed = new Map()
    return rehearsal
  }

  /** Creates a row, or replaces the one with the same id. Only commands write. */
  put<M extends ModelName>(model: M, row: Rows[M]): void {
    if (this.#rehearsed) return void this.#rehearsed.set(`${model} ${row.id}`, row)
    this.#overlay ??= new Overlay(this.#base)
    const before = this.get(model, row.id)
    const after = this.#overlay.put(model, row)
    this.onWritten?.({ model, id: row.id, before, after })
  }

  /** Deletes a row. Only commands write. */
  remove(model: ModelName, id: string): void {
    if (this.#rehearsed) return
    const row = this.get(model, id)
    if (!row) return
    this.#overlay ??= new Overlay(this.#base)
    this.onWritten?.({ model, id, before: row, after: undefined })
    this.#overlay.remove(model, row)
  }

  /** Returns the organization that lists an API key. */
  organizationByKey(key: string): OrganizationRow | undefined {
    for (const organization of this.#base.database.all('organization')) {
      if (organization.api_keys.includes(key)) return organization
    }
    return undefined
  }

  /** Returns the first organization, which also serves requests with unlisted keys. */
  firstOrganization(): OrganizationRow {
    for (const organization of this.#base.database.all('organization')) return organization
    throw new Error('A base has at least one organization.')
  }

  /** Returns the first identity of a name, such as its handle within an organization. */
  identityBy<Kind extends keyof typeof identityNames>(
    kind: Kind,
    ...parts: Parameters<(typeof identityNames)[Kind]>
  ): IdentityRow | undefined {
    const nameOf: (...parts: string[]) => string = identityNames[kind]
    return this.#named('identity', nameOf(...parts))
  }

  messageByMessageId(identityId: string, messageId: string): MessageRow | undefined {
    return this.#named('message', nameOfMail(identityId, messageId))
  }

  /** Returns the message of a mailbox that an id, a Message-ID, or a Message-ID made from an id names. */
  messageNamed(identityId: string, reference: string): MessageRow | undefined {
    const named = this.messageByMessageId(identityId, reference)
    if (named) return named
    const message = this.get('message', reference.replace(/^<|@.*$/g, ''))
    return message?.identity_id === identityId ? message : undefined
  }

  /** Returns the thread that mail for a mailbox joins by what it refers to or by its subject. */
  threadOfMail({ id, mailbox_address }: IdentityRow, mail: MailToThread): ThreadRow | undefined {
    const { threads } = this.#overlay ?? this.#base.index
    const thread = threads.threadOf(id, mail, mailbox_address)
    return thread === undefined ? undefined : this.get('thread', thread)
  }

  /** Returns the sort key of a row in an order. */
  sortKey<M extends ModelName>(model: M, row: Rows[M], order: Order): number {
    return sortKey(model, row, order, this.#base.shuffle)
  }

  identities(...organizations: readonly string[]): RowList<'identity'> {
    return this.#list('identity', organizations)
  }

  /** Lists the threads of organizations or identities, given by id. */
  threads(...scopes: readonly string[]): RowList<'thread', Order> {
    return this.#list('thread', scopes)
  }

  /** Lists the messages of organizations, identities or threads, given by id. */
  messages(...scopes: readonly string[]): RowList<'message'> {
    return this.#list('message', scopes)
  }

  webhooks(...organizations: readonly string[]): RowList<'webhook'> {
    return this.#list('webhook', organizations)
  }

  /** Lists what extensions keep for an organization. */
  values(organizationId: string): RowList<'value'> {
    return this.#list('value', [organizationId])
  }

  /** Returns the body of a message; generates it if necessary. */
  bodyOf(message: MessageRow): Body {
    return message.body_key === null ? message : this.#base.bodies(message.body_key)
  }

  #named<M extends ModelName>(model: M, name: string): Rows[M] | undefined {
    const id = this.#overlay ? this.#overlay.find(name) : this.#base.index.find(name)
    return id === undefined ? undefined : this.get(model, id)
  }

  #list<M extends ListedModel>(model: M, scopes: readonly string[]): RowList<M, Order> {
    return new RowList(model, scopes, this.#overlay ?? this.#base.index, this)
  }
}
