/**
 * A list of row ids in ascending order of (key, ordinal). It is composed of arrays, holes and merges, so that any page
 * is found by binary search without building the list.
 */
export interface Sequence {
  readonly length: number
  keyAt(position: number): number
  ordinalAt(position: number): number
  /** Returns the ids at `count` positions from `start`; the range must lie inside the sequence. */
  ids(start: number, count: number): string[]
}

/** The part of a row that lists need. */
export interface Listed {
  readonly id: string
  readonly ordinal: number
}

/** The sequence of rows that are in order, also when more are added. */
export class SortedRows<Row extends Listed> implements Sequence {
  readonly #rows: readonly Row[]
  readonly #keyOf: (row: Row) => number

  constructor(rows: readonly Row[], keyOf: (row: Row) => number) {
    this.#rows = rows
    this.#keyOf = keyOf
  }

  get length(): number {
    return this.#rows.length
  }

  keyAt(position: number): number {
    return this.#keyOf(this.#rows[position] as Row)
  }

  ordinalAt(position: number): number {
    return (this.#rows[position] as Row).ordinal
  }

  ids(start: number, count: number): string[] {
    return this.#rows.slice(start, start + count).map(({ id }) => id)
  }
}

/** Returns whether entry `i` of `a` comes before entry `j` of `b`. */
function comesBefore(a: Sequence, i: number, b: Sequence, j: number): boolean {
  const difference = a.keyAt(i) - b.keyAt(j)
  return difference === 0 ? a.ordinalAt(i) < b.ordinalAt(j) : difference < 0
}

/** Returns the position of the first entry that is not before (key, ordinal). */
export function lowerBound(sequence: Sequence, key: number, ordinal: number): number {
  let low = 0
  let high = sequence.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const difference = sequence.keyAt(middle) - key
    const before = difference === 0 ? sequence.ordinalAt(middle) < ordinal : difference < 0
    if (before) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the position of exactly (key, ordinal), or -1. */
export function positionOf(sequence: Sequence, key: number, ordinal: number): number {
  const position = lowerBound(sequence, key, ordinal)
  const found =
    position < sequence.length && sequence.keyAt(position) === key && sequence.ordinalAt(position) === ordinal
  return found ? position : -1
}

/** Returns the sequence without the positions in `holes`, which must ascend. */
export function withoutHoles(sequence: Sequence, holes: readonly number[]): Sequence {
  if (holes.length === 0) return sequence
  const original = (position: number): number =>
    position + firstIndex(holes, (hole, i) => hole - i > position)
  return {
    length: sequence.length - holes.length,
    keyAt: (position) => sequence.keyAt(original(position)),
    ordinalAt: (position) => sequence.ordinalAt(original(position)),
    ids(start, count) {
      const found: string[] = []
      while (found.length < count) {
        const first = original(start + found.length)
        const next = holes[firstIndex(holes, (hole) => hole > first)] ?? sequence.length
        // Not spread into `push`: a long list has more ids than a call can have arguments.
        for (const id of sequence.ids(first, Math.min(next - first, count - found.length))) found.push(id)
      }
      return found
    },
  }
}

/** Returns the first index that passes a test which all later ones pass as well; the length if none passes. */
export function firstIndex(
  numbers: readonly number[],
  passes: (value: number, index: number) => boolean,
): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (passes(numbers[middle] as number, middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Merges two sequences in order. */
export function merge(a: Sequence, b: Sequence): Sequence {
  if (a.length === 0) return b
  if (b.length === 0) return a
  const at = (position: number): [Sequence, number] => {
    const i = split(a, b, position)
    const j = position - i
    return j >= b.length || (i < a.length && comesBefore(a, i, b, j)) ? [a, i] : [b, j]
  }
  return {
    length: a.length + b.length,
    keyAt(position) {
      const [source, index] = at(position)
      return source.keyAt(index)
    },
    ordinalAt(position) {
      const [source, index] = at(position)
      return source.ordinalAt(index)
    },
    ids: (start, count) => interleave(a, b, split(a, b, start), start, count),
  }
}

/** Returns how many of the first `position` entries of the merge come from `a`. */
function split(a: Sequence, b: Sequence, position: number): number {
  let low = Math.max(0, position - b.length)
  let high = Math.min(position, a.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (comesBefore(a, middle, b, position - middle - 1)) low = middle + 1
    else high = middle
  }
  return low
}

function interleave(a: Sequence, b: Sequence, fromA: number, start: number, count: number): string[] {
  const idsA = a.ids(fromA, Math.min(count, a.length - fromA))
  const fromB = start - fromA
  const idsB = b.ids(fromB, Math.min(count, b.length - fromB))
  const merged: string[] = []
  let i = 0
  let j = 0
  while (merged.length < count) {
    const takeA = j >= idsB.length || (i < idsA.length && comesBefore(a, fromA + i, b, fromB + j))
    merged.push((takeA ? idsA[i++] : idsB[j++]) as string)
  }
  return merged
}

/** A sequence without entries. */
export const emptySequence: Sequence = {
  length: 0,
  keyAt: () => Number.NaN,
  ordinalAt: () => Number.NaN,
  ids: () => [],
}
