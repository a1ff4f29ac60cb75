import type { Base, Body } from './base.js'
import { nameOf } from './indexing.js'
import { createOverlay, type Overlay } from './overlay.js'
import { RowList } from './row-list.js'
import type { IdentityRow, MessageRow, ModelName, OrganizationRow, Rows } from './rows.js'
import { overlayWith, type Written, writtenIn } from './written.js'

/** Everything one world can read and write: the shared base seen through the world's own overlay. */
export class MailboxStore {
  readonly #base: Base
  #overlay: Overlay | undefined
  #rehearsing = false

  /** `written` is what another store of the same base wrote; it has been checked to fit. */
  constructor(base: Base, written?: Written) {
    this.#base = base
    this.#overlay = written && overlayWith(base, written)
  }

  /** What the world wrote; the rows are its own, and not to be changed. */
  get written(): Written {
    return writtenIn(this.#base, this.#overlay)
  }

  /** Whether the world differs from its base. */
  get changed(): boolean {
    return this.#overlay !== undefined
  }

  /** Drops everything the world wrote, whatever its size. */
  reset(): void {
    this.#overlay = undefined
  }

  /** The row with that id. */
  get<M extends ModelName>(model: M, id: string): Rows[M] | undefined {
    const overlay = this.#overlay
    if (!overlay) return this.#base.database.get(model, id)
    if (overlay.deleted.has(id)) return undefined
    return overlay.database.get(model, id) ?? this.#base.database.get(model, id)
  }

  /** The rows with those ids, in their order. */
  rows<M extends ModelName>(model: M, ids: readonly string[]): Rows[M][] {
    return ids.map((id) => this.get(model, id) as Rows[M])
  }

  /** Every row of a model, in no promised order; for snapshots and checks, not for answers. */
  *all<M extends ModelName>(model: M): IterableIterator<Rows[M]> {
    const overlay = this.#overlay
    for (const row of this.#base.database.all(model)) {
      if (overlay?.deleted.has(row.id) || overlay?.database.get(model, row.id)) continue
      yield row
    }
    for (const row of overlay?.database.all(model) ?? []) if (!overlay?.deleted.has(row.id)) yield row
  }

  /** The ordinal the next new row of a model gets. */
  nextOrdinal(model: ModelName): number {
    return this.#base.database.count(model) + (this.#overlay?.count(model) ?? 0)
  }

  /** A store that reads as this one does now and drops what is written to it. */
  rehearsal(): MailboxStore {
    const twin = new MailboxStore(this.#base)
    twin.#overlay = this.#overlay
    twin.#rehearsing = true
    return twin
  }

  /** Creates the row, or replaces the one with the same id. Only commands write. */
  put<M extends ModelName>(model: M, row: Rows[M]): void {
    if (this.#rehearsing) return
    this.#overlay ??= createOverlay(this.#base)
    this.#overlay.database.put(model, row)
    this.#overlay.deleted.delete(row.id)
  }

  /** Deletes the row. Only commands write. */
  remove(model: ModelName, id: string): void {
    if (this.#rehearsing) return
    const row = this.get(model, id)
    if (!row) return
    this.#overlay ??= createOverlay(this.#base)
    this.#overlay.deleted.add(id)
    this.#overlay.index.remove(model, row)
  }

  /** The organization a listed API key belongs to. */
  organizationByKey(key: string): OrganizationRow | undefined {
    return this.#named('organization', nameOf.apiKey(key))
  }

  /** The first organization: the one a key nobody listed stands for. */
  firstOrganization(): OrganizationRow {
    for (const organization of this.#base.database.all('organization')) return organization
    throw new Error('A base has at least one organization.')
  }

  /** The identity with exactly that handle. */
  identityByHandle(organizationId: string, handle: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.handle(organizationId, handle))
  }

  /** The identity with that handle in any case. */
  identityByFoldedHandle(organizationId: string, handle: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.foldedHandle(organizationId, handle))
  }

  /** An identity with that handle in whatever organization. */
  identityAnywhere(handle: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.handleAnywhere(handle))
  }

  /** An identity with that handle, in any case, in whatever organization. */
  identityByFoldedHandleAnywhere(handle: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.foldedHandleAnywhere(handle))
  }

  /** The identity with exactly that mailbox address. */
  identityByMailbox(organizationId: string, address: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.mailbox(organizationId, address))
  }

  /** The identity with that mailbox address in any case. */
  identityByFoldedMailbox(organizationId: string, address: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.foldedMailbox(organizationId, address))
  }

  /** The identity with that mailbox address, in any case, in whatever organization. */
  identityByMailboxAnywhere(address: string): IdentityRow | undefined {
    return this.#named('identity', nameOf.mailboxAnywhere(address))
  }

  /** The message of an identity that came with that RFC 5322 Message-ID. */
  messageByMessageId(identityId: string, messageId: string): MessageRow | undefined {
    return this.#named('message', nameOf.mail(identityId, messageId))
  }

  /** Identities of an organization. */
  identities(organizationId: string): RowList {
    return this.#list('identity', [organizationId])
  }

  /** Threads of organizations or identities, named by id. */
  threads(...scopes: readonly string[]): RowList {
    return this.#list('thread', scopes)
  }

  /** Messages of organizations, identities or threads, named by id. */
  messages(...scopes: readonly string[]): RowList {
    return this.#list('message', scopes)
  }

  /** Webhook subscriptions of an organization. */
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

  #list(model: ModelName, scopes: readonly string[]): RowList {
    return new RowList(model, scopes, this.#overlay?.index ?? this.#base.index)
  }
}
