import type { AnyOperationName } from '../contract/operations.js'
import type { Command } from './commands/index.js'
import { type Exchange, JournalEntry, type RecordedExchange, type ShowingOptions } from './exchange.js'
import { Masker } from './masking/masker.js'
import type { Relied } from './reliances.js'
import { RingBuffer } from './ring-buffer.js'
import { formatInstant } from './time.js'

/** A command as it was applied. */
export interface RecordedCommand {
  readonly seq: number
  readonly at: string
  readonly command: Command
}

/** Which entries to look at. */
export interface EntryFilter {
  /** Only those after this sequence number. */
  readonly since?: number | undefined
  /** At most so many, the oldest of them. */
  readonly limit?: number | undefined
}

/** Which exchanges to look at. */
export interface ExchangeFilter extends EntryFilter {
  readonly operation?: AnyOperationName | undefined
}

/** How much of a journal is kept. */
export interface JournalLimits {
  /** Exchanges, and commands, kept; older ones go first. */
  readonly entries: number
  /** About how many bytes of memory the exchanges may keep, and the commands as many; older ones go first. */
  readonly bytes?: number
  /** Characters of a body that are shown. */
  readonly bodyCharacters: number
}

const defaultLimits: Required<JournalLimits> = {
  entries: 10_000,
  bytes: 32 * 1024 * 1024,
  bodyCharacters: 65_536,
}

/** How much a journal keeps; `bytes` is an estimate. */
export interface JournalUsage {
  readonly exchanges: number
  readonly commands: number
  readonly bytes: number
}

/**
 * What happened in a world: the latest exchanges, with keys and tokens masked, and the latest commands, whole,
 * since they are there to be applied again.
 */
export class Journal {
  readonly #showing: ShowingOptions
  readonly #exchanges: RingBuffer<JournalEntry>
  readonly #commands: RingBuffer<RecordedCommand>
  #exchangeCount = 0
  #commandCount = 0

  constructor(world: string, masker = new Masker(), limits: JournalLimits = defaultLimits) {
    const { entries, bytes, bodyCharacters } = { ...defaultLimits, ...limits }
    this.#showing = { world, masker, bodyCharacters }
    this.#exchanges = new RingBuffer({ entries, bytes })
    this.#commands = new RingBuffer({ entries, bytes })
  }

  record(recorded: RecordedExchange): JournalEntry {
    const entry = new JournalEntry(++this.#exchangeCount, recorded, this.#showing)
    this.#exchanges.push(entry, entry.size)
    return entry
  }

  /** Returns about how many bytes of memory the command keeps. */
  recordCommand(at: number, command: Command): number {
    const size = sizeOf(command)
    this.#commands.push({ seq: ++this.#commandCount, at: formatInstant(at), command }, size)
    return size
  }

  /** The exchanges kept, oldest first. */
  exchanges(filter?: ExchangeFilter): Exchange[] {
    return this.entries(filter).map((entry) => entry.show())
  }

  /** The exchanges kept, oldest first, as they were recorded. */
  entries({ operation, ...filter }: ExchangeFilter = {}): JournalEntry[] {
    return select(this.#exchanges, filter, ({ recorded }) => {
      return operation === undefined || recorded.operation === operation
    })
  }

  /** The commands kept, oldest first. */
  commands(filter: EntryFilter = {}): RecordedCommand[] {
    return select(this.#commands, filter, () => true)
  }

  /** The number of the latest exchange and of the latest command; 0 before the first. */
  get latest(): { readonly exchange: number; readonly command: number } {
    return { exchange: this.#exchangeCount, command: this.#commandCount }
  }

  get usage(): JournalUsage {
    const [exchanges, commands] = [this.#exchanges, this.#commands]
    return { exchanges: exchanges.size, commands: commands.size, bytes: exchanges.bytes + commands.bytes }
  }

  /** Iterates over the reliances of each exchange, the oldest first. */
  *relied(): IterableIterator<Relied> {
    for (const { recorded } of this.#exchanges) {
      yield { operation: recorded.operation, event: null, reliances: recorded.reliances }
    }
  }

  clear(): void {
    this.#exchanges.clear()
    this.#commands.clear()
  }
}

/** Of entries numbered one after another, those that are wanted; the others are not walked through. */
function select<Entry extends { readonly seq: number }>(
  entries: RingBuffer<Entry>,
  { since = 0, limit = Number.POSITIVE_INFINITY }: EntryFilter,
  wanted: (entry: Entry) => boolean,
): Entry[] {
  const found: Entry[] = []
  const first = Math.max(0, since + 1 - (entries.at(0)?.seq ?? 0))
  for (let place = first; place < entries.size && found.length < limit; place++) {
    const entry = entries.at(place) as Entry
    if (wanted(entry)) found.push(entry)
  }
  return found
}

/** Returns about how many bytes of memory a plain value keeps; what a getter would make does not count. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 20 + value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 50
  // Lists have no getters, and those of header fields are long
  if (Array.isArray(value)) for (const held of value) size += sizeOf(held)
  else
    for (const { value: held } of Object.values(Object.getOwnPropertyDescriptors(value))) size += sizeOf(held)
  return size
}
