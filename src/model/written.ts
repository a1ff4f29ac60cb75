import type { Base } from './base.js'
import { createOverlay, type Overlay } from './overlay.js'
import { type ModelName, modelNames, type Rows } from './rows.js'

/** A row by its model and id. */
export interface RowName {
  readonly model: ModelName
  readonly id: string
}

/** What a world wrote: enough to make its overlay again over the same base. */
export interface Written {
  /** The rows it has, those of each model in the order in which they were first written. */
  readonly rows: { readonly [M in ModelName]: readonly Rows[M][] }
  /** The rows of the base it deleted. */
  readonly deleted: readonly RowName[]
  /** The ordinal the next new row gets, of models it wrote rows of; those it deleted again count as well. */
  readonly ordinals: { readonly [M in ModelName]?: number | undefined }
}

/** What is in an overlay; in none, nothing. */
export function writtenIn(base: Base, overlay: Overlay | undefined): Written {
  const rowsOf = <M extends ModelName>(model: M): Rows[M][] =>
    [...(overlay?.database.all(model) ?? [])].filter(({ id }) => !overlay?.deleted.has(id))
  const ordinals = modelNames.flatMap((model): [ModelName, number][] => {
    const count = overlay?.count(model) ?? 0
    return count === 0 ? [] : [[model, base.database.count(model) + count]]
  })
  return {
    rows: Object.fromEntries(modelNames.map((model) => [model, rowsOf(model)])) as unknown as Written['rows'],
    deleted: [...(overlay?.deleted ?? [])].flatMap((id) => nameInBase(base, id) ?? []),
    ordinals: Object.fromEntries(ordinals),
  }
}

/** A row the world wrote itself and deleted again leaves nothing but its ordinal. */
function nameInBase({ database }: Base, id: string): RowName | undefined {
  const model = modelNames.find((name) => database.get(name, id))
  return model && { model, id }
}

/** An overlay with that in it; it has been checked that it fits the base. None, where nothing was written. */
export function overlayWith(base: Base, { rows, deleted, ordinals }: Written): Overlay | undefined {
  if (deleted.length === 0 && Object.keys(ordinals).length === 0) return undefined
  const forgotten = modelNames.map((model): [ModelName, number] => {
    const { [model]: next = base.database.count(model) } = ordinals
    return [model, Math.max(0, next - base.database.count(model) - rows[model].length)]
  })
  const overlay = createOverlay(base, new Map(forgotten))
  for (const model of modelNames) {
    for (const row of rows[model]) overlay.database.put(model, row)
  }
  for (const { model, id } of deleted) {
    const row = base.database.get(model, id)
    if (!row) continue
    overlay.deleted.add(id)
    overlay.index.remove(model, row)
  }
  return overlay
}
