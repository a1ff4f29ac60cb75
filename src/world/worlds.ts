import type { AttachmentRow, OrganizationRow } from '../model/index.js'
import type { ClockMode } from './clock.js'
import { idOf } from './ids.js'
import { type Beginning, World } from './world.js'

/** Where a request goes: a world and the organization its key belongs to. */
export interface Destination {
  readonly world: World
  /** Undefined when the key is none that a scenario or a fork lists. */
  readonly organization: OrganizationRow | undefined
}

/** A world beside the first, with the API key that selects it. */
export interface ForkedWorld {
  readonly world: World
  readonly apiKey: string
}

/** All worlds of one simulator: the first, and those forked from it, each behind its own API key. */
export class Worlds {
  readonly first: World
  readonly #forks = new Map<string, ForkedWorld>()
  readonly #byKey = new Map<string, World>()
  #count = 1

  constructor(beginning: Beginning, clock: ClockMode) {
    this.first = new World('world_1', beginning, clock)
  }

  /** A new world at the scenario's start; it shares the base and costs what it changes. */
  fork(clock?: ClockMode): ForkedWorld {
    return this.add(this.first.beginning, clock)
  }

  /** A new world with a story of its own, behind a key of its own. */
  add(beginning: Beginning, clock: ClockMode = this.first.clock.mode): ForkedWorld {
    const id = `world_${++this.#count}`
    const world = new World(id, beginning, clock)
    const apiKey = `sim_${idOf('organization', this.first.beginning.seed, id).slice(4)}`
    const forked = { world, apiKey }
    this.#forks.set(id, forked)
    this.#byKey.set(apiKey, world)
    return forked
  }

  /** The world of that id beside the first. */
  get(id: string): ForkedWorld | undefined {
    return this.#forks.get(id)
  }

  /** The worlds beside the first, the oldest first. */
  forks(): ForkedWorld[] {
    return [...this.#forks.values()]
  }

  /** Drops a forked world; its key selects nothing any more. */
  drop(id: string): boolean {
    const forked = this.#forks.get(id)
    if (!forked) return false
    forked.world.clock.stop()
    this.#byKey.delete(forked.apiKey)
    return this.#forks.delete(id)
  }

  /** Where a bearer key leads; without a key, or with one nobody listed, to the first world. */
  find(key: string | undefined): Destination {
    const forked = key === undefined ? undefined : this.#byKey.get(key)
    if (forked) return { world: forked, organization: forked.store.firstOrganization() }
    const organization = key === undefined ? undefined : this.first.store.organizationByKey(key)
    return { world: this.first, organization }
  }

  /** The stored file of that id; one id is one file in every world that has it. */
  findAttachment(id: string): AttachmentRow | undefined {
    for (const world of this.all()) {
      const attachment = world.store.get('attachment', id)
      if (attachment) return attachment
    }
    return undefined
  }

  /** Every world, the first first. */
  *all(): IterableIterator<World> {
    yield this.first
    for (const { world } of this.#forks.values()) yield world
  }

  /** Stops every clock. */
  stop(): void {
    for (const world of this.all()) world.clock.stop()
  }
}
