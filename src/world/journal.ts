import type { AnyOperationName } from '../contract/operations.js'
import type { Command } from './commands/index.js'
import {
  type AnsweredRequest,
  type Exchange,
  type ExchangeFacts,
  queryOf,
  type RecordedExchange,
  type RecordedFault,
  type ShowingOptions,
  showBody,
  textOf,
} from './exchange.js'
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

/** An exchange in a journal; it is rendered when somebody reads it. */
export class JournalEntry {
  readonly seq: number
  readonly recorded: RecordedExchange
  /** About how many bytes of memory it keeps. */
  readonly size: number
  readonly #showing: ShowingOptions

  constructor(seq: number, recorded: RecordedExchange, showing: ShowingOptions) {
    const { path, search, requestBody, responseBody } = recorded
    this.seq = seq
    this.recorded = recorded
    this.size = 1000 + path.length + search.length + (requestBody?.length ?? 0) + (responseBody?.size ?? 0)
    this.#showing = showing
  }

  /** The context in which it is shown, with a masker that knows the keys of this very request. */
  get showing(): ShowingOptions {
    const { requestHeaders, search } = this.recorded
    return { ...this.#showing, masker: this.#showing.masker.forRequest(requestHeaders, search) }
  }

  /** The exchange with keys and tokens masked, and long bodies cut. */
  show(): Exchange {
    const { showing } = this
    const headers = showing.masker.headers(Object.entries(this.recorded.responseHeaders))
    const response = { headers, body: showBody(textOf(this.recorded), showing) }
    return this.#show(showing, { request: this.#request(showing), response })
  }

  /** The same without headers and bodies. */
  showWithoutBodies(): ExchangeFacts {
    return this.#show(this.showing, {})
  }

  /** The same without the headers and the body of the answer. */
  showRequest(): AnsweredRequest {
    const { showing } = this
    return this.#show(showing, { request: this.#request(showing) })
  }

  #request(showing: ShowingOptions): Exchange['request'] {
    const { requestHeaders, requestBody } = this.recorded
    return { headers: showing.masker.headers(requestHeaders), body: showBody(requestBody, showing) }
  }

  #show<Contents extends object>(
    { world, masker }: ShowingOptions,
    contents: Contents,
  ): ExchangeFacts & Contents {
    const { at, operation, method, path, search, status, durationMs, reliances, fault, nearMiss } =
      this.recorded
    return {
      seq: this.seq,
      at: formatInstant(at),
      world,
      operation,
      method,
      path: masker.url(path),
      query: queryOf(search, masker),
      status,
      duration_ms: Math.round(durationMs * 1000) / 1000,
      ...contents,
      reliances,
      fault: masker.content(fault) as RecordedFault | null,
      near_miss: nearMiss === null ? null : masker.url(nearMiss),
    }
  }
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
