import { WorldError } from '../model/errors.js'
import type { AttachmentRow, OrganizationRow } from '../model/rows.js'
import { idOf } from '../time/random.js'
import type { ClockMode } from '../time/time.js'
import type { InitialState, WorldState } from './state.js'
import { World } from './world.js'
import { defaultHost, type WorldHost } from './world-host.js'

/** The world of a request, and the organization of its API key. */
export interface Destination {
  readonly world: World
  /** Undefined if no scenario or fork lists the key. */
  readonly organization: OrganizationRow | undefined
  /** Whether the key belongs to a world that no longer exists; such a request must reach no other world. */
  readonly gone: boolean
}

/** The parameter by which an address names the world that it is of. */
const worldParameter = 'box'

/** Returns the query of an address of a world, for requests without a key. */
export function queryOfWorld(id: string): string {
  return `?${worldParameter}=${id}`
}

/** Returns the id of the world that an address names; undefined if it names none. */
export function worldNamedIn(search: string): string | undefined {
  return new URLSearchParams(search).get(worldParameter) ?? undefined
}

/** The format of the API keys of forks. */
const forkKey = /^sim_[0-9a-z]{16}$/

/** A world beside the first, with the API key that selects it. */
interface ForkedWorld {
  readonly world: World
  readonly apiKey: string
}

/** The worlds of one simulator: the first one, and its forks, each selected by its own API key. */
export class Worlds {
  readonly first: World
  readonly #forks = new Map<string, ForkedWorld>()
  readonly #byKey = new Map<string, World>()
  /** Stores their logs outside of this process; undefined if nothing does. */
  readonly persistence: Persistence | undefined
  readonly #host: WorldHost
  #count = 1

  /** `host` serves all worlds; each world also masks the secrets of the first one. */
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

  /** Creates a world that begins with an initial state, or resumes from a recorded one. @throws WorldError `closed` */
  add(initialState: InitialState, clock: ClockMode, from?: WorldState): ForkedWorld {
    if (this.first.closed)
      throw new WorldError(
        'closed',
        'The simulator was closed and cannot create worlds; create another simulator.',
      )
    return this.open(`world_${++this.#count}`, initialState, clock, from)
  }

  /** Opens a world under an id; a world with a log does nothing before `start` or `recover`. */
  open(id: string, initialState: InitialState, clock: ClockMode, from?: WorldState): ForkedWorld {
    const world = new World(id, initialState, clock, this.#hostOf(id, this.#host), from)
    const forked = { world, apiKey: this.keyOf(id) }
    this.#forks.set(id, forked)
    this.#byKey.set(forked.apiKey, world)
    return forked
  }

  /** Returns the API key of the fork of that id: the same in every process with the same seed. */
  keyOf(id: string): string {
    return `sim_${idOf('organization', this.first.initialState.seed, id).slice(4)}`
  }

  /** Returns the fork of that id. */
  get(id: string): ForkedWorld | undefined {
    return this.#forks.get(id)
  }

  /** Returns the forks, the oldest first. */
  forks(): ForkedWorld[] {
    return [...this.#forks.values()]
  }

  /** Closes and drops a fork; returns whether there was one. */
  drop(id: string): boolean {
    const forked = this.#forks.get(id)
    if (!forked) return false
    forked.world.close()
    this.#byKey.delete(forked.apiKey)
    return this.#forks.delete(id)
  }

  /**
   * Finds the world for a bearer key: the fork with that key, or else the first world. A key in the format of
   * forks' keys that neither a fork nor the scenario has belongs to a dropped world or to another simulator.
   * Without a key, it is the world `id`, or else the first.
   */
  find(key: string | undefined, id?: string): Destination {
    const { first } = this
    if (key === undefined) {
      const { world } = this.#forks.get(id ?? '') ?? { world: first }
      return { world, organization: undefined, gone: world.closed }
    }
    const forked = this.#byKey.get(key)
    if (forked) return { world: forked, organization: forked.store.firstOrganization(), gone: false }
    const organization = first.store.organizationByKey(key)
    return { world: first, organization, gone: first.closed || (!organization && forkKey.test(key)) }
  }

  /** Finds a stored file; an id means the same file in every world that has it. */
  findAttachment(id: string): AttachmentRow | undefined {
    for (const world of this.all()) {
      const attachment = world.store.get('attachment', id)
      if (attachment) return attachment
    }
    return undefined
  }

  /** Iterates over all worlds, beginning with the first. */
  *all(): IterableIterator<World> {
    yield this.first
    for (const { world } of this.#forks.values()) yield world
  }

  /** Returns the host of a world; with a persistence, deliveries wait until the world's changes are durable. */
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

  /** Closes and drops every fork, and closes the first world. */
  stop(): void {
    for (const id of this.#forks.keys()) this.drop(id)
    this.first.close()
  }
}

/** The stored description of a world beside the first, from which it can be opened again. */
export interface WorldRecord {
  readonly id: string
  readonly api_key: string
  /** The scenario's name. */
  readonly scenario: string
  readonly seed: number
  readonly clock: ClockMode
  /** The steps from the first world's initial state to its own; plain JSON. */
  readonly steps: readonly object[]
}

/** When stories begin, ISO 8601 UTC. */
export interface StoryStart {
  /** The instant for every scenario. */
  readonly start?: string | undefined
  /** The instant for shipped scenarios, and for scenarios without a start. */
  readonly defaultStart?: string | undefined
}

/** The part of a simulator that a `Persistence` needs. */
export interface PersistedSimulator {
  readonly worlds: Worlds
  readonly storyStart: StoryStart
  /** Loads the initial state of a world from the steps of its record. */
  load(steps: readonly object[]): Promise<InitialState>
}

/** Keeps the logs of worlds outside of this process, and owns those worlds that this process may change. */
export interface Persistence {
  /** Returns when the stored stories begin; undefined if nothing is stored. @throws StateError */
  recordedStart(): Promise<StoryStart | undefined>
  /** Attaches a simulator's worlds. @throws StateError `other-start` if the stored state belongs to another start */
  attach(simulator: PersistedSimulator): Promise<void>
  /** Called when a world has new entries for its log. */
  logged(id: string): void
  /**
   * Makes this process the owner of an API key's world (of the first one for any other key); undefined if it
   * already is. Resolves to whether the world exists. Does not take over a world once `isAwaited` returns
   * false.
   * @throws StateError
   */
  admit(key: string | undefined, isAwaited: () => boolean): Promise<boolean> | undefined
  /** Makes this process the owner of a world, if it exists. @throws StateError */
  admitWorld(id: string, isAwaited: () => boolean): Promise<void>
  /**
   * Returns a function whose promise resolves when the world's changes so far are durable; it returns
   * undefined if they already are, and rejects with a StateError if this process has lost the world.
   */
  hold(world: World): () => Promise<void> | undefined
  /** Resolves when a world's changes are durable and its ownership is confirmed, or when the world is suspended. */
  confirm(id: string): Promise<void>
  /** Registers a new world beside the first; its first request opens it. @throws StateError */
  create(world: Pick<WorldRecord, 'steps' | 'clock'>, initialState: InitialState): Promise<WorldRecord>
  /** Returns the record of that id. @throws StateError */
  find(id: string): Promise<WorldRecord | undefined>
  /** Returns the records of all worlds beside the first. @throws StateError */
  list(): Promise<readonly WorldRecord[]>
  /** Deletes a world and its log; resolves to false if there is none. @throws StateError */
  remove(id: string): Promise<boolean>
  /** Resolves if changes can be stored at present. @throws StateError */
  check(): Promise<void>
  /** Stores the remaining changes and releases every world. */
  close(): Promise<void>
}
