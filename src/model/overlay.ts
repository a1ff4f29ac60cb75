import type { Base } from './base.js'
import { Database } from './database.js'
import { OverlayIndex } from './overlay-index.js'
import { type ModelName, modelNames, type Rows } from './rows.js'

/** A row by its model and id. */
interface RowName {
  readonly model: ModelName
  readonly id: string
}

/** The rows that a world wrote, from which its overlay can be made again over the same base. */
export interface WrittenRows {
  /** The rows it has, those of each model in the order in which they were first written. */
  readonly rows: { readonly [M in ModelName]: readonly Rows[M][] }
  /** The rows of the base it deleted. */
  readonly deleted: readonly RowName[]
  /** The ordinal the next new row gets, of models it wrote rows of; those it deleted again count as well. */
  readonly ordinals: { readonly [M in ModelName]?: number | undefined }
}

/** The changes of a world over its base: a small database with indexes, and the deleted ids of the base. */
export class Overlay {
  readonly index: OverlayIndex
  readonly #base: Base
  readonly #database: Database
  readonly #deleted = new Set<string>()
  /** How many rows were written and are gone: their ordinals are not given twice. */
  readonly #gone = new Map<ModelName, number>()

  constructor(base: Base) {
    this.#base = base
    this.index = new OverlayIndex(base.index, base.shuffle, this.#deleted)
    this.#database = new Database({
      created: (model, row) => {
        const shadowed = this.#deleted.has(row.id) ? undefined : base.database.get(model, row.id)
        if (shadowed) this.index.change(model, shadowed, row)
        else this.index.add(model, row)
      },
      updated: (model, previous, next) => this.index.change(model, previous, next),
    })
  }

  /** Returns an overlay with those rows; it has been checked that they fit the base. None, where nothing was written. */
  static of(base: Base, { rows, deleted, ordinals }: WrittenRows): Overlay | undefined {
    if (deleted.length === 0 && Object.keys(ordinals).length === 0) return undefined
    const overlay = new Overlay(base)
    for (const model of modelNames) {
      for (const row of rows[model]) overlay.put(model, row)
      const { [model]: next = base.database.count(model) } = ordinals
      overlay.#gone.set(model, Math.max(0, next - base.database.count(model) - rows[model].length))
    }
    for (const { model, id } of deleted) {
      const row = base.database.get(model, id)
      if (row) overlay.remove(model, row)
    }
    return overlay
  }

  /** Returns the row as the world has it; undefined where there is none, or it was deleted. */
  get<M extends ModelName>(model: M, id: string): Rows[M] | undefined {
    const row = this.#database.get(model, id)
    if (row || this.#deleted.has(id)) return row
    return this.#base.database.get(model, id)
  }

  /** Returns every row of a model, in no promised order. */
  *all<M extends ModelName>(model: M): IterableIterator<Rows[M]> {
    for (const row of this.#base.database.all(model)) {
      if (!this.#deleted.has(row.id) && !this.#database.get(model, row.id)) yield row
    }
    yield* this.#database.all(model)
  }

  /** Returns how many rows of a model were ever written, those deleted again included. */
  count(model: ModelName): number {
    return this.#database.count(model) + (this.#gone.get(model) ?? 0)
  }

  /** Creates the row, or replaces the one with the same id. */
  put<M extends ModelName>(model: M, row: Rows[M]): void {
    this.#database.put(model, row, row.ordinal)
    this.#deleted.delete(row.id)
  }

  remove<M extends ModelName>(model: M, row: Rows[M]): void {
    if (this.#database.delete(model, row.id)) this.#gone.set(model, (this.#gone.get(model) ?? 0) + 1)
    if (this.#base.database.get(model, row.id)) this.#deleted.add(row.id)
    this.index.remove(model, row)
  }

  /** The rows that were written, and the names of those that were deleted of the base. */
  get written(): WrittenRows {
    const { database } = this.#base
    const rows = modelNames.map((model) => [model, [...this.#database.all(model)]])
    const ordinals = modelNames.flatMap((model) =>
      this.count(model) === 0 ? [] : [[model, database.count(model) + this.count(model)]],
    )
    const deleted = [...this.#deleted].flatMap((id) => {
      const model = modelNames.find((name) => database.get(name, id))
      return model ? [{ model, id }] : []
    })
    return { rows: Object.fromEntries(rows), deleted, ordinals: Object.fromEntries(ordinals) }
  }
}
