import type { NamedOperation } from '../../contract/operations.js'
import type { Relied } from '../assumptions/settle.js'
import type { MessageRow } from '../model/rows.js'
import { Masker } from '../record/masker.js'
import { RingBuffer } from '../record/ring-buffer.js'
import { formatInstant } from '../time/time.js'
import type { Command } from './commands/commands.js'
import {
  bodyTextOf,
  type Exchange,
  type ExchangeFacts,
  type ExchangeWithRequest,
  queryOf,
  type RecordedExchange,
  type RecordedFault,
  type ShowingOptions,
  showBody,
} from './exchange.js'

/** An applied command. */
export interface RecordedCommand {
  readonly seq: number
  readonly at: string
  readonly command: Command
}

/** A command as the journal keeps it. */
export interface KeptCommand extends RecordedCommand {
  /** The id of the message that it added, if any. */
  readonly message: string | null
  /** The memory it takes, in estimated bytes. */
  readonly size: number
  /** The number of the exchange whose request applied it, once that is recorded. */
  exchange?: number
}

/** Selects entries of a journal. */
export interface EntryFilter {
  /** Only entries after this sequence number. */
  readonly since?: number | undefined
  /** The maximum number of entries to return, the oldest first. */
  readonly limit?: number | undefined
}

/** Selects exchanges of a journal. */
export interface ExchangeFilter extends EntryFilter {
  readonly operation?: NamedOperation | undefined
}

/** The content of a journal in numbers; `bytes` is an estimate. */
export interface JournalUsage {
  readonly exchanges: number
  readonly commands: number
  readonly bytes: number
}

/** An exchange in a journal; it is rendered when it is read. */
export class JournalEntry {
  readonly seq: number
  readonly recorded: RecordedExchange
  /** The memory it takes, in estimated bytes. */
  readonly size: number
  readonly #showing: ShowingOptions

  constructor(seq: number, recorded: RecordedExchange, showing: ShowingOptions) {
    const { path, search, requestBody, requestBytes, responseBody } = recorded
    this.seq = seq
    this.recorded = recorded
    const received = (requestBody ?? requestBytes)?.length ?? 0
    this.size = 1000 + path.length + search.length + received + (responseBody?.size ?? 0)
    this.#showing = showing
  }

  /** The options for showing it, with a masker that also knows the keys of this request. */
  get showing(): ShowingOptions {
    const { requestHeaders, search } = this.recorded
    return { ...this.#showing, masker: this.#showing.masker.forRequest(requestHeaders, search) }
  }

  /** Returns the exchange with keys and tokens masked, and long bodies truncated. */
  show(): Exchange {
    const { showing } = this
    const headers = showing.masker.headers(Object.entries(this.recorded.responseHeaders))
    const response = { headers, body: showBody(bodyTextOf(this.recorded), showing) }
    return this.#show(showing, { request: this.#request(showing), response })
  }

  /** Returns the exchange with another response, to be shown in the same way. */
  withAnswer(answer: Pick<RecordedExchange, 'status' | 'responseHeaders' | 'responseBody'>): JournalEntry {
    return new JournalEntry(this.seq, { ...this.recorded, ...answer }, this.#showing)
  }

  /** Returns the exchange without headers and bodies. */
  showWithoutBodies(): ExchangeFacts {
    return this.#show(this.showing, {})
  }

  /** Returns the exchange without the headers and the body of the response. */
  showRequest(): ExchangeWithRequest {
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
    const {
      at,
      operation,
      method,
      path,
      search,
      status,
      durationMs,
      reliances,
      fault,
      hints = [],
      replayed,
      nearMiss,
      via,
      start,
    } = this.recorded
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
      replayed: replayed?.() ?? null,
      hints: hints.map((hint) => masker.text(hint)),
      near_miss: nearMiss === null ? null : masker.url(nearMiss),
      ...(via && { via }),
      ...(start !== undefined && { start }),
    }
  }
}

/**
 * Records the latest exchanges of a world, with keys and tokens masked when they are shown, and its latest
 * commands, which are not masked because they can be applied again.
 */
export class Journal {
  readonly #showing: ShowingOptions
  #exchanges = new RingBuffer<JournalEntry>()
  #commands = new RingBuffer<KeptCommand>()
  /** The number before those of the first exchange and of the first command. */
  #before = 0
  #latestExchange = 0
  #latestCommand = 0

  /** `bodyCharacters` is the number of characters of a body that are shown. */
  constructor(world: string, masker = new Masker(), bodyCharacters = 65_536) {
    this.#showing = { world, masker, bodyCharacters }
  }

  /** Adds an exchange. */
  record(recorded: RecordedExchange): JournalEntry {
    const entry = new JournalEntry(++this.#latestExchange, recorded, this.#showing)
    for (const command of this.commandsOf(entry)) command.exchange = entry.seq
    this.#exchanges.push(entry, entry.size)
    return entry
  }

  /** Adds a command, and the message that it added; `contentOf` returns the content of a file by its id. */
  recordCommand(
    at: number,
    applied: Command,
    added: MessageRow | undefined,
    contentOf: ContentOf,
  ): KeptCommand {
    const command = added ? withFilesByReference(applied, added, contentOf) : applied
    const size = sizeOf(command)
    const message = added?.id ?? null
    const kept: KeptCommand = { seq: ++this.#latestCommand, at: formatInstant(at), command, message, size }
    this.#commands.push(kept, size)
    return kept
  }

  /** Returns the kept exchanges, the oldest first. */
  exchanges(filter?: ExchangeFilter): Exchange[] {
    return this.entries(filter).map((entry) => entry.show())
  }

  /** Returns the kept exchanges unrendered, the oldest first. */
  entries({ operation, ...filter }: ExchangeFilter = {}): JournalEntry[] {
    return select(this.#exchanges, filter, ({ recorded }) => {
      return operation === undefined || recorded.operation === operation
    })
  }

  /** Returns the kept commands, the oldest first. */
  commands(filter: EntryFilter = {}): RecordedCommand[] {
    return select(this.#commands, filter, () => true).map(({ seq, at, command }) => ({ seq, at, command }))
  }

  /** Returns the number of the exchange whose request applied a command; 0 if either is not kept. */
  exchangeOf(command: number): number {
    const { exchange = 0 } = this.#commandAt(command) ?? {}
    return exchange > this.#latestExchange - this.#exchanges.size ? exchange : 0
  }

  /** Returns the commands that are kept, with what they added. */
  keptCommands(): KeptCommand[] {
    return [...this.#commands]
  }

  /** Returns the kept commands that a request applied. */
  commandsOf({ recorded: { commands = [] } }: JournalEntry): KeptCommand[] {
    return commands.flatMap((seq) => this.#commandAt(seq) ?? [])
  }

  #commandAt(seq: number): KeptCommand | undefined {
    return this.#commands.at(seq - (this.#commands.at(0)?.seq ?? 0))
  }

  /**
   * Returns how many entries after a number, by default since the beginning, are no longer kept; null if the number belongs
   * to another journal, such as that of an earlier owner of the world.
   */
  missed(what: 'exchanges' | 'commands', since = 0): number | null {
    const [kept, latest] = {
      exchanges: [this.#exchanges, this.#latestExchange] as const,
      commands: [this.#commands, this.#latestCommand] as const,
    }[what]
    const from = since === 0 ? this.#before : since
    if (from < this.#before || from > latest) return null
    return Math.max(0, latest - kept.size - from)
  }

  /** Continues after a number that is greater than all numbers so far, here and in other processes. */
  continueAfter(seq: number): void {
    this.clear()
    this.#before = Math.max(seq, this.#latestExchange, this.#latestCommand)
    this.#latestExchange = this.#before
    this.#latestCommand = this.#before
  }

  /** The number of the latest exchange; 0 if there was none. */
  get latest(): number {
    return this.#latestExchange
  }

  /** Returns a journal with only the entries up to an exchange and a command. */
  until(exchange: number, command: number): Journal {
    const { world, masker, bodyCharacters } = this.#showing
    const journal = new Journal(world, masker, bodyCharacters)
    journal.#before = this.#before
    journal.#latestExchange = Math.max(this.#before, exchange)
    journal.#latestCommand = Math.max(this.#before, command)
    const kept = <Entry extends { readonly seq: number }>(entries: RingBuffer<Entry>, latest: number) =>
      entries.oldest(Math.max(0, latest + 1 - (entries.at(0)?.seq ?? Number.POSITIVE_INFINITY)))
    journal.#exchanges = kept(this.#exchanges, exchange)
    journal.#commands = kept(this.#commands, command)
    return journal
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

type ContentOf = (attachmentId: string) => string | undefined

/**
 * Returns a command whose files are read from the mailbox when the command is read, so that they are kept only once, and no
 * longer than the message that it added. The content of a deleted file is empty.
 */
function withFilesByReference(
  command: Command,
  { attachment_ids: ids }: MessageRow,
  contentOf: ContentOf,
): Command {
  const { attachments = [] } = command as { attachments?: readonly { readonly content: string }[] }
  if (attachments.length === 0) return command
  const files = attachments.map((file, index) => {
    const content = { enumerable: true, get: () => contentOf(ids[index] as string) ?? '' }
    return Object.defineProperty({ ...file, content: '' }, 'content', content)
  })
  return { ...command, attachments: files } as Command
}

/** Returns the entries that pass the filter and the predicate, without walking through those before `since`. */
function select<Entry extends { readonly seq: number }>(
  entries: RingBuffer<Entry>,
  { since = 0, limit = Number.POSITIVE_INFINITY }: EntryFilter,
  predicate: (entry: Entry) => boolean,
): Entry[] {
  const found: Entry[] = []
  const first = Math.max(0, since + 1 - (entries.at(0)?.seq ?? 0))
  for (let index = first; index < entries.size && found.length < limit; index++) {
    const entry = entries.at(index) as Entry
    if (predicate(entry)) found.push(entry)
  }
  return found
}

/** Estimates the memory of a plain value, in bytes; does not call getters. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 20 + value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 50
  // Lists have no getters, and those of header fields are long.
  if (Array.isArray(value)) for (const held of value) size += sizeOf(held)
  else
    for (const { value: held } of Object.values(Object.getOwnPropertyDescriptors(value))) size += sizeOf(held)
  return size
}
