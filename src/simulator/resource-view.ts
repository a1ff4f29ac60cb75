import type { IdentityRow, ModelName, Rows } from '../model/index.js'
import { CommandError, createSilentSettle, existing, type Render, type World } from '../world/index.js'

/** The rows of a world, shown as its answers would show them, without noting any reliance. */
export class ResourceView {
  readonly world: World
  readonly #base: string

  /** `base` is the address below which stored files are served. */
  constructor(world: World, base: string) {
    this.world = world
    this.#base = base
  }

  /** Returns the row of that id. @throws CommandError `not-found` */
  row<M extends ModelName>(model: M, id: string): Rows[M] {
    return existing(this.world, model, id)
  }

  /** Returns the agent of that handle, with or without an `@`. @throws CommandError `not-found` */
  agent(handle: string): IdentityRow {
    const row = this.world.store.identityAnywhere(handle.replace(/^@/, ''))
    if (row) return row
    throw new CommandError('not-found', `There is no agent "${handle}" in this world.`)
  }

  /** Renders a row as an answer carries it. */
  show<Row extends object, Resource>(row: Row, render: Render<Row>): Resource {
    const { store, readings } = this.world
    const settle = createSilentSettle(readings)
    return plainCopy(render(row, { store, settle, base: this.#base })) as Resource
  }

  /** Returns the ids of all organizations, or of the first alone. */
  organizations(everywhere = true): string[] {
    const { store } = this.world
    return everywhere ? [...store.all('organization')].map(({ id }) => id) : [store.firstOrganization().id]
  }
}

/** Copies what an answer carries as JSON would, but for its texts, which may be large and cannot be changed. */
function plainCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plainCopy)
  const present = Object.entries(value).filter(([, held]) => held !== undefined)
  return Object.fromEntries(present.map(([name, held]) => [name, plainCopy(held)]))
}
