import { Database as LibraryDatabase } from '@mswjs/data/lib/db/Database.js'
import { ENTITY_TYPE, PRIMARY_KEY } from '@mswjs/data/lib/glossary.js'
import { rowShapes, type Unplaced } from './row-shapes.js'
import { type ModelName, modelNames, type Rows } from './rows.js'

/** What a database tells whoever keeps an index of it. */
export interface DatabaseListener {
  created<M extends ModelName>(model: M, row: Rows[M]): void
  updated<M extends ModelName>(model: M, previous: Rows[M], next: Rows[M]): void
}

/** An in-memory database of the six models; reads by primary key and writes cost O(1). */
export interface Database {
  /**
   * The library's own maps of entities by primary key, for whoever puts its query interface over them.
   * @internal
   */
  readonly entities: Readonly<Record<ModelName, ReadonlyMap<string, object>>>
  get<M extends ModelName>(model: M, id: string): Rows[M] | undefined
  all<M extends ModelName>(model: M): IterableIterator<Rows[M]>
  count(model: ModelName): number
  /** Creates the row, or replaces the one with the same id. */
  put<M extends ModelName>(model: M, row: Rows[M]): void
  /** Creates a row, or replaces the one with the same id, and gives it back as the database has it. */
  place<M extends ModelName>(model: M, row: Unplaced<Rows[M]>, ordinal: number): Rows[M]
}

/** Makes an empty database that reports its own create and update events to the listener. */
export function createDatabase(listener: DatabaseListener): Database {
  // The library's `factory` would load an MSW of its own, GraphQL and queries that scan: 580 modules instead of 8.
  const database = new LibraryDatabase(dictionary)
  // Events carry the rows themselves, not copies fit for another thread; there is no channel to one.
  Object.assign(database, { serializeEntity: <E>(entity: E): E => entity })
  const rowsOf = <M extends ModelName>(model: M) =>
    database.getModel(model) as unknown as Map<string, Rows[M]>
  // A create comes before the row is stored.
  database.events.on('create', (_source, model, row) => {
    listener.created(model as ModelName, row as never)
  })
  database.events.on('update', (_source, model, previous, next) => {
    listener.updated(model as ModelName, previous as never, next as never)
  })
  const place: Database['place'] = (model, row, ordinal) => {
    const entity = Object.setPrototypeOf(rowShapes[model](row, ordinal), entityMarks[model])
    const previous = rowsOf(model).get(row.id)
    if (previous) database.update(model, previous as never, entity)
    else database.create(model, entity)
    return entity
  }
  return {
    entities: Object.fromEntries(modelNames.map((model) => [model, rowsOf(model)])) as never,
    get: (model, id) => rowsOf(model).get(id),
    all: (model) => rowsOf(model).values(),
    count: (model) => rowsOf(model).size,
    put: (model, row) => void place(model, row, row.ordinal),
    place,
  }
}

/** All that a database of the library asks of its models: their names. */
const dictionary = Object.fromEntries(modelNames.map((model) => [model, {}])) as Record<
  ModelName,
  Record<string, never>
>

/** What the library looks for on each of its entities; the rows of a model inherit it. */
const entityMarks = Object.fromEntries(
  modelNames.map((model) => [model, { [ENTITY_TYPE]: model, [PRIMARY_KEY]: 'id' }]),
) as Readonly<Record<ModelName, object>>
