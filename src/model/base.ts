import { Database } from './database.js'
import { indexing, type Order, type ShuffleKey, sortKey, ThreadLinks } from './indexing.js'
import type { ModelName, Rows, Unplaced } from './rows.js'
import { emptySequence, type Sequence } from './sequence.js'

/** The words of a message. */
export interface Body {
  readonly text: string | null
  readonly html: string | null
  /** The start of what it says, where that is known already. @see interface 2.2 */
  readonly snippet?: string | undefined
}

/** Makes the body a `body_key` names; the same key always gives the same bytes. */
export type BodySource = (bodyKey: string) => Body

/** What a scenario loads: filled once by a `BaseBuilder`, then shared, unchanged, by every world. */
export interface Base {
  readonly database: Database
  readonly index: BaseIndex
  readonly bodies: BodySource
  /** Puts an ordinal at its place in the seeded shuffle. */
  readonly shuffle: ShuffleKey
}

/** A base while it is being filled. */
export class BaseBuilder {
  readonly #index: BaseIndex
  readonly #database: Database
  readonly #shuffle: ShuffleKey

  constructor(shuffle: ShuffleKey) {
    this.#shuffle = shuffle
    this.#index = new BaseIndex(shuffle)
    this.#database = new Database({
      created: (model, row) => this.#index.add(model, row),
      updated: (model) => {
        throw new Error(`A base does not change once a row is in it: ${model}.`)
      },
    })
  }

  /** Adds a row and gives it back; its ordinal is its place among those of its model. */
  add<M extends ModelName>(model: M, row: Unplaced<Rows[M]>): Rows[M] {
    return this.#database.put(model, row, this.#database.count(model))
  }

  count(model: ModelName): number {
    return this.#database.count(model)
  }

  /** Whether a row of that name is in already; see `nameOf`. */
  has(name: string): boolean {
    return this.#index.find(name) !== undefined
  }

  build(bodies: BodySource): Base {
    return { database: this.#database, index: this.#index, bodies, shuffle: this.#shuffle }
  }
}

/** The index of one model, column by column; a row's position is its ordinal. */
interface Table {
  readonly ids: string[]
  readonly keys: Map<Order, number[]>
  readonly scopes: Map<string, Scope>
}

/**
 * The indexes of a base. Rows only ever come in; an order is sorted when it is first read, so a list nobody
 * asks for costs next to nothing.
 */
export class BaseIndex {
  readonly #tables = new Map<ModelName, Table>()
  readonly #names = new Map<string, string>()
  /** Rows that came to a name another has already; each is found once those before it are gone. */
  readonly #namesakes = new Map<string, string[]>()
  readonly threadLinks = new ThreadLinks()
  readonly #shuffle: ShuffleKey

  constructor(shuffle: ShuffleKey) {
    this.#shuffle = shuffle
  }

  /** Takes in the next row of a model: ordinals count from 0, without gaps. */
  add<M extends ModelName>(model: M, row: Rows[M]): void {
    for (const name of indexing[model].names(row)) this.#name(name, row.id)
    const links = indexing[model].links?.(row)
    if (links) this.threadLinks.add(links, 1)
    const scopes = indexing[model].scopes(row)
    if (scopes.length === 0) return
    const table = this.#tableOf(model)
    const position = table.ids.push(row.id) - 1
    for (const [order, keys] of table.keys) keys.push(sortKey(model, row, order, this.#shuffle))
    for (const name of scopes) {
      const scope = table.scopes.get(name)
      if (scope) scope.add(position)
      else table.scopes.set(name, new Scope(position))
    }
  }

  /** The id of the first row of that name that is not gone. */
  find(name: string, gone?: ReadonlySet<string>): string | undefined {
    const first = this.#names.get(name)
    if (first === undefined || !gone?.has(first)) return first
    return this.#namesakes.get(name)?.find((id) => !gone.has(id))
  }

  /** The rows of a scope in an order. */
  sequence(model: ModelName, scope: string, order: Order): Sequence {
    const table = this.#tables.get(model)
    const list = table?.scopes.get(scope)
    if (!table || !list) return emptySequence
    list.sorted ??= new Map()
    let sequence = list.sorted.get(order)
    if (!sequence) {
      sequence = this.#sort(table, list, order)
      list.sorted.set(order, sequence)
    }
    return sequence
  }

  #name(name: string, id: string): void {
    if (!this.#names.has(name)) {
      this.#names.set(name, id)
      return
    }
    const namesakes = this.#namesakes.get(name)
    if (namesakes) namesakes.push(id)
    else this.#namesakes.set(name, [id])
  }

  #tableOf(model: ModelName): Table {
    let table = this.#tables.get(model)
    if (!table) {
      const orders = Object.keys(indexing[model].orders) as Order[]
      table = { ids: [], keys: new Map(orders.map((order) => [order, []])), scopes: new Map() }
      this.#tables.set(model, table)
    }
    return table
  }

  #sort({ ids, keys }: Table, scope: Scope, order: Order): Sequence {
    const column = keys.get(order)
    const keyOf = column ? (position: number) => column[position] as number : this.#shuffle
    // Positions ascend with ordinals, so equal keys keep their order of creation.
    const sorted = scope.sortedBy(keyOf)
    return {
      length: sorted.length,
      keyAt: (index) => keyOf(sorted[index] as number),
      ordinalAt: (index) => sorted[index] as number,
      ids(start, count) {
        // As long as it gets from the start: every answer with an order compares five of these.
        const found = new Array<string>(count)
        for (let at = 0; at < count; at++) found[at] = ids[sorted[start + at] as number] as string
        return found
      },
    }
  }
}

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
