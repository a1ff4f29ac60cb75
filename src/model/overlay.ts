import type { Base } from './base.js'
import { createDatabase, type Database } from './database.js'
import { OverlayIndex } from './overlay-index.js'

/** What a world wrote: a small database of its own, its indexes, and the ids it deleted. */
export interface Overlay {
  readonly database: Database
  readonly index: OverlayIndex
  readonly deleted: Set<string>
}

/** Makes the overlay of a world that has not written anything yet. */
export function createOverlay(base: Base): Overlay {
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
  return { database, index, deleted }
}
