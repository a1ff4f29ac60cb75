import type { AssumptionOf, GapId } from '../../contract/gaps.js'
import {
  type Answer,
  describeExchange,
  type Fields,
  type LiveRequest,
  objectOf,
  rowsOf,
} from '../service-client.js'
import type { Ask, Survey } from './survey.js'

/** How one gap is learned: the requests, and what their answers show. */
export interface Probe {
  readonly gap: GapId
  /** Returns the requests, or what is missing for them; an answer to an equal request of another probe is shared. */
  readonly requests: Requests
  /** Returns an assumption; undefined if it is unclear, because the answers fit none or several. */
  readonly classify: (answers: readonly Answer[], survey: Survey) => string | undefined
}

export type Requests = (survey: Survey) => readonly LiveRequest[] | string

/** What the answers are under each assumption of a gap; a missing assumption does not compile. */
type Signs<Gap extends GapId> = Readonly<Record<AssumptionOf<Gap>, Sign>>

/** Returns whether answers are as under one assumption. */
export type Sign = (answers: readonly Answer[], survey: Survey) => boolean | undefined

/** Defines the probe of a gap by a function of its answers. */
export function defineProbe<Gap extends GapId>(
  gap: Gap,
  requests: Requests,
  classify: (answers: readonly Answer[], survey: Survey) => AssumptionOf<Gap> | undefined,
): Probe {
  return { gap, requests, classify }
}

/** Defines the probe of a gap by what its answers look like under each assumption; only one may fit. */
export function defineChoice<Gap extends GapId>(gap: Gap, requests: Requests, signs: Signs<Gap>): Probe {
  const names = Object.keys(signs) as AssumptionOf<Gap>[]
  const classify: Probe['classify'] = (answers, survey) => {
    return onlyOf(names.filter((name) => signs[name](answers, survey)))
  }
  return { gap, requests, classify }
}

/** What is known about a gap. */
export interface Finding {
  /** The only assumption under which a service answers so; undefined if that is unclear. */
  readonly assumption: string | undefined
  /** The exchanges that show it, or why it is unclear. */
  readonly because: string
}

/** Says why a gap is unclear. */
export function unclear(because: string): Finding {
  return { assumption: undefined, because }
}

/** Asks what a probe needs, and returns what the answers show. @throws LiveError */
export async function findingFrom({ requests, classify }: Probe, survey: Survey, ask: Ask): Promise<Finding> {
  const wanted = requests(survey)
  if (typeof wanted === 'string') return unclear(wanted)
  const answers: Answer[] = []
  for (const request of wanted) answers.push(await ask(request))
  const assumption = classify(answers, survey)
  const seen = answers.map(describeExchange).slice(0, 3).join('; ')
  return { assumption, because: assumption ? seen : `several assumptions fit, or none: ${seen}` }
}

/** A property of an answer. */
type Is = (answer: Answer) => boolean

/** Returns whether all answers, and at least one, have a property. */
export function all(is: Is): (answers: readonly Answer[]) => boolean {
  return (answers) => answers.length > 0 && answers.every(is)
}

/** Returns whether an answer has one of these statuses. */
export function hasStatus(...statuses: readonly number[]): Is {
  return ({ status }) => statuses.includes(status)
}

export const isInvalid = hasStatus(400, 422)
export const isUnauthorized = hasStatus(401, 403)

/** Returns whether an answer is a list, of this many rows. */
export function isList(list: string, count?: number): Is {
  return (answer) => {
    const rows = rowsOf(answer, list)
    return rows !== undefined && (count === undefined || rows.length === count)
  }
}

/** Returns the ids of the rows of a list; undefined if the answer is not such a list. */
export function idsOf(answer: Answer | undefined, list: string): readonly string[] | undefined {
  return answer && rowsOf(answer, list)?.map(({ id }) => String(id))
}

/** Returns whether two lists of ids are equal. */
export function isSame(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return (
    a !== undefined && b !== undefined && a.length === b.length && a.every((id, index) => id === b[index])
  )
}

/** Returns the only value of several; undefined if they differ, or there is none. */
export function onlyOf<Value>(values: Iterable<Value>): Value | undefined {
  const [first, ...others] = new Set(values)
  return others.length === 0 ? first : undefined
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
