import { Database } from './database.js'
import { indexing, NameIndex, type Order, type ShuffleKey, sortKey, ThreadLinks } from './indexing.js'
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

  build(bodies: BodySource): Base {
    return { database: this.#database, index: this.#index, bodies, shuffle: this.#shuffle }
  }
}

/** The index of one model, column by column; a row's position is its ordinal. */
interface Table {
  readonly ids: string[]
  readonly keys: Map<Order, number[]>
  /** The positions of the rows of each scope. */
  readonly scopes: Map<string, number[]>
  /** Each order of each scope once somebody asked for it. */
  readonly sorted: Map<string, Sequence>
}

/**
 * The indexes of a base. Rows only ever come in; an order is sorted when it is first read, so a list nobody
 * asks for costs next to nothing.
 */
export class BaseIndex {
  readonly #tables = new Map<ModelName, Table>()
  readonly #names = new NameIndex()
  readonly threadLinks = new ThreadLinks()
  readonly #shuffle: ShuffleKey

  constructor(shuffle: ShuffleKey) {
    this.#shuffle = shuffle
  }

  /** Takes in the next row of a model: ordinals count from 0, without gaps. */
  add<M extends ModelName>(model: M, row: Rows[M]): void {
    for (const name of indexing[model].names(row)) this.#names.add(name, row.id)
    const links = indexing[model].links?.(row)
    if (links) this.threadLinks.add(links, 1)
    const scopes = indexing[model].scopes(row)
    if (scopes.length === 0) return
    const table = this.#tableOf(model)
    const position = table.ids.push(row.id) - 1
    for (const [order, keys] of table.keys) keys.push(sortKey(model, row, order, this.#shuffle))
    for (const scope of scopes) {
      const positions = table.scopes.get(scope)
      if (positions) positions.push(position)
      else table.scopes.set(scope, [position])
    }
  }

  /** Returns the id of the first row of a name that is not gone. */
  find(name: string, gone?: ReadonlySet<string>): string | undefined {
    return this.#names.find(name, gone)
  }

  /** The rows of a scope in an order. */
  sequence(model: ModelName, scope: string, order: Order): Sequence {
    const table = this.#tables.get(model)
    const positions = table?.scopes.get(scope)
    if (!table || !positions) return emptySequence
    const place = `${order} ${scope}`
    let sequence = table.sorted.get(place)
    if (!sequence) {
      sequence = this.#sort(table, positions, order)
      table.sorted.set(place, sequence)
    }
    return sequence
  }

  #tableOf(model: ModelName): Table {
    let table = this.#tables.get(model)
    if (!table) {
      const orders = Object.keys(indexing[model].orders) as Order[]
      const keys = new Map(orders.map((order) => [order, []]))
      table = { ids: [], keys, scopes: new Map(), sorted: new Map() }
      this.#tables.set(model, table)
    }
    return table
  }

  #sort({ ids, keys }: Table, positions: readonly number[], order: Order): Sequence {
    const column = keys.get(order)
    const keyOf = column ? (position: number) => column[position] as number : this.#shuffle
    // Positions ascend with ordinals, so equal keys keep their order of creation.
    const sorted = positions.toSorted((a, b) => keyOf(a) - keyOf(b))
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
