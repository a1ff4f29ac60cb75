import type { Readings } from '../../contract/gaps.js'
import type { MailboxStore } from '../../model/index.js'
import { joinReliances, KnownReliances, type NoteReliance, type Reliance } from '../reliances.js'
import { createSettle, createSilentSettle, type Settle } from '../settle.js'

/** The context in which rows are rendered. */
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
  readonly json: Uint8Array<ArrayBuffer>
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
  /** The reliances of rows and answers, which repeat. */
  readonly known = new KnownReliances()
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
  readonly #cache: RenderCache | undefined
  readonly #store: MailboxStore
  readonly #readings: Readings
  readonly #base: string
  readonly #note: NoteReliance
  readonly #noted = new Set<readonly Reliance[]>()

  /** Without a cache it is a rehearsal: nothing is remembered and nothing noted. */
  constructor(
    cache: RenderCache | undefined,
    store: MailboxStore,
    readings: Readings,
    base: string,
    note: NoteReliance,
  ) {
    this.#cache = cache
    this.#store = store
    this.#readings = readings
    this.#base = base
    this.#note = note
  }

  /** One row as JSON, in UTF-8. */
  one<Row extends object>(row: Row, render: Render<Row>): Uint8Array<ArrayBuffer> {
    const { json, reliances } = this.#cache?.get(row, this.#readings, this.#base) ?? this.#make(row, render)
    if (!this.#noted.has(reliances)) {
      this.#noted.add(reliances)
      for (const reliance of reliances) this.#note(reliance, 'shown')
    }
    return json
  }

  many<Row extends object>(rows: readonly Row[], render: Render<Row>): Uint8Array[] {
    return rows.map((row) => this.one(row, render))
  }

  #make<Row extends object>(row: Row, render: Render<Row>): Rendered {
    const cache = this.#cache
    const reliances = new Map<string, Reliance>()
    const note: NoteReliance = (reliance) => {
      reliances.set(reliance.gap, joinReliances(reliances.get(reliance.gap), reliance))
    }
    const settle = cache
      ? createSettle(this.#readings, note, cache.known)
      : createSilentSettle(this.#readings)
    const object = render(row, { store: this.#store, settle, base: this.#base })
    const entry: Rendered = {
      readings: this.#readings,
      base: this.#base,
      json: encoder.encode(JSON.stringify(object)),
      reliances: cache ? cache.share([...reliances.values()]) : none,
    }
    cache?.set(row, entry)
    return entry
  }
}

const none: readonly Reliance[] = []
