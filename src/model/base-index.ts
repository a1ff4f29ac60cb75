import { indexing, type Order, type ShuffleKey, sortKey } from './indexing.js'
import type { ModelName, Rows } from './rows.js'
import { Scope } from './scope.js'
import { emptySequence, type Sequence } from './sequence.js'

/** What the index keeps of one model, column by column; a row's position is its ordinal. */
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
  readonly #shuffle: ShuffleKey

  constructor(shuffle: ShuffleKey) {
    this.#shuffle = shuffle
  }

  /** Takes in the next row of a model: ordinals count from 0, without gaps. */
  add<M extends ModelName>(model: M, row: Rows[M]): void {
    for (const name of indexing[model].names(row)) this.#name(name, row.id)
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
