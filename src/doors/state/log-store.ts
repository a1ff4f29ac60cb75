import { listOf } from '../../base/text.js'
import { addedNames } from '../../contract/extensions.js'
import { StateError } from '../../service/model/errors.js'
import { formatInstant } from '../../service/time/time.js'
import type { PersistedSimulator, StoryStart, WorldRecord } from '../../service/world/worlds.js'

/** A line of a stored log: entries that were written together, as a JSON list. */
export interface StoredLine {
  readonly text: string
  /** Where it is, for messages, such as `state/world_2.jsonl, line 3`. */
  readonly place: string
}

/** The right to append to the log of a world, and what the log has so far. */
export interface Claim {
  /** Grows with every claim of the world; the store refuses lines of earlier epochs from then on. */
  readonly epoch: number
  /** Whether there was no log. */
  readonly isNew: boolean
  /** The instant of the claim by the store's clock, in milliseconds since the epoch; later than those of all earlier owners. */
  readonly at: number
  lines(): AsyncIterable<StoredLine>
}

/** A line to be written, and its position in a log. */
export interface NewLine {
  readonly id: string
  readonly epoch: number
  readonly sequence: number
  readonly text: string
  /** Whether it holds the whole world, so that the lines before it no longer count. */
  readonly isWhole: boolean
}

/** Stores the logs of worlds outside of this process. Every method throws a StateError on failure. */
export interface LogStore {
  /** The store's name in messages, without secrets. */
  readonly name: string
  /** Whether other processes use it too, so that an owner has to ask whether it still is one. */
  readonly isShared: boolean
  /** Returns what the state belongs to; undefined if there is no state. Changes nothing. */
  start(): Promise<StateStart | undefined>
  /** Opens the state, or creates it with that start; returns the start that it has. With `reset`, everything is deleted first. */
  open(start: StateStart, reset: boolean): Promise<StateStart>
  /** Stores the record of a new world, which is made with its number. */
  create(record: (number: number) => WorldRecord): Promise<WorldRecord>
  /** Returns the record of the world with that API key. */
  find(apiKey: string): Promise<WorldRecord | undefined>
  /** Returns the records of all worlds beside the first, the oldest first. */
  list(): Promise<readonly WorldRecord[]>
  /** Deletes the record of a world, and its log once `ended` says that nothing is written to it any more. */
  remove(record: WorldRecord, ended: () => Promise<void>): Promise<void>
  /**
   * Claims a world; `ownEpoch` is the last epoch of this process.
   * @throws StateError `moved` if another process may own it and `isAwaited` returns false, since the client may have gone there
   */
  claim(id: string, ownEpoch: number | undefined, isAwaited: () => boolean): Promise<Claim>
  /** Resolves if nobody has claimed the world after that epoch. @throws StateError `moved` */
  confirm(id: string, epoch: number): Promise<void>
  /** Appends a line; resolves when it is durable. @throws StateError `moved` if the world was claimed after its epoch */
  append(line: NewLine): Promise<void>
  /** Resolves if lines can be appended at present. */
  check(): Promise<void>
  close(): Promise<void>
}

/** What a state belongs to: it continues only after a start that agrees with it. */
export interface StateStart extends StoryStart {
  /** What must be equal, by the words with which a refusal names it. */
  readonly options: Readonly<Record<string, string>>
  /** The names of what extensions add. */
  readonly extensions: readonly string[]
}

/** Returns what a state of a simulator belongs to. */
export function stateStartOf({ worlds, storyStart }: PersistedSimulator): StateStart {
  const { initialState, extensions, clock } = worlds.first
  const { scenario, seed, fingerprint, start, assumptions } = initialState
  const chosen = Object.entries(assumptions).map(([gap, assumption]) => [`--assume ${gap} as`, assumption])
  const options = {
    'the scenario': scenario,
    '--seed': String(seed),
    '--start': formatInstant(start),
    'the fingerprint of its scenario': fingerprint(),
    ...Object.fromEntries(chosen),
    '--clock': clock.mode,
  }
  return { ...storyStart, options, extensions: addedNames(extensions) }
}

/** Checks that a state continues with this start. @throws StateError `other-start` */
export function checkStart(name: string, stored: StateStart, start: StateStart): void {
  const missing = stored.extensions.filter((added) => !start.extensions.includes(added))
  const [other] = Object.entries(stored.options).filter(([what, was]) => was !== start.options[what])
  if (missing.length === 0 && !other) return
  const difference =
    missing.length > 0 || !other
      ? `extensions that define ${listOf(missing)}, but this start lacks them`
      : `${other[0]} ${other[1]}, but this start has ${start.options[other[0]]}`
  const remedy = 'Start with the former, name another place, or start over with --state-reset'
  throw new StateError('other-start', `${name} was created with ${difference}. ${remedy}.`)
}
