import { ThreadIndex } from '../../mail/threading.js'
import { Database } from './database.js'
import { addToThreads, indexing, NameIndex, type Order, type ShuffleKey, sortKey } from './indexing.js'
import type { MessageRow, ModelName, Rows, Unplaced } from './rows.js'
import { emptySequence, type Sequence } from './sequence.js'

/** The body of a message. */
export interface Body {
  readonly text: string | null
  readonly html: string | null
}

/** Generates the body for a `body_key`; the same key always gives the same body. */
export type BodySource = (bodyKey: string) => Body

/** The data of a loaded scenario: filled once by a `BaseBuilder`, then shared unchanged by all worlds. */
export interface Base {
  readonly database: Database
  readonly index: BaseIndex
  readonly bodies: BodySource
  /** Returns the sort key of an ordinal in the seeded shuffle. */
  readonly shuffle: ShuffleKey
}

/** Fills a base. */
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
        throw new Error(`A row of a base cannot be replaced: ${model}.`)
      },
    })
  }

  /** Adds a row and returns it; its ordinal is its position among the rows of its model. */
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

/** The index of one model, by column; a row's position is its ordinal. */
interface Table {
  readonly ids: string[]
  readonly keys: Map<Order, number[]>
  /** The positions of the rows of each scope. */
  readonly scopes: Map<string, number[]>
  /** The orders of scopes that have been read, by order and scope. */
  readonly sorted: Map<string, Sequence>
}

/**
 * The indexes of a base. Rows are only added. An order is sorted when it is first read, so a list that is never read
 * costs almost nothing.
 */
export class BaseIndex {
  readonly #tables = new Map<ModelName, Table>()
  readonly #names = new NameIndex()
  /** Finds the threads that later mail joins. */
  readonly threads = new ThreadIndex()
  readonly #shuffle: ShuffleKey

  constructor(shuffle: ShuffleKey) {
    this.#shuffle = shuffle
  }

  /** Adds the next row of a model; ordinals count from 0 without gaps. */
  add<M extends ModelName>(model: M, row: Rows[M]): void {
    for (const name of indexing[model].names(row)) this.#names.add(name, row.id)
    if (model === 'message') addToThreads(this.threads, row as MessageRow, (row as MessageRow).created_at)
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

  /** Returns the id of the first row with a name that is not deleted. */
  find(name: string, deleted?: ReadonlySet<string>): string | undefined {
    return this.#names.find(name, deleted)
  }

  /** Returns the rows of a scope in an order. */
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
        // Allocated at full length for speed: every ordered list compares five of these arrays.
        const found = new Array<string>(count)
        for (let at = 0; at < count; at++) found[at] = ids[sorted[start + at] as number] as string
        return found
      },
    }
  }
}
