import type { ClockMode } from './time.js'
import type { World } from './world.js'
import type { InitialState } from './world-state.js'

/** A world beside the first, as it is written down: enough to make it again. */
export interface WorldRecord {
  readonly id: string
  readonly api_key: string
  /** The scenario's name. */
  readonly scenario: string
  readonly seed: number
  readonly clock: ClockMode
  /** How its initial state differs from that of the first world, one step after another; plain JSON. */
  readonly steps: readonly object[]
}

/** The worlds of this process, as what keeps their logs needs them. */
interface KeptWorlds {
  readonly first: World
  /** Opens a world of that id, which waits for `start` or `recover`. */
  open(id: string, initialState: InitialState, clock: ClockMode): { readonly world: World }
  /** Closes a world beside the first, and forgets it. */
  drop(id: string): boolean
  /** The API key of the world of that id beside the first. */
  keyOf(id: string): string
  /** Whether a key leads to a world beside the first, be it here or not. */
  isForkKey(key: string): boolean
}

/** What a simulator gives to what keeps its worlds. */
export interface KeptSimulator {
  readonly worlds: KeptWorlds
  /** Loads the initial state of a world from the steps of its record. */
  load(steps: readonly object[]): Promise<InitialState>
}

/** Keeps the logs of worlds outside of this process, and owns those worlds that this process may change. */
export interface Persistence {
  /** Returns the instant at which the stories of what is kept begin; undefined where nothing is. @throws StateError */
  recordedStart(): Promise<string | undefined>
  /** Begins with the worlds of a simulator. @throws StateError where what is kept is of another start */
  attach(kept: KeptSimulator): Promise<void>
  /** Called once a world has entries for its log. */
  logged(id: string): void
  /**
   * Makes the world of an API key ready to answer here; undefined where it is. Gives whether there is such a world; a
   * key that no world has leads to the first. No world is taken over once `isAwaited` says that nobody waits for it.
   * @throws StateError
   */
  admit(key: string | undefined, isAwaited: () => boolean): Promise<boolean> | undefined
  /** Makes the world of an id ready to answer here, where there is one. @throws StateError */
  admitWorld(id: string, isAwaited: () => boolean): Promise<void>
  /**
   * Returns what tells that everything the world did since is durable: a promise, or undefined where it is. It throws a
   * StateError where the world has been given up meanwhile.
   */
  hold(world: World): () => Promise<void> | undefined
  /** Resolves once everything a world did is durable and it is sure to be owned here, or once it is suspended. */
  confirm(id: string): Promise<void>
  /** Makes a world beside the first; it is ready with its first request. @throws StateError */
  create(made: Pick<WorldRecord, 'steps' | 'clock'>, initialState: InitialState): Promise<WorldRecord>
  /** Returns the record of that id. @throws StateError */
  find(id: string): Promise<WorldRecord | undefined>
  /** Returns the records of all worlds beside the first. @throws StateError */
  list(): Promise<readonly WorldRecord[]>
  /** Deletes a world with its log; false where there is none. @throws StateError */
  remove(id: string): Promise<boolean>
  /** Resolves where worlds can be written down at present. @throws StateError */
  check(): Promise<void>
  /** Writes down what is left and lets go of every world. */
  close(): Promise<void>
}
