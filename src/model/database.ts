import { factory, nullable, primaryKey } from '@mswjs/data'
import { DATABASE_INSTANCE, ENTITY_TYPE, PRIMARY_KEY } from '@mswjs/data/lib/glossary.js'
import { rowShapes, type Unplaced } from './row-shapes.js'
import type { ModelName, Rows } from './rows.js'

const list = () => [] as string[]

/** The six models; relations are plain ids, because the library's relations scan the whole model. */
const definitions = {
  organization: { id: primaryKey(String), ordinal: Number, name: String, api_keys: list },
  identity: {
    id: primaryKey(String),
    ordinal: Number,
    organization_id: String,
    agent_handle: String,
    display_name: nullable(String),
    description: nullable(String),
    mailbox_address: String,
    created_at: Number,
    updated_at: Number,
  },
  thread: {
    id: primaryKey(String),
    ordinal: Number,
    organization_id: String,
    identity_id: String,
    subject: String,
    unread: Boolean,
    answered: Boolean,
    message_count: Number,
    first_message_id: nullable(String),
    last_message_id: nullable(String),
    last_message_at: Number,
    created_at: Number,
  },
  message: {
    id: primaryKey(String),
    ordinal: Number,
    organization_id: String,
    identity_id: String,
    thread_id: String,
    direction: String,
    from: String,
    to: list,
    subject: String,
    text: nullable(String),
    html: nullable(String),
    body_key: nullable(String),
    attachment_ids: list,
    message_id: nullable(String),
    in_reply_to: nullable(String),
    headers: nullable(list),
    created_at: Number,
  },
  attachment: {
    id: primaryKey(String),
    ordinal: Number,
    message_id: String,
    filename: String,
    content_type: String,
    size_bytes: Number,
    content_id: nullable(String),
    content: String,
  },
  webhook: {
    id: primaryKey(String),
    ordinal: Number,
    organization_id: String,
    url: String,
    events: list,
    agent_handle: nullable(String),
    auth_token: nullable(String),
    created_at: Number,
    updated_at: Number,
  },
}

/** What a database tells whoever keeps an index of it. */
export interface DatabaseListener {
  created<M extends ModelName>(model: M, row: Rows[M]): void
  updated<M extends ModelName>(model: M, previous: Rows[M], next: Rows[M]): void
}

/** An in-memory database of the six models; reads by primary key and writes cost O(1). */
export interface Database {
  /**
   * The library's own query interface (`database.models.thread.findMany(…)`); it scans.
   * @internal The library's types do not compile in a project that checks its libraries.
   */
  readonly models: ReturnType<typeof factory<typeof definitions>>
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
  const models = withoutBroadcast(() => factory(definitions))
  const database = models[DATABASE_INSTANCE]
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
    models,
    get: (model, id) => rowsOf(model).get(id),
    all: (model) => rowsOf(model).values(),
    count: (model) => rowsOf(model).size,
    put: (model, row) => void place(model, row, row.ordinal),
    place,
  }
}

/** What the library looks for on each of its entities; the rows of a model inherit it. */
const entityMarks = Object.fromEntries(
  Object.keys(definitions).map((model) => [model, { [ENTITY_TYPE]: model, [PRIMARY_KEY]: 'id' }]),
) as Readonly<Record<ModelName, object>>

/**
 * Where `window` and `BroadcastChannel` both exist (jsdom, happy-dom) the library synchronizes databases of
 * the same id across threads; two simulators must never meet, so the channel is hidden while it looks.
 */
function withoutBroadcast<T>(build: () => T): T {
  const scope = globalThis as { window?: unknown; BroadcastChannel?: unknown }
  const channel = Object.getOwnPropertyDescriptor(scope, 'BroadcastChannel')
  if (scope.window === undefined || !channel?.configurable) return build()
  delete scope.BroadcastChannel
  try {
    return build()
  } finally {
    Object.defineProperty(scope, 'BroadcastChannel', channel)
  }
}
