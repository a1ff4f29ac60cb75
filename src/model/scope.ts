import type { Order } from './indexing.js'
import type { Sequence } from './sequence.js'

/**
 * One list of rows as their positions in the table, in runs of neighbours: a thread's messages mostly came
 * one after another, so most lists are a single run.
 */
export class Scope {
  /** Each order once somebody asked for it. */
  sorted: Map<Order, Sequence> | undefined = undefined
  #start: number
  #end: number
  /** The runs before the last one: start, end, start, end… */
  #earlier: number[] | undefined = undefined

  constructor(position: number) {
    this.#start = position
    this.#end = position + 1
  }

  /** Takes in a position, which is higher than any before it. */
  add(position: number): void {
    if (position === this.#end) {
      this.#end++
      return
    }
    this.#earlier ??= []
    this.#earlier.push(this.#start, this.#end)
    this.#start = position
    this.#end = position + 1
  }

  /** The positions in ascending order of their keys; where keys are equal, of themselves. */
  sortedBy(keyOf: (position: number) => number): Uint32Array {
    const positions = this.#positions()
    const keys = new Float64Array(positions.length)
    for (let rank = 0; rank < keys.length; rank++) keys[rank] = keyOf(positions[rank] as number)
    if (ascends(keys)) return positions
    return ranksOf(keys).map((rank) => positions[rank] as number)
  }

  #positions(): Uint32Array {
    const runs = [...(this.#earlier ?? []), this.#start, this.#end]
    let count = 0
    for (let run = 0; run < runs.length; run += 2) count += (runs[run + 1] as number) - (runs[run] as number)
    const positions = new Uint32Array(count)
    let filled = 0
    for (let run = 0; run < runs.length; run += 2) {
      for (let at = runs[run] as number; at < (runs[run + 1] as number); at++) positions[filled++] = at
    }
    return positions
  }
}

function ascends(keys: Float64Array): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] as number) <= key)
}

/** The indexes of the keys in their ascending order; where keys are equal, in their own. Overwrites the keys. */
function ranksOf(keys: Float64Array): Uint32Array {
  const count = keys.length
  const least = keys.reduce((a, b) => Math.min(a, b))
  const most = keys.reduce((a, b) => Math.max(a, b))
  const ranks = new Uint32Array(count)
  if ((most - least + 1) * count > Number.MAX_SAFE_INTEGER || !keys.every(Number.isInteger)) {
    for (let rank = 0; rank < count; rank++) ranks[rank] = rank
    return ranks.sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b)
  }
  // Key and rank fit into one number, and plain numbers are sorted four times as fast as by a comparison.
  // In place, because large arrays that come and go make the engine collect the whole heap.
  for (let rank = 0; rank < count; rank++) keys[rank] = ((keys[rank] as number) - least) * count + rank
  keys.sort()
  for (let index = 0; index < count; index++) ranks[index] = (keys[index] as number) % count
  return ranks
}
