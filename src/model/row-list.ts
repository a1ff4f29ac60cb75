import type { BaseIndex } from './base-index.js'
import { hasOrder, type Order } from './indexing.js'
import type { OverlayIndex } from './overlay-index.js'
import type { ModelName } from './rows.js'
import { emptySequence, merge, type Sequence } from './sequence.js'

/** Where a page begins and which way it runs. */
export interface PageRequest {
  readonly order: Order
  readonly descending?: boolean
  readonly offset: number
  readonly limit: number
}

/** A list of rows that is never built: counting costs O(1), a page O(page + log n). */
export class RowList {
  readonly #model: ModelName
  readonly #scopes: readonly string[]
  readonly #index: BaseIndex | OverlayIndex

  /** The rows of a model that belong to any of the scopes, named by id. */
  constructor(model: ModelName, scopes: readonly string[], index: BaseIndex | OverlayIndex) {
    this.#model = model
    this.#scopes = scopes
    this.#index = index
  }

  /** How many rows there are. */
  get count(): number {
    return this.#sequence('created').length
  }

  /** The ids of one page; past the end it is empty. @throws RangeError for an order the model does not have */
  page({ order, descending, offset, limit }: PageRequest): string[] {
    const sequence = this.#sequence(order)
    const count = Math.max(0, Math.min(limit, sequence.length - offset))
    if (count === 0) return []
    return descending
      ? sequence.ids(sequence.length - offset - count, count).reverse()
      : sequence.ids(offset, count)
  }

  #sequence(order: Order): Sequence {
    const model = this.#model
    if (!hasOrder(model, order)) throw new RangeError(`Lists of ${model} rows have no order "${order}".`)
    return this.#scopes.map((scope) => this.#index.sequence(model, scope, order)).reduce(merge, emptySequence)
  }
}
