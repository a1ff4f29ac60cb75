import { indexing, type Order, type ShuffleKey } from './indexing.js'
import type { ModelName, Rows } from './rows.js'
import { emptySequence, type Sequence } from './sequence.js'

/** One list of rows: their positions in the table, and each order once somebody asked for it. */
interface Scope {
  readonly positions: number[]
  sorted?: Map<Order, Sequence>
}

/** What the index keeps of one model, column by column. */
interface Table {
  readonly ids: string[]
  readonly ordinals: number[]
  readonly keys: Map<Order, number[]>
  readonly scopes: Map<string, Scope>
}

/**
 * The indexes of a base. Rows only ever come in; an order is sorted when it is first read, so a list nobody
 * asks for costs four bytes a row.
 */
export class BaseIndex {
  readonly #tables = new Map<ModelName, Table>()
  readonly #names = new Map<string, string>()
  /** Rows that came to a name another has already; each is found once those before it are gone. */
  readonly #namesakes = new Map<string, string[]>()
  readonly #shuffle: ShuffleKey

  constructor(shuffle: ShuffleKey) {
    this.#shuffle = shuffle
  }

  /** Takes a row in. */
  add<M extends ModelName>(model: M, row: Rows[M]): void {
    for (const name of indexing[model].names(row)) this.#name(name, row.id)
    const scopes = indexing[model].scopes(row)
    if (scopes.length === 0) return
    const table = this.#tableOf(model)
    const position = table.ids.push(row.id) - 1
    table.ordinals.push(row.ordinal)
    for (const [order, key] of Object.entries(indexing[model].orders)) {
      table.keys.get(order as Order)?.push(key(row))
    }
    for (const scope of scopes) {
      const list = table.scopes.get(scope)
      if (list) list.positions.push(position)
      else table.scopes.set(scope, { positions: [position] })
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
      sequence = this.#sort(table, list.positions, order)
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
      table = {
        ids: [],
        ordinals: [],
        keys: new Map(orders.map((order) => [order, []])),
        scopes: new Map(),
      }
      this.#tables.set(model, table)
    }
    return table
  }

  #sort(table: Table, positions: readonly number[], order: Order): Sequence {
    const keyOf = this.#keyOf(table, order)
    const keys = Float64Array.from(positions, keyOf)
    const ranks = Uint32Array.from(positions, (_, rank) => rank)
    // Positions ascend with ordinals, so equal keys keep their order of creation.
    if (!ascends(keys)) ranks.sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b)
    const sorted = Uint32Array.from(ranks, (rank) => positions[rank] as number)
    return {
      length: sorted.length,
      keyAt: (index) => keyOf(sorted[index] as number),
      ordinalAt: (index) => table.ordinals[sorted[index] as number] as number,
      ids(start, count) {
        const ids: string[] = []
        for (let at = start; at < start + count; at++) ids.push(table.ids[sorted[at] as number] as string)
        return ids
      },
    }
  }

  #keyOf(table: Table, order: Order): (position: number) => number {
    const keys = table.keys.get(order)
    const shuffle = this.#shuffle
    return keys
      ? (position) => keys[position] as number
      : (position) => shuffle(table.ordinals[position] as number)
  }
}

function ascends(keys: Float64Array): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] as number) <= key)
}
