import type { Base } from './base.js'
import { createDatabase, type Database } from './database.js'
import { OverlayIndex } from './overlay-index.js'
import type { ModelName } from './rows.js'

/** What a world wrote: a small database of its own, its indexes, and the ids it deleted. */
export interface Overlay {
  readonly database: Database
  readonly index: OverlayIndex
  readonly deleted: Set<string>
  /** How many rows of a model were ever written, those deleted again included. */
  count(model: ModelName): number
}

/** Makes an empty overlay. `forgotten` counts rows, written and deleted again, whose ordinals are not given twice. */
export function createOverlay(base: Base, forgotten: ReadonlyMap<ModelName, number> = new Map()): Overlay {
  const deleted = new Set<string>()
  const index = new OverlayIndex(base.index, base.shuffle, deleted)
  const database = createDatabase({
    created: (model, row) => {
      const shadowed = deleted.has(row.id) ? undefined : base.database.get(model, row.id)
      if (shadowed) index.change(model, shadowed, row)
      else index.add(model, row)
    },
    updated: (model, previous, next) => {
      if (deleted.has(next.id)) index.add(model, next)
      else index.change(model, previous, next)
    },
  })
  const count = (model: ModelName): number => database.count(model) + (forgotten.get(model) ?? 0)
  return { database, index, deleted, count }
}
