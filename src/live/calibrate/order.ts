import type { Fields } from '../answer.js'

/** The probability below which an order is no coincidence. */
const chance = 1e-5

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
    const isCertain = lists.some((rows) => chanceOf(rows, sortings[name].field) <= chance)
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
  return new Set(rows.map((row) => keyOf(row, sorting.field))).size > 1 && isSorted(rows, sorting)
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

/** Returns the probability that shuffled rows are sorted by a field: the product of the orders of equals, by all orders. */
function chanceOf(rows: readonly Fields[], field: string): number {
  const counts = new Map<Key, number>()
  let probability = 1
  for (const [place, row] of rows.entries()) {
    const key = keyOf(row, field)
    const same = (counts.get(key) ?? 0) + 1
    counts.set(key, same)
    probability *= same / (place + 1)
  }
  return probability
}
