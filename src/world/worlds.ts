import type { AttachmentRow, OrganizationRow } from '../model/index.js'
import { WorldError } from './errors.js'
import { idOf } from './ids.js'
import type { Persistence } from './persistence.js'
import type { ClockMode } from './time.js'
import { World } from './world.js'
import { defaultHost, type WorldHost } from './world-host.js'
import type { InitialState } from './world-state.js'

/** The world that a request goes to, and the organization of its key. */
export interface Destination {
  readonly world: World
  /** Undefined when the key is none that a scenario or a fork lists. */
  readonly organization: OrganizationRow | undefined
  /** Whether the key is that of a world which is there no more: the one it leads to then is none of its business. */
  readonly gone: boolean
}

/** The form of the keys of forks. */
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
  /** Keeps their logs outside of this process; undefined where nothing does. */
  readonly persistence: Persistence | undefined
  readonly #host: WorldHost
  #count = 1

  /** `host` is that of all worlds; each knows the secrets of the first besides its own. */
  constructor(
    initialState: InitialState,
    clock: ClockMode,
    host: Partial<WorldHost> = {},
    persistence?: Persistence,
  ) {
    const ownHost = { ...defaultHost, ...host }
    this.persistence = persistence
    this.first = new World('world_1', initialState, clock, this.#hostOf('world_1', ownHost))
    this.#host = { ...ownHost, furtherSecrets: () => this.first.secrets }
  }

  /** A new world at the scenario's start; it shares the base and costs what it changes. @throws as `add` */
  fork(clock?: ClockMode): ForkedWorld {
    return this.add(this.first.initialState, clock)
  }

  /** A new world with a story of its own, behind a key of its own. @throws WorldError once they are stopped */
  add(initialState: InitialState, clock: ClockMode = this.first.clock.mode): ForkedWorld {
    if (this.first.closed)
      throw new WorldError(
        'closed',
        'The simulator was closed and makes no more worlds; create another simulator.',
      )
    return this.open(`world_${++this.#count}`, initialState, clock)
  }

  /** A world of that id, behind its key; one that has a log waits for what comes first. */
  open(id: string, initialState: InitialState, clock: ClockMode): ForkedWorld {
    const world = new World(id, initialState, clock, this.#hostOf(id, this.#host))
    const forked = { world, apiKey: this.keyOf(id) }
    this.#forks.set(id, forked)
    this.#byKey.set(forked.apiKey, world)
    return forked
  }

  /** The API key of the world of that id beside the first: the same in every process of the same seed. */
  keyOf(id: string): string {
    return `sim_${idOf('organization', this.first.initialState.seed, id).slice(4)}`
  }

  /** Whether a key leads to a world beside the first, be it here or not. */
  isForkKey(key: string): boolean {
    return forkKey.test(key) && !this.first.store.organizationByKey(key)
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

  *all(): IterableIterator<World> {
    yield this.first
    for (const { world } of this.#forks.values()) yield world
  }

  /** With a log, a world says when it has entries, and sends nothing before what it did is durable. */
  #hostOf(id: string, host: WorldHost): WorldHost {
    const { persistence } = this
    if (!persistence) return host
    const { transport } = host
    return {
      ...host,
      onLogged: (changed) => persistence.logged(changed),
      transport: {
        ready: async () => {
          await transport.ready?.()
          await persistence.confirm(id)
        },
        send: (request, signal) => transport.send(request, signal),
      },
    }
  }

  /** Drops every fork and closes the first world. */
  stop(): void {
    for (const id of this.#forks.keys()) this.drop(id)
    this.first.close()
  }
}
