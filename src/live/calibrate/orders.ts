import { type Answer, type Fields, rowsOf } from '../service-client.js'

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
  return field.endsWith('_at') ? Date.parse(String(value)) : String(value)
}
