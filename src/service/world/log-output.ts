import type { ClockState } from '../time/clock.js'
import { formatInstant } from '../time/time.js'
import type { Entry } from './entries.js'
import { type WrittenEntry, writeEntry } from './entry-json.js'

/**
 * Collects what of a log is to be made durable outside of this process. A world that has not changed since its story began
 * has nothing to write, unless its clock runs.
 */
export class LogOutput {
  readonly #onChange: () => void
  readonly #base: () => string
  /** Whether the log begins anew: with the whole state. */
  #begins = false
  /** Each is written as it is when it is taken. */
  readonly #entries = new Set<Entry>()
  #time: ClockState | undefined
  /** Whether anything was ever taken, or the world was recovered from a log. */
  #isWritten = false
  #changed = false

  /** `onChange` is called with the first change after entries were taken; `base` returns the address of this server. */
  constructor(onChange: () => void, base: () => string) {
    this.#onChange = onChange
    this.#base = base
  }

  /** Whether there is something to take. */
  get changed(): boolean {
    return this.#changed
  }

  /** Drops what is pending, since the log begins anew. That alone is no change if nothing was ever written, unless it counts. */
  begin(counts: boolean): void {
    this.#forget()
    this.#begins = true
    if (counts || this.#isWritten) this.#note()
  }

  /** Goes on with a log that was written before, here or elsewhere. */
  resume(): void {
    this.#forget()
    this.#isWritten = true
  }

  /** Adds an entry that is new, or that has changed. */
  add(entry: Entry): void {
    // A request changes nothing by itself, and a log that begins anew is written as a whole.
    if (entry.type === 'exchange' || entry.type === 'reset') return
    this.#entries.add(entry)
    this.#note()
  }

  /** Notes the present time of a clock that runs at a speed, since no entry may contain it. */
  addTime(clock: ClockState): void {
    this.#time = clock
    this.#note()
  }

  /** Removes and returns the lines since the last call, which belong together; `whole` returns the state of now as a line. */
  take(seq: number, whole: () => WrittenEntry): WrittenEntry[] {
    const base = this.#base()
    const lines = this.#begins
      ? [whole()]
      : Array.from(this.#entries, (entry) => writeEntry(entry, base) ?? [])
    const time = this.#time && !this.#begins ? [timeEntry(this.#time, seq)] : []
    this.#forget()
    this.#isWritten = true
    return [...lines.flat(), ...time]
  }

  #note(): void {
    if (this.#changed) return
    this.#changed = true
    this.#onChange()
  }

  #forget(): void {
    this.#begins = false
    this.#entries.clear()
    this.#time = undefined
    this.#changed = false
  }
}

function timeEntry({ mode, beganAt, now, ahead }: ClockState, seq: number): WrittenEntry {
  const at = formatInstant(now)
  const moved = { from: at, mode, began_at: formatInstant(beganAt), ...(ahead !== undefined && { ahead }) }
  return { type: 'clock', seq, at, ...moved } as WrittenEntry
}
