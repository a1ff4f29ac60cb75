import { ThreadIndex } from '../../mail/threading.js'
import { Database } from './database.js'
import { addToThreads, indexing, NameIndex, type Order, type ShuffleKey, sortKey } from './indexing.js'
import type { MessageRow, ModelName, Rows, Unplaced } from './rows.js'
import { emptySequence, type Listed, type Sequence, SortedRows } from './sequence.js'

/** The body of a message. */
export interface Body {
  readonly text: string | null
  readonly html: string | null
}

/** Generates the body for a `body_key`; the same key always gives the same body. */
type BodySource = (bodyKey: string) => Body

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

/**
 * The indexes of a base. Rows are only added. An order is sorted when it is first read, so a list that is never read
 * costs almost nothing.
 */
export class BaseIndex {
  /** The rows of each scope, by model and scope, in the order in which they were added. */
  readonly #rows = new Map<string, Listed[]>()
  /** The orders of scopes that have been read, by model, scope and order. */
  readonly #sorted = new Map<string, Sequence>()
  readonly #names = new NameIndex()
  /** Finds the threads that later mail joins. */
  readonly threads = new ThreadIndex()
  readonly #shuffle: ShuffleKey

  constructor(shuffle: ShuffleKey) {
    this.#shuffle = shuffle
  }

  /** Adds the next row of a model. */
  add<M extends ModelName>(model: M, row: Rows[M]): void {
    for (const name of indexing[model].names(row)) this.#names.add(name, row.id)
    if (model === 'message') addToThreads(this.threads, row as MessageRow, (row as MessageRow).created_at)
    for (const scope of indexing[model].scopes(row)) {
      const rows = this.#rows.get(`${model} ${scope}`)
      if (rows) rows.push(row)
      else this.#rows.set(`${model} ${scope}`, [row])
    }
  }

  /** Returns the id of the first row with a name that is not deleted. */
  find(name: string, deleted?: ReadonlySet<string>): string | undefined {
    return this.#names.find(name, deleted)
  }

  /** Returns the rows of a scope in an order. */
  sequence(model: ModelName, scope: string, order: Order): Sequence {
    const rows = this.#rows.get(`${model} ${scope}`)
    if (!rows) return emptySequence
    const place = `${model} ${scope} ${order}`
    let sequence = this.#sorted.get(place)
    if (!sequence) {
      const keyOf = (row: Listed): number => sortKey(model, row as never, order, this.#shuffle)
      // Rows of equal keys keep their order of creation.
      sequence = new SortedRows(
        rows.toSorted((a, b) => keyOf(a) - keyOf(b)),
        keyOf,
      )
      this.#sorted.set(place, sequence)
    }
    return sequence
  }
}
