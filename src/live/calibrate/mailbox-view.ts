import { counted } from '../../base/text.js'
import type { Fields } from './exchange.js'

/** The scope of a list: everything, nothing, some agents, or one thread. */
export type Scope =
  | { readonly of: 'all' | 'none' }
  | { readonly of: 'agents'; readonly handles: readonly string[] }
  | { readonly of: 'thread'; readonly id: string }

/** A page of a list whose scope is certain. */
export interface KnownPage {
  readonly list: 'threads' | 'messages'
  readonly scope: Scope
  readonly offset: number
  readonly limit: number
  readonly rows: readonly Fields[]
  readonly total: unknown
  /** The number of its exchange. */
  readonly number: number
}

/** The known part of a list: ids by position, and a minimum or exact length. */
export interface KnownList {
  readonly ids: Map<number, string>
  atLeast: number
  exact: number | undefined
}

/** An agent of the service. */
export interface KnownAgent {
  readonly handle: string
  readonly mailbox: string
  readonly identity: Fields
}

/** Names that do not exist at any service. */
export const nonexistent = {
  handle: 'nobody_c41ibrat3',
  mailbox: 'nobody_c41ibrat3@calibration.invalid',
  thread: 'thrd_c41ibrat3nobody',
  event: 'calibration.none',
  key: 'made-up-key-of-a-calibration',
} as const

/** The known contents of a mailbox. */
export class MailboxView {
  readonly agents = new Map<string, KnownAgent>()
  readonly pages: KnownPage[] = []
  readonly threads = new Map<string, Fields>()
  readonly messages = new Map<string, Fields>()
  /** All webhooks, from the list without a filter. */
  webhooks: readonly Fields[] | undefined
  readonly #lists = new Map<string, KnownList>()

  /** Returns the known part of a list. */
  list(list: 'threads' | 'messages', scope: Scope): KnownList {
    const key = `${list} ${nameOfScope(scope)}`
    const known = this.#lists.get(key)
    if (known) return known
    const empty = { ids: new Map<number, string>(), atLeast: 0, exact: scope.of === 'none' ? 0 : undefined }
    this.#lists.set(key, empty)
    return empty
  }

  /** Adds a page. */
  add(page: KnownPage): void {
    this.pages.push(page)
    const known = this.list(page.list, page.scope)
    const rows = page.list === 'threads' ? this.threads : this.messages
    for (const [index, row] of page.rows.entries()) {
      const id = row['id'] as string
      rows.set(id, row)
      if (!known.ids.has(page.offset + index)) known.ids.set(page.offset + index, id)
    }
    const end = page.offset + page.rows.length
    if (page.rows.length > 0) known.atLeast = Math.max(known.atLeast, end)
    if (page.rows.length < page.limit && (page.rows.length > 0 || page.offset === 0)) known.exact = end
  }

  /** Returns the minimum and maximum length of a list. */
  bounds(list: 'threads' | 'messages', scope: Scope): readonly [minimum: number, maximum: number] {
    if (scope.of === 'agents' && scope.handles.length > 1) {
      const parts = scope.handles.map((handle) => this.bounds(list, { of: 'agents', handles: [handle] }))
      return parts.reduce(([lows, highs], [low, high]) => [lows + low, highs + high], [0, 0])
    }
    const { atLeast, exact } = this.list(list, scope)
    if (exact !== undefined) return [exact, exact]
    if (scope.of !== 'all') return [atLeast, Number.POSITIVE_INFINITY]
    const ofAgents = [...this.agents.keys()].map((handle) => {
      return this.bounds(list, { of: 'agents', handles: [handle] })[0]
    })
    const sum = ofAgents.reduce((before, count) => before + count, 0)
    return [Math.max(atLeast, sum), Number.POSITIVE_INFINITY]
  }
}

/** Returns a key for a scope. */
export function nameOfScope(scope: Scope): string {
  if (scope.of === 'agents') return `agents ${scope.handles.toSorted().join(' ')}`
  return scope.of === 'thread' ? `thread ${scope.id}` : scope.of
}

/** Describes the rows of a list, e.g. `100 threads of support`. */
export function describeRows(count: number, list: KnownPage['list'] | 'webhooks', scope: Scope): string {
  const rows = counted(count, list.slice(0, -1))
  if (scope.of === 'all') return rows
  const owner =
    scope.of === 'agents' ? scope.handles.join(' and ') : scope.of === 'thread' ? scope.id : 'nobody'
  return `${rows} of ${owner}`
}

/** Returns handles that agents may have, the most likely first: what webhooks name, and the local parts of mailboxes. */
export function handlesIn(messages: Iterable<Fields>, webhooks: readonly Fields[] = []): string[] {
  const counts = new Map<string, number>()
  const count = (handle: unknown, by: number): void => {
    if (typeof handle === 'string' && handle !== '') counts.set(handle, (counts.get(handle) ?? 0) + by)
  }
  for (const message of messages) {
    for (const address of ownAddressesOf(message)) count(address.slice(0, address.indexOf('@')), 1)
  }
  for (const { agent_handle: handle } of webhooks) count(handle, 0.5)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([handle]) => handle)
}

/** Returns the addresses of a message of which one is that of its mailbox. */
export function ownAddressesOf({ direction, from, to }: Fields): string[] {
  const own = direction === 'inbound' ? to : [from]
  return (Array.isArray(own) ? own : []).flatMap((text) => {
    return /([^\s<@]+@[^\s<>@]+)>?$/.exec(String(text))?.[1] ?? []
  })
}
