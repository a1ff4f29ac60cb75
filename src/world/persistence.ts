import type { ClockMode } from './time.js'
import type { World } from './world.js'
import type { InitialState } from './world-state.js'

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

/** The worlds of this process, as a `Persistence` needs them. */
interface PersistedWorlds {
  readonly first: World
  /** Opens a world, which does nothing before `start` or `recover`. */
  open(id: string, initialState: InitialState, clock: ClockMode): { readonly world: World }
  /** Closes and drops a world beside the first. */
  drop(id: string): boolean
  /** Returns the API key of the world of that id beside the first. */
  keyOf(id: string): string
  /** Returns whether a key is that of a world beside the first, in this process or not. */
  isForkKey(key: string): boolean
}

/** The part of a simulator that a `Persistence` needs. */
export interface PersistedSimulator {
  readonly worlds: PersistedWorlds
  /** Loads the initial state of a world from the steps of its record. */
  load(steps: readonly object[]): Promise<InitialState>
}

/** Keeps the logs of worlds outside of this process, and owns those worlds that this process may change. */
export interface Persistence {
  /** Returns the instant at which the stored stories begin; undefined if nothing is stored. @throws StateError */
  recordedStart(): Promise<string | undefined>
  /** Attaches a simulator's worlds. @throws StateError `other-start` if the stored state belongs to another start */
  attach(simulator: PersistedSimulator): Promise<void>
  /** Called when a world has new entries for its log. */
  logged(id: string): void
  /**
   * Makes this process the owner of an API key's world (of the first one for any other key); undefined if it is already.
   * Resolves to whether the world exists. Does not take a world over once `isAwaited` returns false.
   * @throws StateError
   */
  admit(key: string | undefined, isAwaited: () => boolean): Promise<boolean> | undefined
  /** Makes this process the owner of a world, if it exists. @throws StateError */
  admitWorld(id: string, isAwaited: () => boolean): Promise<void>
  /**
   * Returns a function whose promise resolves when the world's changes so far are durable; it returns undefined if they
   * are already, and rejects with a StateError if this process has lost the world.
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
