import type { ExtensionFields } from '../../contract/extensions.js'
import type { Assumptions } from '../../contract/gaps.js'
import {
  createSettle,
  joinReliances,
  type NoteReliance,
  type Reliance,
  type Settle,
} from '../assumptions/settle.js'
import type { MailboxStore } from '../model/mailbox-store.js'

const encoder = new TextEncoder()

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
  readonly json: Uint8Array<ArrayBuffer>
  readonly reliances: readonly Reliance[]
}

/**
 * The rows that were rendered under each choice of assumptions, with their reliances. Rows never change in place, so an
 * entry is valid as long as the base URL and the added fields are the same.
 */
export type RenderCache = WeakMap<Assumptions, WeakMap<object, Rendered>>

/** The parts of a world that rows are rendered with. */
interface RenderedWorld extends Pick<RenderContext, 'store'> {
  readonly assumptions: Assumptions
  readonly extensions: Pick<RenderContext, 'fields'>
}

/** Renders rows as JSON for one response, and notes the reliances. */
export class Renderer {
  readonly #rows: WeakMap<object, Rendered> | undefined
  readonly #world: RenderedWorld
  readonly #base: string
  readonly #note: NoteReliance

  /** Without a cache, as in a rehearsal, it neither caches rows nor notes reliances. */
  constructor(cache: RenderCache | undefined, world: RenderedWorld, base: string, note: NoteReliance) {
    const { assumptions } = world
    this.#rows = cache?.get(assumptions) ?? (cache && new WeakMap())
    if (this.#rows) cache?.set(assumptions, this.#rows)
    this.#world = world
    this.#base = base
    this.#note = note
  }

  /** Returns a row as JSON in UTF-8. */
  one<Row extends object>(row: Row, render: Render<Row>): Uint8Array<ArrayBuffer> {
    const known = this.#rows?.get(row)
    const isValid = known?.base === this.#base && known.fields === this.#world.extensions.fields
    const { json, reliances } = isValid ? known : this.#make(row, render)
    for (const reliance of reliances) this.#note(reliance, 'certain')
    return json
  }

  /** Returns rows as JSON in UTF-8. */
  many<Row extends object>(rows: readonly Row[], render: Render<Row>): Uint8Array<ArrayBuffer>[] {
    return rows.map((row) => this.one(row, render))
  }

  #make<Row extends object>(row: Row, render: Render<Row>): Rendered {
    const {
      store,
      assumptions,
      extensions: { fields },
    } = this.#world
    const reliances = new Map<string, Reliance>()
    const note: NoteReliance = (reliance) => {
      reliances.set(reliance.gap, joinReliances(reliances.get(reliance.gap), reliance))
    }
    const settle = createSettle(assumptions, this.#rows ? note : undefined)
    const base = this.#base
    const json = encoder.encode(JSON.stringify(render(row, { store, settle, base, fields })))
    const entry = { base, fields, json, reliances: [...reliances.values()] }
    this.#rows?.set(row, entry)
    return entry
  }
}
