import { ThreadIndex } from '../../mail/threading.js'
import { lastInstant } from '../time/time.js'
import type { Base } from './base.js'
import { Database } from './database.js'
import { addToThreads, indexing, NameIndex, type Order, ordersOf, sortKey } from './indexing.js'
import { type MessageRow, type ModelName, modelNames, type Rows, textLength } from './rows.js'
import {
  firstIndex,
  type Listed,
  lowerBound,
  merge,
  positionOf,
  type Sequence,
  SortedRows,
  withoutHoles,
} from './sequence.js'

/** The model and id of a row. */
interface RowName {
  readonly model: ModelName
  readonly id: string
}

/** The changes of a world as plain data, from which its overlay can be rebuilt over the same base. */
export interface WrittenRows {
  /** The rows that the world wrote, by model, in the order in which they were first written. */
  readonly rows: { readonly [M in ModelName]: readonly Rows[M][] }
  /** The rows of the base that the world deleted. */
  readonly deleted: readonly RowName[]
  /** The ordinal of the next new row, for each model in which rows were written, even if they were deleted again. */
  readonly ordinals: { readonly [M in ModelName]?: number | undefined }
}

/** The changes of a world to its base: a small database with indexes, and the ids deleted from the base. */
export class Overlay {
  /** Finds the threads that later mail joins. */
  readonly threads: ThreadIndex
  readonly #base: Base
  /** The ids of the rows that the world wrote or deleted, by model and scope. */
  readonly #touched = new Map<string, string[]>()
  /** The lists of such scopes that have been read, by model, scope and order. */
  readonly #lists = new Map<string, ListChanges>()
  readonly #names = new NameIndex()
  readonly #database: Database
  readonly #deleted = new Set<string>()
  /** How many characters the texts in the written rows have. */
  size = 0
  /** The number of rows that were written and then deleted: their ordinals are not used again. */
  readonly #dropped = new Map<ModelName, number>()

  constructor(base: Base) {
    this.#base = base
    this.threads = new ThreadIndex(base.index.threads)
    this.#database = new Database({
      created: (model, row) => this.#created(model, row),
      updated: (model, previous, next) => this.#change(model, previous, next),
    })
  }

  /** Returns an overlay with the rows of another one over the same base. */
  static of(base: Base, written: WrittenRows): Overlay {
    const overlay = new Overlay(base)
    for (const model of modelNames) {
      overlay.#database.load(model, written.rows[model] as never)
      for (const row of written.rows[model]) {
        overlay.#created(model, row as never)
        overlay.size += textLength(row)
      }
    }
    overlay.#complete(written)
    return overlay
  }

  #created<M extends ModelName>(model: M, row: Rows[M]): void {
    const shadowed = this.#shadowed(model, row)
    this.#touch(model, row)
    if (shadowed) this.#change(model, shadowed, row)
    else this.#add(model, row)
  }

  /** Returns the row of the base that a row of the world replaces. */
  #shadowed<M extends ModelName>(model: M, { id }: Rows[M]): Rows[M] | undefined {
    return this.#deleted.has(id) ? undefined : this.#base.database.get(model, id)
  }

  /** Applies the deletions and continues the ordinals. */
  #complete({ deleted, ordinals }: Pick<WrittenRows, 'deleted' | 'ordinals'>): void {
    const { database } = this.#base
    for (const model of modelNames) {
      const { [model]: next = database.count(model) } = ordinals
      this.#dropped.set(model, Math.max(0, next - database.count(model) - this.#database.count(model)))
    }
    for (const { model, id } of deleted) {
      const row = database.get(model, id)
      if (row) this.remove(model, row)
    }
  }

  /** Returns the current row of the world; undefined if there is none or it was deleted. */
  get<M extends ModelName>(model: M, id: string): Rows[M] | undefined {
    const row = this.#database.get(model, id)
    if (row || this.#deleted.has(id)) return row
    return this.#base.database.get(model, id)
  }

  /** Returns all rows of a model in unspecified order. */
  *all<M extends ModelName>(model: M): IterableIterator<Rows[M]> {
    for (const row of this.#base.database.all(model)) {
      if (!this.#deleted.has(row.id) && !this.#database.get(model, row.id)) yield row
    }
    yield* this.#database.all(model)
  }

  /** Returns how many rows of a model were ever written, including those deleted again. */
  count(model: ModelName): number {
    return this.#database.count(model) + (this.#dropped.get(model) ?? 0)
  }

  /** Creates the row, or replaces the one with the same id; returns the stored row. */
  put<M extends ModelName>(model: M, row: Rows[M]): Rows[M] {
    this.size += textLength(row) - textLength(this.#database.get(model, row.id))
    const stored = this.#database.put(model, row, row.ordinal)
    this.#deleted.delete(row.id)
    return stored
  }

  remove<M extends ModelName>(model: M, row: Rows[M]): void {
    this.size -= textLength(this.#database.get(model, row.id))
    if (this.#database.delete(model, row.id)) this.#dropped.set(model, (this.#dropped.get(model) ?? 0) + 1)
    if (this.#base.database.get(model, row.id)) this.#deleted.add(row.id)
    this.#touch(model, row)
    this.#takeOut(model, row)
  }

  /** The written rows, and the rows deleted from the base. */
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

  /** Adds a row that the world does not have. */
  #add<M extends ModelName>(model: M, row: Rows[M]): void {
    for (const name of indexing[model].names(row)) this.#names.add(name, row.id)
    // What comes counts as later than all of the base, whatever its date.
    if (model === 'message') addToThreads(this.threads, row as MessageRow, lastInstant + row.ordinal)
    for (const list of this.#listsOf(model, row)) list.insert(row)
  }

  /** Moves a row whose fields changed; its names and its scopes never change. */
  #change<M extends ModelName>(model: M, previous: Rows[M], next: Rows[M]): void {
    for (const list of this.#listsOf(model, next)) {
      if (list.keyOf(previous) === list.keyOf(next)) continue
      list.remove(previous)
      list.insert(next)
    }
  }

  /** Removes a deleted row from every list and releases its names. */
  #takeOut<M extends ModelName>(model: M, row: Rows[M]): void {
    for (const name of indexing[model].names(row)) this.#names.remove(name, row.id)
    for (const list of this.#listsOf(model, row)) list.remove(row)
  }

  /** Returns the id of the first row with a name. */
  find(name: string): string | undefined {
    return this.#base.index.find(name, this.#deleted) ?? this.#names.find(name)
  }

  /** Returns the rows of a scope in an order. */
  sequence(model: ModelName, scope: string, order: Order): Sequence {
    const ids = this.#touched.get(`${model} ${scope}`)
    if (!ids) return this.#base.index.sequence(model, scope, order)
    const place = `${model} ${scope} ${order}`
    let list = this.#lists.get(place)
    if (!list) {
      list = this.#newList(model, scope, order, ids)
      this.#lists.set(place, list)
    }
    return list.sequence
  }

  #newList(model: ModelName, scope: string, order: Order, ids: readonly string[]): ListChanges {
    const { index, shuffle, database } = this.#base
    const keyOf = (row: Listed): number => sortKey(model, row as never, order, shuffle)
    const list = new ListChanges(index.sequence(model, scope, order), keyOf)
    for (const id of new Set(ids)) {
      const [below, own] = [database.get(model, id), this.#database.get(model, id)]
      if (below) list.remove(below)
      if (own) list.insert(own)
    }
    return list
  }

  /** Notes that a row is written or deleted. */
  #touch<M extends ModelName>(model: M, row: Rows[M]): void {
    for (const scope of indexing[model].scopes(row)) {
      const ids = this.#touched.get(`${model} ${scope}`)
      if (ids) ids.push(row.id)
      else this.#touched.set(`${model} ${scope}`, [row.id])
    }
  }

  /** Returns the lists that contain a row, as far as they have been read. */
  #listsOf<M extends ModelName>(model: M, row: Rows[M]): ListChanges[] {
    return indexing[model].scopes(row).flatMap((scope) => {
      return ordersOf(model).flatMap((order) => this.#lists.get(`${model} ${scope} ${order}`) ?? [])
    })
  }
}

/** The changes of a world to one list: its own entries, and the base positions that are no longer valid. */
class ListChanges {
  /** Returns the sort key of a row. */
  readonly keyOf: (row: Listed) => number
  readonly #base: Sequence
  readonly #holes: number[] = []
  readonly #rows: Listed[] = []
  readonly #own: Sequence

  constructor(base: Sequence, keyOf: (row: Listed) => number) {
    this.#base = base
    this.keyOf = keyOf
    this.#own = new SortedRows(this.#rows, keyOf)
  }

  /** The list with its changes. */
  get sequence(): Sequence {
    return merge(withoutHoles(this.#base, this.#holes), this.#own)
  }

  insert(row: Listed): void {
    this.#rows.splice(lowerBound(this.#own, this.keyOf(row), row.ordinal), 0, row)
  }

  remove(row: Listed): void {
    const own = positionOf(this.#own, this.keyOf(row), row.ordinal)
    if (own >= 0) {
      this.#rows.splice(own, 1)
      return
    }
    const position = positionOf(this.#base, this.keyOf(row), row.ordinal)
    const hole = firstIndex(this.#holes, (other) => other > position)
    this.#holes.splice(hole, 0, position)
  }
}
