import { type Answer, asFields, type Fields, objectOf, rowsOf, words } from '../answer.js'
import { isList, onlyOf, type Sign } from './probe.js'

/** Returns the messages of answers, each once. */
export function messagesIn(answers: readonly Answer[]): Fields[] {
  const rows = answers.flatMap((answer) => rowsOf(answer, 'messages') ?? [])
  return [...new Map(rows.map((row) => [row['id'], row])).values()]
}

/** Returns the first value of a header field in either form; '' if there is none. */
export function headerOf({ headers }: Fields, wanted: string): string {
  const fields = Array.isArray(headers)
    ? headers.map((field) => [asFields(field)?.['name'], asFields(field)?.['value']] as const)
    : Object.entries(asFields(headers) ?? {})
  const [, value] = fields.find(([name]) => String(name).toLowerCase() === wanted) ?? []
  return words([value].flat()[0])
}

/** Returns whether the answers after the first have these numbers of rows, given that of the first, which has several. */
export function haveRows(list: string, counts: (rows: number) => readonly number[]): Sign {
  return ([first, ...others]) => {
    const rows = (first && rowsOf(first, list)?.length) ?? 0
    return (
      rows > 1 && counts(rows).every((count, index) => others[index] && isList(list, count)(others[index]))
    )
  }
}

/** A page with its query. */
interface CountedPage {
  readonly rows: number
  readonly total: number
  readonly limit: number
  /** The query without the limit. */
  readonly filter: string
}

/** Returns what `total` counts: the matches, the rows of the page or, named `all`, everything. */
export function totalOf<All extends string>(answers: readonly Answer[], list: string, all: All) {
  const pages = answers.flatMap((answer) => pageOf(answer, list) ?? [])
  const [first] = pages
  if (!first || pages.some(({ total }) => !Number.isInteger(total))) return undefined
  const names = [...new Set(pages.map(({ filter }) => filter))]
  const filters = names.map((name) => pages.filter(({ filter }) => filter === name))
  // The lists of two agents have no row in common.
  const ofAgents = filters.filter((some) => some[0]?.filter.startsWith('agent='))
  const atLeast = (count: (page: CountedPage) => number): number => {
    return ofAgents.reduce((sum, some) => sum + Math.max(...some.map(count)), 0)
  }
  const isOne = (some: readonly CountedPage[]): boolean => new Set(some.map(({ total }) => total)).size === 1
  const countsMatches = pages.every(({ rows, limit, total, filter }) => {
    const isFit = rows < limit ? total === rows : total >= rows
    return isFit && (filter !== '' || total >= atLeast((page) => page.total))
  })
  return onlyOf([
    ...(pages.every(({ rows, total }) => rows === total) ? ['page-size' as const] : []),
    ...(countsMatches && filters.every(isOne) ? ['all-matches' as const] : []),
    ...(isOne(pages) && first.total >= atLeast(({ rows }) => rows) ? [all] : []),
  ])
}

function pageOf(answer: Answer, list: string): CountedPage | undefined {
  const rows = rowsOf(answer, list)
  const query = new URLSearchParams(answer.request.target.split('?')[1])
  const limit = Number(query.get('limit') ?? 50)
  query.delete('limit')
  return (
    rows && { rows: rows.length, total: objectOf(answer)?.['total'] as number, limit, filter: String(query) }
  )
}

/** Returns which message of a thread its snippet is from; undefined if that is not certain, or not all messages are known. */
export function snippetVote(thread: Fields, messages: readonly Fields[]): 'first' | 'latest' | undefined {
  const own = messages.filter((one) => one['thread_id'] === thread['id'])
  if (own.length < 2 || own.length !== thread['message_count']) return undefined
  // Two messages of one second may be in either order.
  const at = (time: unknown): Fields | undefined => onlyOf(own.filter((one) => one['created_at'] === time))
  const [first, latest] = [at(thread['created_at']), at(thread['last_message_at'])]
  const snippet = words(thread['snippet'])
  if (!first || !latest || snippet === '') return undefined
  const [isFirst, isLatest] = [mayYield(first, snippet), mayYield(latest, snippet)]
  return isFirst === isLatest ? undefined : isFirst ? 'first' : 'latest'
}

/** Returns whether a message contains the beginning of a snippet. */
function mayYield({ text, html }: Fields, snippet: string): boolean {
  const start = plain(snippet).slice(0, 30)
  const parts = [words(text), words(html).replace(/<[^>]*>/g, ' ')]
  return start.length >= 12 && parts.some((part) => plain(part).includes(start))
}

function plain(text: string): string {
  return text
    .replace(/[…\s]+/g, ' ')
    .trim()
    .toLowerCase()
}

/** The number of different rows whose order is no coincidence. */
const enoughRows = 9

/** A field that rows may be sorted by; 1 for ascending, -1 for descending. */
export interface Sorting {
  readonly field: string
  readonly direction: 1 | -1
}

/** The two ways to sort rows by their creation. */
export const byCreation = {
  'created-desc': { field: 'created_at', direction: -1 },
  'created-asc': { field: 'created_at', direction: 1 },
} as const

/**
 * Returns the only sorting that all lists have, or `unspecified` if one of them is sorted by nothing that it shows;
 * undefined if they are too short, or sorted by something else.
 */
export function orderOf<Name extends string>(
  all: readonly (readonly Fields[])[],
  sortings: Readonly<Record<Name, Sorting>>,
): Name | 'unspecified' | undefined {
  const lists = all.filter((rows) => rows.length > 1)
  if (lists.length === 0) return undefined
  const names = Object.keys(sortings) as Name[]
  const fitting = names.filter((name) => lists.every((rows) => isSorted(rows, sortings[name])))
  const [name, ...others] = fitting
  if (name !== undefined) {
    const isCertain = lists.some((rows) => differing(rows, sortings[name].field) >= enoughRows)
    return isCertain && others.length === 0 ? name : undefined
  }
  const fields = [...new Set(lists.flat().flatMap((row) => Object.keys(row)))]
  const isShuffled = lists.some((rows) => {
    const isBy = (sorting: Sorting): boolean => isSortedBy(rows, sorting)
    const isByField = fields.some((field) => isBy({ field, direction: 1 }) || isBy({ field, direction: -1 }))
    return !isByField && !names.some((name) => isSorted(rows, sortings[name]))
  })
  return isShuffled ? 'unspecified' : undefined
}

/** Returns whether rows differ in a field and are sorted by it. */
export function isSortedBy(rows: readonly Fields[], sorting: Sorting): boolean {
  return differing(rows, sorting.field) > 1 && isSorted(rows, sorting)
}

/** Returns how many different values rows have in a field. */
function differing(rows: readonly Fields[], field: string): number {
  return new Set(rows.map((row) => keyOf(row, field))).size
}

/** Returns whether rows may be sorted by a field; those that are equal in it have any order. */
function isSorted(rows: readonly Fields[], { field, direction }: Sorting): boolean {
  const keys = rows.map((row) => keyOf(row, field))
  return keys.every((key, index) => index === 0 || compare(keys[index - 1] as Key, key) * direction <= 0)
}

type Key = number | string

function keyOf(row: Fields, field: string): Key {
  const value = row[field]
  if (typeof value === 'number') return value
  // A whole second sorts before its fractions.
  return field.endsWith('_at') ? String(value).replace(/Z$/, '') : String(value)
}

function compare(a: Key, b: Key): number {
  return a === b ? 0 : a < b ? -1 : 1
}
