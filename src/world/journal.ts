import type { OperationName } from '../contract/operations.js'
import type { Command } from './commands/index.js'
import {
  type AnsweredRequest,
  type Exchange,
  type RecordedExchange,
  type ShowingOptions,
  showExchange,
  showRequest,
} from './exchange.js'
import { Masker } from './masking/masker.js'
import type { Relied } from './reliance-summary.js'
import { Ring } from './ring.js'
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
  readonly operation?: OperationName | undefined
}

/** How much of a journal is kept. */
export interface JournalLimits {
  /** Exchanges, and commands, kept; older ones go first. */
  readonly entries: number
  /** Characters of a body that are shown. */
  readonly bodyCharacters: number
}

const defaultLimits: JournalLimits = { entries: 10_000, bodyCharacters: 65_536 }

/** How the entries of a journal are shown. */
type Showing = Omit<ShowingOptions, 'seq'>

/** An exchange in a journal: what it shows is made when somebody looks. */
export class JournalEntry {
  readonly seq: number
  readonly recorded: RecordedExchange
  readonly #showing: Showing

  constructor(seq: number, recorded: RecordedExchange, showing: Showing) {
    this.seq = seq
    this.recorded = recorded
    this.#showing = showing
  }

  /** How it is shown. */
  get showing(): ShowingOptions {
    const { requestHeaders, search } = this.recorded
    const masker = this.#showing.masker.forRequest(requestHeaders, search)
    return { ...this.#showing, seq: this.seq, masker }
  }

  /** The exchange with keys and tokens masked, and long bodies cut. */
  show(): Exchange {
    return showExchange(this.recorded, this.showing)
  }

  /** The same without what the answer holds. */
  showRequest(): AnsweredRequest {
    return showRequest(this.recorded, this.showing)
  }
}

/**
 * What happened in a world: the latest exchanges, with keys and tokens masked, and the latest commands, whole,
 * since they are there to be applied again.
 */
export class Journal {
  readonly #showing: Showing
  readonly #exchanges: Ring<JournalEntry>
  readonly #commands: Ring<RecordedCommand>
  #exchangeCount = 0
  #commandCount = 0

  constructor(world: string, masker = new Masker(), { entries, bodyCharacters } = defaultLimits) {
    this.#showing = { world, masker, bodyCharacters }
    this.#exchanges = new Ring(entries)
    this.#commands = new Ring(entries)
  }

  /** Adds an exchange. */
  record(recorded: RecordedExchange): JournalEntry {
    const entry = new JournalEntry(++this.#exchangeCount, recorded, this.#showing)
    this.#exchanges.push(entry)
    return entry
  }

  /** Adds a command that was applied. */
  recordCommand(at: number, command: Command): void {
    this.#commands.push({ seq: ++this.#commandCount, at: formatInstant(at), command })
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

  /** What each exchange relied on, the oldest first. */
  *relied(): IterableIterator<Relied> {
    for (const { recorded } of this.#exchanges) {
      yield { operation: recorded.operation, event: null, reliances: recorded.reliances }
    }
  }

  /** Forgets everything. */
  clear(): void {
    this.#exchanges.clear()
    this.#commands.clear()
  }
}

/** Of entries numbered one after another, those that are wanted; the others are not walked through. */
function select<Entry extends { readonly seq: number }>(
  entries: Ring<Entry>,
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
