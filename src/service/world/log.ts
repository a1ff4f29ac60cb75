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

/**
 * Collects the changes of a world until they are taken as log entries. A world that has not changed since it began has no
 * entries to write, unless its clock runs.
 */
export class WorldLog {
  readonly #onChange: () => void
  #entries: LoggedChange[] = []
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
    this.#entries = [entry]
    if (this.#written || isRunning || entry.type !== 'begin') this.#note()
  }

  /** Continues a log that was written before, here or elsewhere. */
  resume(): void {
    this.#forget()
    this.#written = true
  }

  /** Appends the entry of a change. */
  add(entry: LoggedChange): void {
    this.#entries.push(entry)
    this.#note()
  }

  /** Notes a change of which only the latest state is written; replaces the pending entry of that name. */
  addLatest(name: string, entry: () => LoggedChange): void {
    this.#latest.set(name, entry)
    this.#note()
  }

  /** Removes and returns the entries since the last call, in order. */
  take(): LoggedChange[] {
    const entries = [...this.#entries, ...[...this.#latest.values()].map((make) => make())]
    this.#forget()
    this.#written = true
    return entries
  }

  #note(): void {
    if (this.#changed) return
    this.#changed = true
    this.#onChange()
  }

  #forget(): void {
    this.#entries = []
    this.#latest.clear()
    this.#changed = false
  }
}
