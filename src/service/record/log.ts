import { platform } from '../time/platform-time.js'
/** One change of a world as its log keeps it, plain JSON; `logEntrySchema` has the fields of each type. */
export interface LoggedChange {
  readonly type: string
  /** The world's time of the change, ISO 8601 UTC. */
  readonly at: string
}

/** Returns whether an entry makes all earlier entries obsolete. */
export function isBeginning({ type }: Pick<LoggedChange, 'type'>): boolean {
  return type === 'begin' || type === 'snapshot'
}

/** The parts of a world's whole state for its log: all but its long lists, then its rows, a few at a time, and its deliveries. */
export interface WholeParts {
  readonly snapshot: object
  readonly rows: Iterable<Readonly<Record<string, readonly object[]>>>
  readonly deliveries: readonly object[]
}

/** The changes of a world since the last ones were taken. */
export interface TakenChanges {
  /** The entries for the whole world from which it goes on, if it was restored; each is created when it is read. */
  readonly whole: Iterable<LoggedChange> | undefined
  /** The rows of that world that were written before, as the writer of the log knows them. */
  readonly prepared: object | undefined
  /** The further entries, in order. Those that were added without a pause belong together. */
  readonly turns: readonly (readonly LoggedChange[])[]
}

/**
 * Collects the changes of a world until they are taken as log entries. A world that has not changed since it began has no
 * entries to write, unless its clock runs.
 */
export class WorldLog {
  readonly #onChange: () => void
  #whole: Iterable<LoggedChange> | undefined
  #prepared: object | undefined
  #turns: LoggedChange[][] = []
  /** Whether the next entry belongs to the last turn. */
  #inTurn = false
  /** Creates the entries of state that changes often, only when they are taken; by name. */
  readonly #latest = new Map<string, () => LoggedChange>()
  /** Whether entries were ever taken, or the world was recovered from a log. */
  #written = false
  #changed = false

  /** `onChange` is called with the first change after entries were taken. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Whether there are entries to take. */
  get changed(): boolean {
    return this.#changed
  }

  /**
   * Drops pending entries and starts with this one. A `begin` entry alone is not a change if nothing was ever
   * written and the clock does not run.
   */
  begin(entry: LoggedChange, isRunning: boolean): void {
    this.#forget()
    this.#append(entry)
    if (this.#written || isRunning) this.#note()
  }

  /** Drops pending entries and starts with those of a whole world; `prepared` are its rows, if they were written before. */
  restart(whole: Iterable<LoggedChange>, prepared?: object): void {
    this.#forget()
    this.#whole = whole
    this.#prepared = prepared
    this.#note()
  }

  /** Continues a log that was written before, here or elsewhere. */
  resume(): void {
    this.#forget()
    this.#written = true
  }

  /** Appends the entry of a change. */
  add(entry: LoggedChange): void {
    this.#append(entry)
    this.#note()
  }

  /** Notes a change of which only the latest state is written; replaces the pending entry of that name. */
  addLatest(name: string, entry: () => LoggedChange): void {
    this.#latest.set(name, entry)
    this.#note()
  }

  /** Removes and returns the changes since the last call. */
  take(): TakenChanges {
    const latest = [...this.#latest.values()].map((make) => make())
    const [whole, prepared, turns] = [this.#whole, this.#prepared, this.#turns]
    const last = turns.at(-1)
    if (last) last.push(...latest)
    else if (latest.length > 0) turns.push(latest)
    this.#forget()
    this.#written = true
    return { whole, prepared, turns }
  }

  #append(entry: LoggedChange): void {
    if (this.#inTurn) return void this.#turns.at(-1)?.push(entry)
    this.#turns.push([entry])
    this.#inTurn = true
    platform.queueMicrotask(() => {
      this.#inTurn = false
    })
  }

  #note(): void {
    if (this.#changed) return
    this.#changed = true
    this.#onChange()
  }

  #forget(): void {
    this.#whole = undefined
    this.#prepared = undefined
    this.#turns = []
    this.#inTurn = false
    this.#latest.clear()
    this.#changed = false
  }
}
