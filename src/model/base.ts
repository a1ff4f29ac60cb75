import { BaseIndex } from './base-index.js'
import { createDatabase, type Database } from './database.js'
import type { ShuffleKey } from './indexing.js'
import type { Unplaced } from './row-shapes.js'
import type { ModelName, Rows } from './rows.js'

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
    this.#database = createDatabase({
      created: (model, row) => this.#index.add(model, row),
      updated: (model) => {
        throw new Error(`A base does not change once a row is in it: ${model}.`)
      },
    })
  }

  /** Adds a row and gives it back; its ordinal is its place among those of its model. */
  add<M extends ModelName>(model: M, row: Unplaced<Rows[M]>): Rows[M] {
    return this.#database.place(model, row, this.#database.count(model))
  }

  /** How many rows of a model are in. */
  count(model: ModelName): number {
    return this.#database.count(model)
  }

  /** Whether a row of that name is in already; see `nameOf`. */
  has(name: string): boolean {
    return this.#index.find(name) !== undefined
  }

  /** The finished base. */
  build(bodies: BodySource): Base {
    return { database: this.#database, index: this.#index, bodies, shuffle: this.#shuffle }
  }
}
