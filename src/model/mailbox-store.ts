import { type MailToThread, type ThreadOfMails, threadingFacts } from '../mail/index.js'
import type { Base, BaseIndex, Body } from './base.js'
import { nameOf, type Order } from './indexing.js'
import { Overlay, type OverlayIndex, type WrittenRows } from './overlay.js'
import type { IdentityRow, MessageRow, ModelName, OrganizationRow, Rows, ThreadRow } from './rows.js'
import { emptySequence, merge, type Sequence } from './sequence.js'

/** Where a page begins and which way it runs; all rows without an offset and a limit. */
interface PageRequest<Orders extends Order> {
  readonly order: Orders
  readonly descending?: boolean
  readonly offset?: number
  readonly limit?: number
}

/** The orders that lists of every model have. */
type CommonOrder = Exclude<Order, 'last-message'>

/** A list of rows that is never built: counting costs O(1), a page O(page + log n). */
export class RowList<Orders extends Order = CommonOrder> {
  readonly #model: ModelName
  readonly #scopes: readonly string[]
  readonly #index: BaseIndex | OverlayIndex

  /** The rows of a model that belong to any of the scopes, named by id. */
  constructor(model: ModelName, scopes: readonly string[], index: BaseIndex | OverlayIndex) {
    this.#model = model
    this.#scopes = scopes
    this.#index = index
  }

  get count(): number {
    return this.#sequence('created').length
  }

  /** The ids of one page; past the end it is empty. */
  page({ order, descending, offset = 0, limit = Number.POSITIVE_INFINITY }: PageRequest<Orders>): string[] {
    const sequence = this.#sequence(order)
    const count = Math.max(0, Math.min(limit, sequence.length - offset))
    if (count === 0) return []
    return descending
      ? sequence.ids(sequence.length - offset - count, count).reverse()
      : sequence.ids(offset, count)
  }

  #sequence(order: Order): Sequence {
    const model = this.#model
    const [first, second] = this.#scopes
    if (first !== undefined && second === undefined) return this.#index.sequence(model, first, order)
    return this.#scopes.map((scope) => this.#index.sequence(model, scope, order)).reduce(merge, emptySequence)
  }
}

/** Everything one world can read and write: the shared base seen through the world's own overlay. */
export class MailboxStore {
  readonly #base: Base
  #overlay: Overlay | undefined
  #rehearsing = false
  #threading = new WeakMap<MessageRow, MailToThread>()
  #threads = new WeakMap<ThreadRow, ThreadOfMails>()

  /** `written` is what another store of the same base wrote; it has been checked to fit. */
  constructor(base: Base, written?: WrittenRows) {
    this.#base = base
    this.#overlay = written && Overlay.of(base, written)
  }

  /** The rows that the world wrote; they must not be changed. */
  get written(): WrittenRows {
    return (this.#overlay ?? new Overlay(this.#base)).written
  }

  get<M extends ModelName>(model: M, id: string): Rows[M] | undefined {
    return (this.#overlay ?? this.#base.database).get(model, id)
  }

  rows<M extends ModelName>(model: M, ids: readonly string[]): Rows[M][] {
    return ids.map((id) => this.get(model, id) as Rows[M])
  }

  /** Every row of a model, in no promised order; for snapshots and checks, not for answers. */
  all<M extends ModelName>(model: M): IterableIterator<Rows[M]> {
    return (this.#overlay ?? this.#base.database).all(model)
  }

  /** The ordinal the next new row of a model gets. */
  nextOrdinal(model: ModelName): number {
    return this.#base.database.count(model) + (this.#overlay?.count(model) ?? 0)
  }

  /** A store that reads as this one does now and drops what is written to it. */
  rehearsal(): MailboxStore {
    const rehearsal = new MailboxStore(this.#base)
    rehearsal.#overlay = this.#overlay
    rehearsal.#threading = this.#threading
    rehearsal.#threads = this.#threads
    rehearsal.#rehearsing = true
    return rehearsal
  }

  /** Creates the row, or replaces the one with the same id. Only commands write. */
  put<M extends ModelName>(model: M, row: Rows[M]): void {
    if (this.#rehearsing) return
    this.#overlay ??= new Overlay(this.#base)
    this.#overlay.put(model, row)
  }

  /** Deletes the row. Only commands write. */
  remove(model: ModelName, id: string): void {
    if (this.#rehearsing) return
    const row = this.get(model, id)
    if (!row) return
    this.#overlay ??= new Overlay(this.#base)
    this.#overlay.remove(model, row)
  }

  /** The organization a listed API key belongs to. */
  organizationByKey(key: string): OrganizationRow | undefined {
    for (const organization of this.#base.database.all('organization')) {
      if (organization.api_keys.includes(key)) return organization
    }
    return undefined
  }

  /** The first organization: the one a key nobody listed stands for. */
  firstOrganization(): OrganizationRow {
    for (const organization of this.#base.database.all('organization')) return organization
    throw new Error('A base has at least one organization.')
  }

  identityByHandle(organizationId: string, handle: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.handle(organizationId, handle))
  }

  identityByFoldedHandle(organizationId: string, handle: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.foldedHandle(organizationId, handle))
  }

  identityAnywhere(handle: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.handleAnywhere(handle))
  }

  identityByFoldedHandleAnywhere(handle: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.foldedHandleAnywhere(handle))
  }

  identityByMailbox(organizationId: string, address: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.mailbox(organizationId, address))
  }

  identityByFoldedMailbox(organizationId: string, address: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.foldedMailbox(organizationId, address))
  }

  identityByMailboxAnywhere(address: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.mailboxAnywhere(address))
  }

  messageByMessageId(identityId: string, messageId: string): MessageRow | undefined {
    return this.#named('message', nameOf.mail(identityId, messageId))
  }

  /** Returns the facts of a message that decide its thread; reads them once. */
  threadingOf(row: MessageRow): MailToThread {
    const known = this.#threading.get(row)
    if (known) return known
    const facts = threadingFacts(row)
    this.#threading.set(row, facts)
    return facts
  }

  /** Ids of the threads of an identity that mail with that key of its threading may belong to. @see threadingKeys */
  threadsByThreadingKey(identityId: string, key: string): string[] {
    const name = nameOf.threading(identityId, key)
    return this.#base.index.threadLinks.threadsOf(name, this.#overlay?.index.threadLinks)
  }

  /** Returns what the mails of a thread say of it as it is now; finds that once. */
  mailsOf(thread: ThreadRow, find: () => ThreadOfMails): ThreadOfMails {
    const known = this.#threads.get(thread) ?? find()
    this.#threads.set(thread, known)
    return known
  }

  /** Notes what the mails of a thread say of it, which was just put. */
  noteMailsOf(id: string, known: ThreadOfMails): void {
    const row = this.#rehearsing ? undefined : this.get('thread', id)
    if (row) this.#threads.set(row, known)
  }

  identities(organizationId: string): RowList {
    return this.#list('identity', [organizationId])
  }

  /** Threads of organizations or identities, named by id. */
  threads(...scopes: readonly string[]): RowList<Order> {
    return this.#list('thread', scopes)
  }

  /** Messages of organizations, identities or threads, named by id. */
  messages(...scopes: readonly string[]): RowList {
    return this.#list('message', scopes)
  }

  webhooks(organizationId: string): RowList {
    return this.#list('webhook', [organizationId])
  }

  /** The words of a message; a generated body is made now. */
  bodyOf(message: MessageRow): Body {
    return message.body_key === null ? message : this.#base.bodies(message.body_key)
  }

  #named<M extends ModelName>(model: M, name: string): Rows[M] | undefined {
    const id = (this.#overlay?.index ?? this.#base.index).find(name)
    return id === undefined ? undefined : this.get(model, id)
  }

  #list(model: ModelName, scopes: readonly string[]): RowList<Order> {
    return new RowList(model, scopes, this.#overlay?.index ?? this.#base.index)
  }
}
