import { indexing, type Order, type ShuffleKey, sortKey } from './indexing.js'
import type { MessageRow, ModelName, Rows, ThreadRow } from './rows.js'
import { merge, positionOf, type Sequence, withoutHoles } from './sequence.js'

/** A message that came, and the state of its thread before. */
export interface Arrival extends Pick<ThreadRow, 'unread' | 'answered'> {
  readonly message: string
}

/** The store that has the hidden messages. */
interface ReadStore {
  get<M extends ModelName>(model: M, id: string): Rows[M] | undefined
  messages(threadId: string): {
    page(request: { order: 'created'; descending?: boolean; limit: number }): readonly string[]
  }
}

/** A thread with hidden messages, and as it is without them; undefined if it has no others. */
interface ChangedThread {
  readonly row: ThreadRow
  readonly shown: ThreadRow | undefined
}

/** Hides messages that have come: they are not found, and their threads are as if they had not come. */
export class HiddenMessages {
  readonly #messages = new Map<string, MessageRow>()
  readonly #threads = new Map<string, ChangedThread>()
  /** The number of hidden messages by thread. */
  readonly #counts = new Map<string, number>()
  readonly #shuffle: ShuffleKey

  /** `arrivals` are the hidden messages of a store, the earliest first. */
  constructor(store: ReadStore, arrivals: readonly Arrival[], shuffle: ShuffleKey) {
    this.#shuffle = shuffle
    const firsts = new Map<string, Arrival>()
    for (const arrival of arrivals) {
      const row = store.get('message', arrival.message)
      if (!row) continue
      if (!this.#messages.has(row.id)) {
        this.#counts.set(row.thread_id, (this.#counts.get(row.thread_id) ?? 0) + 1)
      }
      this.#messages.set(row.id, row)
      if (!firsts.has(row.thread_id)) firsts.set(row.thread_id, arrival)
    }
    for (const [id, first] of firsts) {
      const row = store.get('thread', id)
      if (row) this.#threads.set(id, { row, shown: this.#withoutHidden(store, row, first) })
    }
  }

  /** Returns whether a row is hidden. */
  hides(model: ModelName, id: string): boolean {
    if (model === 'message') return this.#messages.has(id)
    return model === 'thread' && this.#threads.has(id) && !this.#threads.get(id)?.shown
  }

  /** Returns the row that is shown instead of one that is not hidden. */
  instead<M extends ModelName>(model: M, id: string): Rows[M] | undefined {
    return model === 'thread' ? (this.#threads.get(id)?.shown as Rows[M] | undefined) : undefined
  }

  /** Returns the list of a scope without what is hidden. */
  sequence(whole: Sequence, model: ModelName, scope: string, order: Order): Sequence {
    if (model === 'message') {
      return without(whole, this.#keysOf(model, [...this.#messages.values()], scope, order))
    }
    if (model !== 'thread') return whole
    const changed = [...this.#threads.values()]
    const rest = without(
      whole,
      this.#keysOf(
        model,
        changed.map(({ row }) => row),
        scope,
        order,
      ),
    )
    const shown = changed.flatMap(({ shown }) => shown ?? [])
    return merge(rest, sequenceOf(this.#keysOf(model, shown, scope, order)))
  }

  #keysOf<M extends 'message' | 'thread'>(model: M, rows: readonly Rows[M][], scope: string, order: Order) {
    const own = rows.filter((row) => indexing[model].scopes(row).includes(scope))
    return own.map((row): Place => {
      return { key: sortKey(model, row, order, this.#shuffle), ordinal: row.ordinal, id: row.id }
    })
  }

  #withoutHidden(store: ReadStore, thread: ThreadRow, first: Arrival): ThreadRow | undefined {
    const hidden = this.#counts.get(thread.id) ?? 0
    const all = store.messages(thread.id)
    const isShown = (id: string) => !this.#messages.has(id)
    const bounds = { order: 'created', limit: hidden + 1 } as const
    const last = all.page({ ...bounds, descending: true }).find(isShown)
    const row = last === undefined ? undefined : store.get('message', last)
    if (!row) return undefined
    const { first_message_id: begun } = thread
    return {
      ...thread,
      unread: thread.unread && first.unread,
      answered: thread.answered || first.answered,
      message_count: thread.message_count - hidden,
      first_message_id: begun !== null && isShown(begun) ? begun : (all.page(bounds).find(isShown) ?? null),
      last_message_id: row.id,
      last_message_at: row.created_at,
    }
  }
}

/** The place of a row in a list. */
interface Place {
  readonly key: number
  readonly ordinal: number
  readonly id: string
}

function without(whole: Sequence, places: readonly Place[]): Sequence {
  const holes = places.map(({ key, ordinal }) => positionOf(whole, key, ordinal))
  return withoutHoles(
    whole,
    holes.filter((position) => position >= 0).sort((a, b) => a - b),
  )
}

function sequenceOf(places: readonly Place[]): Sequence {
  const sorted = places.toSorted((a, b) => a.key - b.key || a.ordinal - b.ordinal)
  return {
    length: sorted.length,
    keyAt: (position) => (sorted[position] as Place).key,
    ordinalAt: (position) => (sorted[position] as Place).ordinal,
    ids: (start, count) => sorted.slice(start, start + count).map(({ id }) => id),
  }
}
