import type { GapId } from '../../contract/gaps.js'
import { type Constraint, shows } from './elimination.js'
import type { Fields } from './exchange.js'
import { describeRows, type KnownPage, type MailboxView, nameOfScope, type Scope } from './mailbox-view.js'

/** The probability below which an order counts as evidence. */
const chance = 1e-5

/** The number of standard deviations by which a random order may lean towards a field. */
const maxConcordance = 5

type Direction = 1 | -1

/** Rows in the order of their list, with the pages that showed them. */
interface Listed {
  readonly list: KnownPage['list'] | 'webhooks'
  readonly scope: Scope
  readonly rows: readonly Fields[]
  readonly pages: readonly { readonly number: number }[]
}

/** A sort key and direction. */
interface Sorting {
  readonly field: string
  readonly direction: Direction
}

const creationSortings = {
  'created-desc': { field: 'created_at', direction: -1 },
  'created-asc': { field: 'created_at', direction: 1 },
} as const satisfies Readonly<Record<string, Sorting>>

const threadSortings: Readonly<Record<string, Sorting>> = {
  'last-message-desc': { field: 'last_message_at', direction: -1 },
  'last-message-asc': { field: 'last_message_at', direction: 1 },
  ...creationSortings,
}

/** Returns the constraints that the orders of lists put on assumptions. */
export function orderConstraints(view: MailboxView, webhooks: number | undefined): Constraint[] {
  const threads = listed(view.pages, 'threads')
  const messages = listed(view.pages, 'messages')
  const { webhooks: rows } = view
  const all: Listed[] =
    rows && webhooks !== undefined
      ? [{ list: 'webhooks', scope: { of: 'all' }, rows, pages: [{ number: webhooks }] }]
      : []
  return [
    ...ordered('threads.order', threads, ({ rows }) => fitting(threadSortings, rows)),
    ...ordered('messages.order', messages, messageOrders),
    ...ordered('webhooks.order', all, ({ rows }) => fitting(creationSortings, rows)),
  ]
}

/** Joins the pages of each list. */
function listed(pages: readonly KnownPage[], list: KnownPage['list']): Listed[] {
  const shown = pages.filter((page) => page.list === list && page.rows.length > 0)
  const scopes = new Map(shown.map(({ scope }) => [nameOfScope(scope), scope]))
  return [...scopes].map(([name, scope]) => {
    const ofList = shown.filter((page) => nameOfScope(page.scope) === name)
    const known = new Map<number, Fields>()
    for (const { offset, rows } of ofList) {
      for (const [index, row] of rows.entries())
        if (!known.has(offset + index)) known.set(offset + index, row)
    }
    const sorted = [...known].toSorted(([a], [b]) => a - b)
    return { list, scope, rows: sorted.map(([, row]) => row), pages: ofList }
  })
}

/** Returns the constraints from the lists of one kind. */
function ordered(
  target: GapId,
  listings: readonly Listed[],
  sortingsOf: (listing: Listed) => ReadonlyMap<string, Sorting>,
): Constraint[] {
  return listings.flatMap((listing) => {
    if (listing.rows.length < 2) return []
    const sorted = sortingsOf(listing)
    const names = [...sorted.keys()]
    const likely = [...sorted.values()].every(
      ({ field }) => probabilityOf(keysOf(listing.rows, field)) > chance,
    )
    const seen = describeRows(listing.rows.length, listing.list, listing.scope)
    const assumptions = likely ? [...names, 'unspecified'] : names
    if (names.length > 0) {
      const fields = [...new Set([...sorted.values()].map(({ field }) => field))].join(' and ')
      return [shows(target, assumptions, listing.pages, `${seen} are sorted by ${fields}`)]
    }
    // Not sorted by a time: a shuffle, unless another field explains it.
    const other = otherSorting(listing.rows)
    if (other === 'unclear') return []
    return [
      other === undefined
        ? shows(target, assumptions, listing.pages, `${seen} are sorted by no field`)
        : shows(target, [], listing.pages, `${seen} are sorted by ${other}`),
    ]
  })
}

function fitting(
  sortings: Readonly<Record<string, Sorting>>,
  rows: readonly Fields[],
): ReadonlyMap<string, Sorting> {
  return new Map(
    Object.entries(sortings).filter(([, { field, direction }]) => isSorted(keysOf(rows, field), direction)),
  )
}

function messageOrders({ scope, rows }: Listed): ReadonlyMap<string, Sorting> {
  const { 'created-asc': ascending, 'created-desc': descending } = creationSortings
  const inThread = scope.of === 'thread' ? ascending : descending
  return fitting({ ...creationSortings, 'chronological-in-thread': inThread }, rows)
}

type Key = number | string

/** Returns the sort key of a field: UTC times as written, text in lower case. */
function keyOf(row: Fields, field: string): Key {
  const value = row[field]
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  // A whole second sorts before its fractions.
  return field.endsWith('_at') ? text.replace(/Z$/, '') : text.toLowerCase()
}

function keysOf(rows: readonly Fields[], field: string): Key[] {
  return rows.map((row) => keyOf(row, field))
}

function isSorted(keys: readonly Key[], direction: Direction): boolean {
  return keys.every((key, index) => index === 0 || compare(keys[index - 1] as Key, key) * direction <= 0)
}

function compare(a: Key, b: Key): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Returns the probability that rows are sorted by keys by chance. */
function probabilityOf(keys: readonly Key[]): number {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  let probability = 1
  let place = 0
  for (const count of counts.values()) {
    for (let same = 1; same <= count; same++) probability *= same / ++place
  }
  return probability
}

/** Returns another field that explains an order; `unclear` if there are too few rows to tell. */
function otherSorting(rows: readonly Fields[]): string | 'unclear' | undefined {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  let unclear = false
  for (const field of fields) {
    const keys = keysOf(rows, field)
    if (new Set(keys).size > 1 && (isSorted(keys, 1) || isSorted(keys, -1))) {
      if (probabilityOf(keys) <= chance) return field
      unclear = true
    }
    if (Math.abs(concordance(keys)) > maxConcordance) return field
  }
  return unclear ? 'unclear' : undefined
}

/** Returns how far an order leans towards its keys, in standard deviations of a random order (Kendall). */
function concordance(all: readonly Key[]): number {
  const keys = all.slice(0, 300)
  const { length } = keys
  if (length < 12 || new Set(keys).size < length / 2) return 0
  let sum = 0
  for (let i = 0; i < length; i++) {
    for (let j = i + 1; j < length; j++) sum += compare(keys[i] as Key, keys[j] as Key)
  }
  return sum / Math.sqrt((length * (length - 1) * (2 * length + 5)) / 18)
}
