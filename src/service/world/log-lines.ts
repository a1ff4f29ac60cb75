import { WorldError } from '../model/errors.js'
import type { WrittenRow } from '../model/mailbox-store.js'
import { Masker } from '../record/masker.js'
import { formatInstant, parseInstant } from '../time/time.js'
import { continued, type DeliveryState } from '../webhooks/delivery.js'
import { apply } from './apply.js'
import { type CommandEntry, type Entry, isEntryType } from './entries.js'
import {
  JournalEntry,
  readExchange,
  type ShowingOptions,
  type WrittenExchange,
  writeExchange,
} from './exchange.js'
import { readSnapshot, takeSnapshot } from './snapshot.js'
import { copyState, type InitialState, stateAtStart, type WorldState } from './state.js'

/** An entry of a log as a line of JSON. */
export interface WrittenEntry {
  readonly type: string
  readonly seq: number
  /** The world's time, ISO 8601 UTC. */
  readonly at: string
}

/**
 * Returns an entry as plain JSON; `base` is the address of this server. With a masker, also what changes nothing, such as requests,
 * masked; otherwise undefined for such an entry.
 */
export function writeEntry(entry: Entry, base: string, masker?: Masker): WrittenEntry | undefined {
  const { type, seq } = entry
  const head = { type, seq, at: formatInstant(entry.at) }
  switch (entry.type) {
    case 'exchange':
      return masker && { ...head, ...{ exchange: writeExchange(entry) } }
    case 'command':
      return { ...head, ...writeCommand(entry, masker !== undefined) }
    case 'delivery':
      return { ...head, ...{ delivery: writeDelivery(entry.delivery, base, masker) } }
    case 'clock': {
      const { from, mode, beganAt, ahead } = entry
      const moved = { from: formatInstant(from), mode, began_at: formatInstant(beganAt) }
      return { ...head, ...moved, ...(ahead !== undefined && { ahead }) }
    }
    default:
      return { ...entry, ...head }
  }
}

function writeCommand(
  { rows, ids, sent, answer, message, command, exchange }: CommandEntry,
  isWhole: boolean,
) {
  const written = rows.map(({ model, id, after }) => ({ model, id, row: after ?? null }))
  const seen = isWhole && { message, command, ...(exchange !== undefined && { exchange }) }
  return { rows: written, ids, sent, ...(answer && { answer }), ...seen }
}

function writeDelivery(delivery: DeliveryState, base: string, masker: Masker | undefined): DeliveryState {
  if (!masker) return continued(delivery, base)
  const attempts = delivery.attempts.map((attempt) => {
    return { ...attempt, headers: masker.headers(Object.entries(attempt.headers)) }
  })
  return { ...delivery, attempts }
}

/** How exchanges are shown that nobody sees. */
const unshown: ShowingOptions = { world: '', masker: new Masker(), bodyCharacters: 0 }

/**
 * Returns the entry of a line that `writeEntry` returned; `showing` is how its exchange is shown. @throws WorldError `malformed` for
 * another type
 */
function readEntry(line: WrittenEntry, showing: ShowingOptions = unshown): Entry {
  if (!isEntryType(line.type)) throw new WorldError('malformed', `type: there is no entry "${line.type}"`)
  const entry = { ...line, at: instantIn(line.at) } as unknown as Entry
  switch (entry.type) {
    case 'exchange': {
      const { exchange } = line as WrittenEntry & { readonly exchange: WrittenExchange }
      return Object.assign(new JournalEntry(entry.at, readExchange(exchange), showing), { seq: entry.seq })
    }
    case 'command': {
      const { rows } = line as WrittenEntry & { readonly rows: readonly WrittenRowAfter[] }
      const read = rows.map(({ row, ...one }) => ({ ...one, before: undefined, after: row ?? undefined }))
      return { ...entry, message: entry.message ?? null, rows: read }
    }
    case 'clock': {
      const { from, began_at } = line as WrittenEntry & { readonly from: string; readonly began_at: string }
      return { ...entry, from: instantIn(from), beganAt: instantIn(began_at) }
    }
    default:
      return entry
  }
}

/** A row after a command; null if that deleted it. */
type WrittenRowAfter = Pick<WrittenRow, 'model' | 'id'> & { readonly row: WrittenRow['after'] | null }

function instantIn(text: string): number {
  return parseInstant(text) as number
}

/** The first line of a log: a whole state, so that what comes before no longer counts. */
interface WrittenStart extends WrittenEntry {
  readonly type: 'start'
  readonly snapshot: object
  /** Milliseconds by which a real clock is ahead of the machine's time. */
  readonly ahead?: number
}

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
    const { snapshot, ahead, seq } = line
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

  /** Removes and returns the lines since the last call, which belong together; `whole` returns the state of now as a line. */
  take(whole: () => WrittenEntry): WrittenEntry[] {
    const base = this.#base()
    const lines = this.#begins
      ? [whole()]
      : Array.from(this.#entries, (entry) => writeEntry(entry, base) ?? [])
    this.#forget()
    this.#isWritten = true
    return lines.flat()
  }

  #note(): void {
    if (this.#changed) return
    this.#changed = true
    this.#onChange()
  }

  #forget(): void {
    this.#begins = false
    this.#entries.clear()
    this.#changed = false
  }
}
