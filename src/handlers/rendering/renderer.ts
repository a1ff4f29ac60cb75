import type { Readings } from '../../contract/gaps.js'
import type { MailboxStore } from '../../model/index.js'
import { createSettle, type NoteReliance, type Reliance, type Settle } from '../../world/index.js'

/** What turning a row into an answer may look at. */
export interface RenderContext {
  readonly store: MailboxStore
  readonly settle: Settle
  /** The address below which stored files are served. */
  readonly base: string
}

/** Turns a row into the object an answer carries. */
export type Render<Row> = (row: Row, context: RenderContext) => object

interface Rendered {
  readonly readings: Readings
  readonly base: string
  /** UTF-8. */
  readonly json: Uint8Array
  readonly reliances: readonly Reliance[]
}

const encoder = new TextEncoder()

/** Rows remembered before the memory starts afresh, so that paging through a million does not keep them all. */
const capacity = 50_000

/**
 * The JSON of rows as they were last rendered. Rows never change in place, so an entry holds as long as the
 * readings and the address do; it also keeps what the rendering relied on.
 */
export class RenderCache {
  #entries = new WeakMap<object, Rendered>()
  #count = 0
  readonly #reliances = new Map<string, readonly Reliance[]>()

  /** The entry of a row, if it was rendered under these readings for this address. */
  get(row: object, readings: Readings, base: string): Rendered | undefined {
    const entry = this.#entries.get(row)
    return entry?.readings === readings && entry.base === base ? entry : undefined
  }

  /** The one list that stands for all equal ones, so that a page notes each only once. */
  share(reliances: readonly Reliance[]): readonly Reliance[] {
    const key = JSON.stringify(reliances)
    const shared = this.#reliances.get(key)
    if (shared) return shared
    this.#reliances.set(key, reliances)
    return reliances
  }

  /** Remembers an entry. */
  set(row: object, entry: Rendered): void {
    if (++this.#count > capacity) {
      this.#entries = new WeakMap()
      this.#count = 1
    }
    this.#entries.set(row, entry)
  }
}

/** Writes rows as JSON for one answer and passes on what that relied on. */
export class Renderer {
  readonly #cache: RenderCache
  readonly #store: MailboxStore
  readonly #readings: Readings
  readonly #base: string
  readonly #note: NoteReliance
  readonly #noted = new Set<readonly Reliance[]>()

  constructor(
    cache: RenderCache,
    world: { readonly store: MailboxStore; readonly readings: Readings },
    base: string,
    note: NoteReliance,
  ) {
    this.#cache = cache
    this.#store = world.store
    this.#readings = world.readings
    this.#base = base
    this.#note = note
  }

  /** One row as JSON, in UTF-8. */
  one<Row extends object>(row: Row, render: Render<Row>): Uint8Array {
    const { json, reliances } = this.#cache.get(row, this.#readings, this.#base) ?? this.#make(row, render)
    if (!this.#noted.has(reliances)) {
      this.#noted.add(reliances)
      for (const reliance of reliances) this.#note(reliance)
    }
    return json
  }

  /** Rows as JSON, one by one. */
  many<Row extends object>(rows: readonly Row[], render: Render<Row>): Uint8Array[] {
    return rows.map((row) => this.one(row, render))
  }

  #make<Row extends object>(row: Row, render: Render<Row>): Rendered {
    const reliances = new Map<string, Reliance>()
    const settle = createSettle(this.#readings, (reliance) => {
      reliances.set(reliance.gap, joinReliances(reliances.get(reliance.gap), reliance))
    })
    const object = render(row, { store: this.#store, settle, base: this.#base })
    const entry: Rendered = {
      readings: this.#readings,
      base: this.#base,
      json: encoder.encode(JSON.stringify(object)),
      reliances: this.#cache.share([...reliances.values()]),
    }
    this.#cache.set(row, entry)
    return entry
  }
}

/** One reliance on a gap from two: `instead` names the readings of both. */
export function joinReliances(before: Reliance | undefined, added: Reliance): Reliance {
  if (!before || added.instead.every((name) => before.instead.includes(name))) return before ?? added
  return { ...before, instead: [...new Set([...before.instead, ...added.instead])] }
}
