import type { Base } from './base.js'
import { Database } from './database.js'
import { indexing, NameIndex, type Order, ordersOf, sortKey, ThreadLinks } from './indexing.js'
import { type ModelName, modelNames, type Rows } from './rows.js'
import { firstIndex, lowerBound, merge, positionOf, type Sequence, withoutHoles } from './sequence.js'

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
  readonly #threadLinks = new ThreadLinks()
  /** The models whose rows were loaded, and are indexed when an index is first needed. */
  readonly #unindexed = new Set<ModelName>()
  /** The rows that were loaded, by model and scope: a list of them is made when it is first read. */
  readonly #loaded = new Map<string, Rows[ModelName][]>()
  readonly #base: Base
  readonly #changes = new Map<string, ListChanges>()
  readonly #names = new NameIndex()
  readonly #database: Database
  readonly #deleted = new Set<string>()
  /** The number of rows that were written and then deleted: their ordinals are not used again. */
  readonly #dropped = new Map<ModelName, number>()

  constructor(base: Base) {
    this.#base = base
    // What is written among rows that nobody has looked for is indexed with them.
    this.#database = new Database({
      created: (model, row) => {
        if (!this.#unindexed.has(model)) this.#created(model, row)
      },
      updated: (model, previous, next) => {
        if (!this.#unindexed.has(model)) this.#change(model, previous, next)
      },
    })
  }

  /** Returns an overlay with the rows of another one over the same base. */
  static of(base: Base, written: WrittenRows): Overlay {
    const overlay = new Overlay(base)
    for (const model of modelNames) {
      overlay.#database.load(model, written.rows[model] as never)
      if (written.rows[model].length > 0) overlay.#unindexed.add(model)
    }
    overlay.complete(written)
    return overlay
  }

  /** The world's changes to the links of the base. */
  get threadLinks(): ThreadLinks {
    this.#index('message')
    return this.#threadLinks
  }

  /** Indexes the rows of a model that were loaded, and those that were written since. */
  #index<M extends ModelName>(model: M): void {
    if (!this.#unindexed.delete(model)) return
    const replacing: [former: Rows[M], row: Rows[M]][] = []
    for (const row of this.#database.all(model)) {
      const shadowed = this.#shadowed(model, row)
      if (shadowed) replacing.push([shadowed, row])
      else {
        this.#name(model, row)
        for (const scope of indexing[model].scopes(row)) this.#load(`${model} ${scope}`, row)
      }
    }
    for (const [former, row] of replacing) this.#change(model, former, row)
  }

  #load(place: string, row: Rows[ModelName]): void {
    const rows = this.#loaded.get(place)
    if (rows) rows.push(row)
    else this.#loaded.set(place, [row])
  }

  #created<M extends ModelName>(model: M, row: Rows[M]): void {
    const shadowed = this.#shadowed(model, row)
    if (shadowed) this.#change(model, shadowed, row)
    else this.#add(model, row)
  }

  /** Returns the row of the base that a row of the world replaces. */
  #shadowed<M extends ModelName>(model: M, { id }: Rows[M]): Rows[M] | undefined {
    return this.#deleted.has(id) ? undefined : this.#base.database.get(model, id)
  }

  /** Completes an overlay whose rows were written again: applies the deletions and continues the ordinals. */
  complete({ deleted, ordinals }: Pick<WrittenRows, 'deleted' | 'ordinals'>): void {
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

  /** Creates the row, or replaces the one with the same id. */
  put<M extends ModelName>(model: M, row: Rows[M]): void {
    this.#database.put(model, row, row.ordinal)
    this.#deleted.delete(row.id)
  }

  remove<M extends ModelName>(model: M, row: Rows[M]): void {
    this.#index(model)
    if (this.#database.delete(model, row.id)) this.#dropped.set(model, (this.#dropped.get(model) ?? 0) + 1)
    if (this.#base.database.get(model, row.id)) this.#deleted.add(row.id)
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
    this.#name(model, row)
    for (const [changes, entry] of this.#listsOf(model, row)) changes.insert(entry)
  }

  #name<M extends ModelName>(model: M, row: Rows[M]): void {
    for (const name of indexing[model].names(row)) this.#names.add(name, row.id)
    const links = indexing[model].links?.(row)
    if (links) this.#threadLinks.add(links, 1)
  }

  /** Moves a row whose fields changed; its names and the number of its scopes never change. */
  #change<M extends ModelName>(model: M, previous: Rows[M], next: Rows[M]): void {
    const { links, scopes } = indexing[model]
    if (links && scopes(previous).join() !== scopes(next).join()) {
      this.#threadLinks.add(links(previous), -1)
      this.#threadLinks.add(links(next), 1)
    }
    const before = this.#listsOf(model, previous)
    for (const [place, [list, entry]] of this.#listsOf(model, next).entries()) {
      const [formerList, formerEntry] = before[place] as [ListChanges, Entry]
      if (list === formerList && entry.key === formerEntry.key) continue
      formerList.remove(formerEntry)
      list.insert(entry)
    }
  }

  /** Removes a deleted row from every list and releases its names. */
  #takeOut<M extends ModelName>(model: M, row: Rows[M]): void {
    for (const name of indexing[model].names(row)) this.#names.remove(name, row.id)
    const links = indexing[model].links?.(row)
    if (links) this.#threadLinks.add(links, -1)
    for (const [changes, entry] of this.#listsOf(model, row)) changes.remove(entry)
  }

  /** Returns the id of the first row of a model with a name. */
  find(model: ModelName, name: string): string | undefined {
    this.#index(model)
    return this.#base.index.find(name, this.#deleted) ?? this.#names.find(name)
  }

  /** Returns the rows of a scope in an order. */
  sequence(model: ModelName, scope: string, order: Order): Sequence {
    this.#index(model)
    const isChanged = this.#changes.has(`${model} ${scope} ${order}`) || this.#loaded.has(`${model} ${scope}`)
    return isChanged
      ? this.#changesOf(model, scope, order).sequence
      : this.#base.index.sequence(model, scope, order)
  }

  /** Returns the lists that contain a row, in each order, with its entry in them. */
  #listsOf<M extends ModelName>(model: M, row: Rows[M]): [ListChanges, Entry][] {
    return ordersOf(model).flatMap((order) => {
      const entry = this.#entryOf(model, row, order)
      return indexing[model].scopes(row).map((scope): [ListChanges, Entry] => {
        return [this.#changesOf(model, scope, order), entry]
      })
    })
  }

  #entryOf<M extends ModelName>(model: M, row: Rows[M], order: Order): Entry {
    const { id, ordinal } = row
    return { key: sortKey(model, row, order, this.#base.shuffle), ordinal, id }
  }

  #changesOf<M extends ModelName>(model: M, scope: string, order: Order): ListChanges {
    const place = `${model} ${scope} ${order}`
    let changes = this.#changes.get(place)
    if (!changes) {
      const loaded = (this.#loaded.get(`${model} ${scope}`) as Rows[M][] | undefined) ?? []
      changes = new ListChanges(
        () => this.#base.index.sequence(model, scope, order),
        () => loaded.map((row) => this.#entryOf(model, row, order)),
      )
      this.#changes.set(place, changes)
    }
    return changes
  }
}

interface Entry {
  readonly key: number
  readonly ordinal: number
  readonly id: string
}

/** The changes of a world to one list: its own entries, and the base positions that are no longer valid. */
class ListChanges {
  readonly #base: () => Sequence
  readonly #loaded: () => readonly Entry[]
  readonly #holes: number[] = []
  readonly #own: Sequence
  #entries: Entry[] | undefined
  /** Entries that are not yet sorted: a long story adds many before the list is read. */
  #added: Entry[] = []

  /** Both are called when they are first needed: `base` returns the list of the base, `loaded` the entries it begins with. */
  constructor(base: () => Sequence, loaded: () => readonly Entry[]) {
    this.#base = base
    this.#loaded = loaded
    const entries = () => this.#sorted()
    this.#own = {
      get length() {
        return entries().length
      },
      keyAt: (position) => (entries()[position] as Entry).key,
      ordinalAt: (position) => (entries()[position] as Entry).ordinal,
      ids: (start, count) =>
        entries()
          .slice(start, start + count)
          .map((entry) => entry.id),
    }
  }

  /** The list with its changes. */
  get sequence(): Sequence {
    return merge(withoutHoles(this.#base(), this.#holes), this.#own)
  }

  insert(entry: Entry): void {
    this.#added.push(entry)
  }

  remove({ key, ordinal }: Entry): void {
    const own = positionOf(this.#own, key, ordinal)
    if (own >= 0) {
      this.#sorted().splice(own, 1)
      return
    }
    const position = positionOf(this.#base(), key, ordinal)
    const hole = firstIndex(this.#holes, (other) => other > position)
    this.#holes.splice(hole, 0, position)
  }

  #sorted(): Entry[] {
    this.#entries ??= [...this.#loaded()].sort(inOrder)
    const [entries, added] = [this.#entries, this.#added]
    if (added.length === 0) return entries
    this.#added = []
    // The engine's sort merges two sorted or nearly sorted runs in linear time.
    if (added.length > 8) this.#entries = [...entries, ...added.sort(inOrder)].sort(inOrder)
    else for (const entry of added) entries.splice(lowerBound(this.#own, entry.key, entry.ordinal), 0, entry)
    return this.#entries
  }
}

function inOrder(a: Entry, b: Entry): number {
  return a.key - b.key || a.ordinal - b.ordinal
}
