import type { AttachmentRow, OrganizationRow } from '../model/index.js'
import type { Beginning } from './beginning.js'
import type { ClockMode } from './clock-mode.js'
import { WorldError } from './errors.js'
import { idOf } from './ids.js'
import { keysOf, noSurroundings, type Surroundings } from './surroundings.js'
import { World } from './world.js'

/** Where a request goes: a world and the organization its key belongs to. */
export interface Destination {
  readonly world: World
  /** Undefined when the key is none that a scenario or a fork lists. */
  readonly organization: OrganizationRow | undefined
  /** Whether the key is that of a world which is there no more: the one it leads to then is none of its business. */
  readonly gone: boolean
}

/** What the keys look like that forks get. */
const forkKey = /^sim_[0-9a-z]{16}$/

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
  readonly #around: Surroundings
  #count = 1

  /** `around` is what all of them have around them; each knows the keys of the first besides. */
  constructor(beginning: Beginning, clock: ClockMode, around: Partial<Surroundings> = {}) {
    const alone = { ...noSurroundings, ...around }
    this.first = new World('world_1', beginning, clock, alone)
    this.#around = { ...alone, furtherKeys: () => keysOf(this.first.store) }
  }

  /** A new world at the scenario's start; it shares the base and costs what it changes. @throws as `add` */
  fork(clock?: ClockMode): ForkedWorld {
    return this.add(this.first.beginning, clock)
  }

  /** A new world with a story of its own, behind a key of its own. @throws WorldError once they are stopped */
  add(beginning: Beginning, clock: ClockMode = this.first.clock.mode): ForkedWorld {
    if (this.first.closed)
      throw new WorldError('closed', 'The simulator was closed; it makes no more worlds.')
    const id = `world_${++this.#count}`
    const world = new World(id, beginning, clock, this.#around)
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
    forked.world.close()
    this.#byKey.delete(forked.apiKey)
    return this.#forks.delete(id)
  }

  /**
   * Where a bearer key leads; without a key, or with one nobody listed, to the first world. A key like those that
   * forks get, and that neither a fork nor the scenario has, is of a world that was dropped, or of another simulator.
   */
  find(key: string | undefined): Destination {
    const { first } = this
    if (key === undefined) return { world: first, organization: undefined, gone: first.closed }
    const forked = this.#byKey.get(key)
    if (forked) return { world: forked, organization: forked.store.firstOrganization(), gone: false }
    const organization = first.store.organizationByKey(key)
    return { world: first, organization, gone: first.closed || (!organization && forkKey.test(key)) }
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

  /** Drops every fork and closes the first world. */
  stop(): void {
    for (const id of this.#forks.keys()) this.drop(id)
    this.first.close()
  }
}
