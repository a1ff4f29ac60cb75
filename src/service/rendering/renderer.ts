import { encodeJson } from '../../base/json.js'
import type { ExtensionFields } from '../../contract/extensions.js'
import type { Assumptions } from '../../contract/gaps.js'
import {
  createSettle,
  createSilentSettle,
  joinReliances,
  type NoteReliance,
  type Reliance,
  type Settle,
} from '../assumptions/settle.js'
import type { MailboxStore } from '../model/mailbox-store.js'

/** What is needed to render a row. */
export interface RenderContext {
  readonly store: MailboxStore
  readonly settle: Settle
  /** The base URL of stored files. */
  readonly base: string
  /** The fields that the world's extensions add. */
  readonly fields: readonly ExtensionFields[]
}

/** Converts a row to the object in a response. */
export type Render<Row> = (row: Row, context: RenderContext) => object

interface Rendered {
  readonly base: string
  readonly fields: RenderContext['fields']
  /** UTF-8. */
  readonly json: Uint8Array<ArrayBuffer>
  readonly reliances: readonly Reliance[]
}

/** Rendered rows before the cache is emptied, so that paging through a million rows does not keep them all. */
const capacity = 50_000

type RenderedRows = WeakMap<object, Rendered>

/**
 * Caches the JSON of rows under the assumptions they were rendered with, and their reliances. Rows never change in place,
 * so an entry is valid as long as the base URL and the added fields are the same.
 */
export class RenderCache {
  #entries = new WeakMap<Assumptions, RenderedRows>()
  #count = 0

  /** Returns the rows that were rendered under these assumptions. */
  under(assumptions: Assumptions): RenderedRows {
    const known = this.#entries.get(assumptions)
    if (known) return known
    const rows: RenderedRows = new WeakMap()
    this.#entries.set(assumptions, rows)
    return rows
  }

  /** Counts a cached row, and empties the cache when it is full. */
  noteOne(): void {
    if (++this.#count <= capacity) return
    this.#entries = new WeakMap()
    this.#count = 0
  }
}

/** The parts of a world that rows are rendered with. */
interface RenderedWorld extends Pick<RenderContext, 'store'> {
  readonly assumptions: Assumptions
  readonly extensions: Pick<RenderContext, 'fields'>
}

/** Renders rows as JSON for one response, and notes the reliances. */
export class Renderer {
  readonly #cache: RenderCache | undefined
  readonly #rows: RenderedRows | undefined
  readonly #store: MailboxStore
  readonly #assumptions: Assumptions
  readonly #base: string
  readonly #fields: RenderContext['fields']
  readonly #note: NoteReliance

  /** Without a cache, as in a rehearsal, it neither caches rows nor notes reliances. */
  constructor(
    cache: RenderCache | undefined,
    { store, assumptions, extensions: { fields } }: RenderedWorld,
    base: string,
    note: NoteReliance,
  ) {
    this.#cache = cache
    this.#rows = cache?.under(assumptions)
    this.#store = store
    this.#assumptions = assumptions
    this.#base = base
    this.#fields = fields
    this.#note = note
  }

  /** Returns a row as JSON in UTF-8. */
  one<Row extends object>(row: Row, render: Render<Row>): Uint8Array<ArrayBuffer> {
    const known = this.#rows?.get(row)
    const isValid = known?.base === this.#base && known.fields === this.#fields
    const { json, reliances } = isValid ? known : this.#make(row, render)
    for (const reliance of reliances) this.#note(reliance, 'certain')
    return json
  }

  /** Returns rows as JSON in UTF-8. */
  many<Row extends object>(rows: readonly Row[], render: Render<Row>): Uint8Array[] {
    return rows.map((row) => this.one(row, render))
  }

  #make<Row extends object>(row: Row, render: Render<Row>): Rendered {
    const cache = this.#cache
    const reliances = new Map<string, Reliance>()
    const note: NoteReliance = (reliance) => {
      reliances.set(reliance.gap, joinReliances(reliances.get(reliance.gap), reliance))
    }
    const settle = cache ? createSettle(this.#assumptions, note) : createSilentSettle(this.#assumptions)
    const [base, fields] = [this.#base, this.#fields]
    const object = render(row, { store: this.#store, settle, base, fields })
    const entry: Rendered = {
      base,
      fields,
      json: encodeJson(object),
      reliances: [...reliances.values()],
    }
    this.#rows?.set(row, entry)
    cache?.noteOne()
    return entry
  }
}
