import { mixNumber } from '../../service/time/random.js'

/** The seed of imported scenarios, with which shuffled lists have their original order. */
export const seed = 1

/** How a list is sorted: in order of creation, in reverse, or shuffled. */
export type ListOrder = 'ascending' | 'descending' | 'shuffled'

/**
 * Returns the ids of lists in the order in which to create their rows, so that a scenario with that seed
 * lists them in the same order as the service, even those with equal times. `timeOf` returns the sort key of
 * lists that are not shuffled.
 */
export function creationOrder(
  lists: readonly (readonly string[])[],
  order: ListOrder,
  timeOf: (id: string) => number = () => 0,
): string[] {
  const listed = mergeOrders(lists)
  if (order === 'ascending') return listed.sort((a, b) => timeOf(a) - timeOf(b))
  if (order === 'descending') return listed.sort((a, b) => timeOf(b) - timeOf(a)).reverse()
  const places = listed.map((_, ordinal) => ordinal)
  places.sort((a, b) => mixNumber(a, seed) - mixNumber(b, seed) || a - b)
  const created = new Array<string>(listed.length)
  for (const [index, ordinal] of places.entries()) created[ordinal] = listed[index] as string
  return created
}

/** Returns the order for the name of an assumption. */
export function listOrderOf(assumption: string): ListOrder {
  if (assumption === 'unspecified') return 'shuffled'
  return assumption.endsWith('-asc') ? 'ascending' : 'descending'
}

/**
 * Merges partial lists of one order into an order that agrees with them as far as they agree with each other.
 * Ids that no list relates come as early as their own list allows.
 */
function mergeOrders(lists: readonly (readonly string[])[]): string[] {
  const next = new Map<string, Set<string>>()
  const before = new Map<string, number>()
  for (const list of lists) {
    for (const [index, id] of list.entries()) {
      if (!next.has(id)) next.set(id, new Set())
      if (!before.has(id)) before.set(id, 0)
      const previous = list[index - 1]
      if (previous === undefined || next.get(previous)?.has(id)) continue
      next.get(previous)?.add(id)
      before.set(id, (before.get(id) ?? 0) + 1)
    }
  }
  const merged: string[] = []
  const done = new Set<string>()
  // Depth first from the first list's ids, so that its order is preserved as far as possible.
  const ready = [...before]
    .filter(([, count]) => count === 0)
    .map(([id]) => id)
    .toReversed()
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    if (done.has(id)) continue
    done.add(id)
    merged.push(id)
    for (const later of [...(next.get(id) ?? [])].toReversed()) {
      const left = (before.get(later) ?? 0) - 1
      before.set(later, left)
      if (left === 0) ready.push(later)
    }
  }
  return [...merged, ...[...before.keys()].filter((id) => !done.has(id))]
}
