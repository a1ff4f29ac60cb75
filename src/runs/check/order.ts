import { type KindName, kindNames, type PlannedDisturbance } from './disturbance.js'

/** A disturbance that is to be tried, with its kind. */
export type PlannedOfKind = PlannedDisturbance & { readonly kind: KindName }

/**
 * Orders disturbances: the most valuable ones first, then one of each kind in turn, and within a kind one of each group before
 * the second of any.
 */
export function inOrder(planned: readonly PlannedOfKind[]): PlannedOfKind[] {
  const valuable = planned.filter(({ rank }) => rank !== undefined)
  const others = planned.filter(({ rank }) => rank === undefined)
  const kinds = kindNames.map((name) => {
    return taken(
      grouped(
        others.filter(({ kind }) => kind === name),
        ({ group }) => group,
      ),
    )
  })
  return [...valuable.toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0)), ...taken(kinds)]
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}

/** Returns the first item of each list, then the second of each, and so on. */
function taken<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, place) =>
    lists.flatMap((list) => list.slice(place, place + 1)),
  ).flat()
}
