import { z } from '../../base/schema.js'
import { apply } from './apply.js'
import type { Entry } from './entries.js'
import { readEntry, type WrittenEntry } from './entry-json.js'
import type { ShowingOptions } from './exchange.js'
import type { InitialState } from './initial-state.js'
import { readSnapshot, takeSnapshot } from './snapshot.js'
import { copyState, stateAtStart, type WorldState } from './state.js'

/** The first line of a log: a whole state, so that what comes before no longer counts. */
interface WrittenStart extends WrittenEntry {
  readonly type: 'start'
  readonly snapshot: object
  /** Milliseconds by which a real clock is ahead of the machine's time. */
  readonly ahead?: number
}

const startSchema = z.strictObject({
  type: z.literal('start'),
  seq: z.int().min(0),
  at: z.string(),
  snapshot: z.looseObject({}),
  ahead: z.int().optional(),
})

/** Returns a state, after the entry of a number, as the first line of a log. */
export function writeStart(
  initialState: InitialState,
  state: WorldState,
  seq: number,
  base: string,
): WrittenStart {
  const snapshot = takeSnapshot(initialState, state, base)
  const { ahead } = state.clock
  return { type: 'start', seq, at: snapshot.clock.now, snapshot, ...(ahead !== undefined && { ahead }) }
}

/** Builds the state of a world from the lines of its log. */
export class Fold {
  readonly #initialState: InitialState
  readonly #showing: ShowingOptions | undefined
  /** The state after the lines so far; the first one should be a start. */
  state: WorldState
  /** The state before the kept entries. */
  start: WorldState
  /** The entries since then, if they are kept. */
  entries: Entry[] = []
  /** The number of the latest entry. */
  seq = 0

  /** Entries are kept only if it is given how their exchanges are shown. */
  constructor(initialState: InitialState, showing?: ShowingOptions) {
    this.#initialState = initialState
    this.#showing = showing
    this.state = stateAtStart(initialState, 'frozen')
    this.start = this.state
  }

  /** Applies the next line. @throws WorldError that says what is wrong with it */
  apply(line: WrittenEntry): void {
    if (line.type === 'start') {
      this.#begin(line as WrittenStart)
      return
    }
    const entry = readEntry(line, this.#showing)
    if (this.#showing) this.entries.push(this.#withRowsBefore(entry))
    apply(this.#initialState, this.state, entry)
    this.seq = Math.max(this.seq, entry.seq)
  }

  #begin(line: WrittenStart): void {
    const { snapshot, ahead, seq } = startSchema.parse(line)
    const state = readSnapshot(snapshot, this.#initialState)
    if (ahead !== undefined) state.clock = { ...state.clock, ahead }
    this.state = state
    this.start = this.#showing ? copyState(this.#initialState, state) : state
    this.entries = []
    this.seq = seq
  }

  /** A line has only the rows after a command. */
  #withRowsBefore(entry: Entry): Entry {
    if (entry.type !== 'command') return entry
    const { store } = this.state
    return { ...entry, rows: entry.rows.map((row) => ({ ...row, before: store.get(row.model, row.id) })) }
  }
}
