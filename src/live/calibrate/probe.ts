import { type AssumptionOf, type GapId, gaps } from '../../contract/gaps.js'
import { parseInstant } from '../../service/time/time.js'
import {
  type Answer,
  describeExchange,
  type Fields,
  type LiveRequest,
  objectOf,
  rowsOf,
  uniqueRows,
} from '../service-client.js'
import type { Ask, Survey } from './survey.js'

/** How one gap is learned: the requests, and what their answers show. */
export interface Probe {
  readonly gap: GapId
  /** The requests, or what is missing for them; an answer to an equal request of another probe is shared. */
  readonly requests: Requests
  readonly classify: Classify
}

export type Requests = (survey: Survey) => readonly LiveRequest[] | string

/** Returns an assumption; anything else means that it is unclear, because the answers fit none or several. */
type Classify = (answers: readonly Answer[], survey: Survey) => unknown

/** Returns whether answers are as under one assumption. */
export type Sign = (answers: readonly Answer[], survey: Survey) => boolean | undefined

/**
 * Defines the probe of a gap by a function of its answers, or by what they look like under each assumption, of which only
 * one may fit; a missing assumption does not compile.
 */
export function defineProbe<Gap extends GapId>(
  gap: Gap,
  requests: Requests | readonly LiveRequest[],
  shown: Classify | Readonly<Record<AssumptionOf<Gap>, Sign>>,
): Probe {
  const classify: Classify = (answers, survey) => {
    if (typeof shown === 'function') return shown(answers, survey)
    const signs = Object.entries<Sign>(shown)
    return onlyOf(signs.flatMap(([name, fits]) => (fits(answers, survey) ? name : [])))
  }
  return { gap, requests: typeof requests === 'function' ? requests : () => requests, classify }
}

/** What is known about a gap. */
export interface Finding {
  readonly gap: GapId
  /** The only assumption under which a service answers so; absent if that is unclear. */
  readonly assumption?: string
  /** The exchanges that show it, or why it is unclear. */
  readonly because: string
}

/** Asks what a probe needs, and returns what the answers show. @throws LiveError */
export async function findingFrom(probe: Probe, survey: Survey, ask: Ask): Promise<Finding> {
  const { gap, requests, classify } = probe
  const wanted = requests(survey)
  if (typeof wanted === 'string') return { gap, because: wanted }
  const answers: Answer[] = []
  for (const request of wanted) answers.push(await ask(request))
  const assumption = String(classify(answers, survey))
  const seen = answers.map(describeExchange).slice(0, 3).join('; ')
  const isKnown = Object.hasOwn(gaps[gap].assumptions, assumption)
  return isKnown
    ? { gap, assumption, because: seen }
    : { gap, because: `several assumptions fit, or none: ${seen}` }
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

/** The ids of the rows of a list; undefined if an answer is not such a list. */
type Ids = readonly string[] | undefined

/** Returns whether the ids of the lists in answers are as under an assumption. */
export function haveIds(list: string, holds: (...ids: Ids[]) => boolean | undefined): Sign {
  return (answers) => {
    return holds(...answers.map((answer) => rowsOf(answer, list)?.map(({ id }) => String(id))))
  }
}

/** Returns whether there are two lists, with the same ids. */
export function isSame(a: Ids, b: Ids): boolean {
  return a !== undefined && b !== undefined && String(a) === String(b)
}

/** Returns the only value of several; undefined if they differ, or there is none. */
export function onlyOf<Value>(values: Iterable<Value>): Value | undefined {
  const [first, ...others] = new Set(values)
  return others.length === 0 ? first : undefined
}

/** Defines the probe of what all rows of a list show alike; a row for which `see` returns `[]` shows nothing. */
export function defineRowProbe(
  gap: GapId,
  list: string,
  requests: Requests | readonly LiveRequest[],
  see: (row: Fields) => unknown,
): Probe {
  return defineProbe(gap, requests, (answers) => onlyOf(uniqueRows(answers, list).flatMap((row) => see(row))))
}

/** Returns the assumption that describes a missing value. */
export function nothingOf(value: unknown): 'absent' | 'null' | 'empty-string' | undefined {
  if (value === undefined) return 'absent'
  return value === null ? 'null' : value === '' ? 'empty-string' : undefined
}

/** Returns a text in the other case. */
export function swapCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
}

/** Returns the status that all answers have. */
export function statusOf(answers: readonly Answer[]): number | undefined {
  return onlyOf(answers.map(({ status }) => status))
}

/** Returns the limit that an answer's request has; NaN if it is no number. */
function limitOf({ request: { target } }: Answer): number {
  return Number(new URLSearchParams(target.split('?')[1]).get('limit'))
}

/** The length of a page without a limit, and that of one with a limit out of range if it has the default. */
const defaultLimit = 50

/** Returns the rules for limits out of range under which pages, of all messages or of an agent's threads, are so long. */
export function rulesOfLimits(list: string, answers: readonly Answer[], survey: Survey, maximum = 100) {
  const elsewhere = list === 'messages' ? survey.messages.length : 0
  const known = Math.max(elsewhere, uniqueRows(answers, list).length)
  const isUnder = (rule: string, answer: Answer): boolean => {
    const limit = limitOf(answer)
    const isInRange = limit >= 1 && limit <= maximum
    if (rule === 'rejected' && !isInRange) return isInvalid(answer)
    const isLimited = isInRange || (rule === 'clamped' && !Number.isNaN(limit))
    const length = isLimited ? Math.min(Math.max(1, limit), maximum) : defaultLimit
    return isList(list, Math.min(length, known))(answer)
  }
  const rules = ['rejected', 'clamped', 'default']
  return rules.filter((rule) => answers.every((answer) => isUnder(rule, answer)))
}

/** Returns what `total` counts: the matches, the rows of the page or, named `everything`, all rows there are. */
export function totalOf(list: string, everything: string): Classify {
  return (answers) => {
    const pages = answers.filter(isList(list)).map((answer) => ({
      rows: uniqueRows([answer], list).length,
      total: Number(objectOf(answer)?.['total']),
      limit: limitOf(answer),
      filter: answer.request.target.replace(/[?&]limit=\d+/, ''),
    }))
    const totals = new Map(pages.map(({ filter, total }) => [filter, total]))
    const ofAgents = [...totals].filter(([filter]) => filter.includes('agent='))
    // Their matches are different rows.
    const sum = ofAgents.reduce((before, [, total]) => before + total, 0)
    const areMatches = pages.every(({ rows, total, limit, filter }) => {
      const least = filter.includes('?') ? rows : sum
      return total === totals.get(filter) && (rows < limit ? total === rows : total >= least)
    })
    return onlyOf([
      ...(pages.every(({ rows, total }) => total === rows) ? ['page-size'] : []),
      ...(areMatches ? ['all-matches'] : []),
      ...(pages.every(({ total }) => total === pages[0]?.total) ? [everything] : []),
    ])
  }
}

/** The number of different rows whose order is no coincidence. */
const enoughRows = 9

/** A field that rows may be sorted by; 1 for ascending, -1 for descending. */
interface Sorting {
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
export function orderOf(
  answers: readonly Answer[],
  list: string,
  sortings: Readonly<Record<string, Sorting>>,
): string | undefined {
  const lists = answers
    .map((answer) => rowsOf(answer, list) ?? [])
    .filter((rows) => differing(rows, 'created_at') > 1)
  const fits = (sorting: Sorting): boolean => lists.every((rows) => isSorted(rows, sorting))
  const [fitting, ...others] = Object.entries(sortings).filter(([, sorting]) => fits(sorting))
  if (fitting) {
    const isCertain = lists.some((rows) => differing(rows, fitting[1].field) >= enoughRows)
    return isCertain && others.length === 0 ? fitting[0] : undefined
  }
  const isShuffled = (rows: readonly Fields[]): boolean => {
    const fields = Object.keys(rows[0] ?? {}).filter((field) => differing(rows, field) > 1)
    return !fields.some((field) =>
      ([1, -1] as const).some((direction) => isSorted(rows, { field, direction })),
    )
  }
  return lists.some(isShuffled) ? 'unspecified' : undefined
}

/** Returns how many different values rows have in a field. */
function differing(rows: readonly Fields[], field: string): number {
  return new Set(rows.map((row) => keyOf(row, field))).size
}

/** Returns whether rows may be sorted by a field; those that are equal in it have any order. */
export function isSorted(rows: readonly Fields[], { field, direction }: Sorting): boolean {
  const keys = rows.map((row) => keyOf(row, field))
  const ordered = direction === 1 ? keys : keys.toReversed()
  return ordered.every((key, index) => index === 0 || (ordered[index - 1] as typeof key) <= key)
}

function keyOf(row: Fields, field: string): number | string {
  const value = row[field]
  if (typeof value === 'number') return value
  return field.endsWith('_at') ? (parseInstant(String(value)) ?? 0) : String(value)
}
