import { Database as LibraryDatabase } from '@mswjs/data/lib/db/Database.js'
import { ENTITY_TYPE, PRIMARY_KEY } from '@mswjs/data/lib/glossary.js'
import { once } from '../../base/once.js'
import { withoutStacks } from '../../base/stack.js'
import { type ModelName, modelNames, type Rows, rowSchemas, type Unplaced } from './rows.js'

/** Listens to the events of a database, to maintain its index. */
export interface DatabaseListener {
  created<M extends ModelName>(model: M, row: Rows[M]): void
  updated<M extends ModelName>(model: M, previous: Rows[M], next: Rows[M]): void
}

/**
 * An in-memory database of all models. It uses the library's maps by primary key, so reads and writes cost O(1), but
 * not its query interface, which scans ([why](../../docs/decisions/README.md)).
 */
export class Database {
  // The library makes its id, which nothing uses, of the stack.
  readonly #library = withoutStacks(() => new LibraryDatabase(dictionary))

  /** The listener is called for every row that is created or replaced. */
  constructor(listener: DatabaseListener) {
    // The library emits `create` before it stores the row.
    this.#library.events.on('create', (_source, model, row) => {
      listener.created(model as ModelName, row as never)
    })
    this.#library.events.on('update', (_source, model, previous, next) => {
      listener.updated(model as ModelName, previous as never, next as never)
    })
  }

  get<M extends ModelName>(model: M, id: string): Rows[M] | undefined {
    return this.#rows(model).get(id)
  }

  /** Returns all rows of a model in order of creation. */
  all<M extends ModelName>(model: M): IterableIterator<Rows[M]> {
    return this.#rows(model).values()
  }

  count(model: ModelName): number {
    return this.#rows(model).size
  }

  /** Creates a row, or replaces the one with the same id; returns the stored row. */
  put<M extends ModelName>(model: M, row: Unplaced<Rows[M]>, ordinal: number): Rows[M] {
    const entity = new (rowClass(model))(row, ordinal)
    const previous = this.#rows(model).get(entity.id)
    if (previous) this.#library.update(model, previous as never, entity as never)
    else this.#library.create(model, entity as never)
    return entity
  }

  /** Takes over rows, those of another database as they are, which are never modified; the listener is not called. */
  load<M extends ModelName>(model: M, rows: readonly Rows[M][]): void {
    const stored = this.#rows(model)
    const Row = rowClass(model)
    for (const row of rows) stored.set(row.id, row instanceof Row ? row : new Row(row, row.ordinal))
  }

  /** Deletes a row; returns whether there was one. */
  delete(model: ModelName, id: string): boolean {
    const found = this.#library.has(model, id)
    if (found) this.#library.delete(model, id)
    return found
  }

  #rows<M extends ModelName>(model: M): Map<string, Rows[M]> {
    return this.#library.getModel(model) as unknown as Map<string, Rows[M]>
  }
}

/** The models as the library requires them; it only needs their names. */
const dictionary = Object.fromEntries(modelNames.map((model) => [model, {}])) as Record<
  ModelName,
  Record<string, never>
>

/**
 * The classes of rows, with the properties that the library requires on its entities. The constructor copies the fields
 * in the order of the schema, so that all rows of a model have the same layout: a spread row takes three times the memory.
 */
const entityClasses = once(() => Object.fromEntries(modelNames.map((model) => [model, entityClass(model)])))

function rowClass<M extends ModelName>(model: M): new (row: object, ordinal: number) => Rows[M] {
  return entityClasses()[model] as never
}

function entityClass(model: ModelName): new (row: object, ordinal: number) => object {
  const fields = Object.keys(rowSchemas[model]().shape).filter((field) => field !== 'ordinal')
  return class Row {
    constructor(row: object, ordinal: number) {
      for (const field of fields)
        (this as Record<string, unknown>)[field] = (row as Record<string, unknown>)[field]
      ;(this as Record<string, unknown>)['ordinal'] = ordinal
    }

    get [ENTITY_TYPE](): string {
      return model
    }

    get [PRIMARY_KEY](): string {
      return 'id'
    }
  }
}
