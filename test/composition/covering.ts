/** The values of each axis, by its name. */
type Axes = Readonly<Record<string, readonly unknown[]>>

/** One value of each axis. */
export type Row<A extends Axes> = { readonly [Name in keyof A]: A[Name][number] }

/**
 * Returns rows that have every pair of values of two axes which any possible row has. Deterministic: each row begins with
 * the first pair that is still missing, and takes for every other axis the value that adds the most missing pairs.
 */
export function pairwise<A extends Axes>(axes: A, isPossible: (row: Row<A>) => boolean): Row<A>[] {
  const names = Object.keys(axes)
  const combine = (rows: object[], name: string): object[] =>
    rows.flatMap((row) => (axes[name] ?? []).map((value) => ({ ...row, [name]: value })))
  const possible = (names.reduce(combine, [{}]) as Row<A>[]).filter(isPossible)
  const indexOf = (name: string, row: Row<A>): number => (axes[name] ?? []).indexOf(row[name])
  const pairsOf = (row: Row<A>): string[] =>
    names.flatMap((one, index) =>
      names.slice(index + 1).map((other) => `${one} ${indexOf(one, row)} ${other} ${indexOf(other, row)}`),
    )
  const missing = new Set(possible.flatMap(pairsOf))
  const rows: Row<A>[] = []
  while (missing.size > 0) {
    const gain = (row: Row<A>): number => pairsOf(row).filter((pair) => missing.has(pair)).length
    const best = possible.reduce((most, row) => (gain(row) > gain(most) ? row : most))
    for (const pair of pairsOf(best)) missing.delete(pair)
    rows.push(best)
  }
  return rows
}
