import type { NamedOperation } from '../../contract/operations.js'
import type { Relied } from '../assumptions/settle.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { DeliveryEntry } from '../webhooks/delivery.js'
import { apply } from './apply.js'
import { type CommandEntry, type Draft, type Entry, type RecordedCommand, showCommand } from './entries.js'
import type { Exchange, JournalEntry } from './exchange.js'
import { type KeyedRequest, nameOfKept } from './kept-answers.js'
import type { SentMail } from './sent-mail.js'
import { copierOf, copyState, type InitialState, type WorldState } from './state.js'

/** The most requests, entries of any type, and bytes of the bodies of requests and responses and of written rows that a log keeps. */
const most = { requests: 10_000, entries: 40_000, bytes: 64 * 1024 * 1024 }

/** Called with each entry in order, again with one of a delivery whose attempt has ended, and with undefined at the end. */
type LogListener = (entry: Entry | undefined) => void

/**
 * What happened in a world: a start, and one list of entries, whose numbers count up for life. When there are too many, the
 * oldest are applied to the start. Every view of a world's past is one of this list, and any state since the start can be had.
 */
export class Log {
  readonly #onDefect: (error: unknown) => void
  readonly #limits: typeof most
  readonly #listeners = new Set<LogListener>()
  /** Entries of which listeners are still to be told: those that a listener causes come after the present one. */
  readonly #untold: (Entry | undefined)[] = []
  #isTelling = false
  #initialState: InitialState | undefined
  /** The state before the oldest entry, or what makes it: it is seldom needed, and as large as the world. */
  #start: WorldState | (() => WorldState) | undefined
  #entries: Entry[] = []
  #latest = 0
  /** The number before that of the first entry ever, here. */
  #before = 0
  #told = 0
  /** The kept entries that are requests and commands, and how many requests have lost their bodies. */
  #requests: JournalEntry[] = []
  #commands: CommandEntry[] = []
  #bodiless = 0
  /** The bytes of what is kept, about. */
  #bytes = 0
  /** How many requests were forgotten since the story began, by operation; '' for those for none. */
  #forgotten = new Map<string, number>()
  /** The state after an entry that was asked for last. */
  #known: { readonly seq: number; readonly state: WorldState } | undefined
  #ended = false
  /** Called with each entry that was added, or that has changed, before those who listen. */
  onChanged: ((entry: Entry) => void) | undefined

  /** `onDefect` is called with the errors that listeners throw. */
  constructor(onDefect: (error: unknown) => void = () => undefined, limits = most) {
    this.#onDefect = onDefect
    this.#limits = limits
  }

  /** Begins with a state, or goes on after other entries since that state; the numbers go on as well. */
  begin(initialState: InitialState, start: WorldState, entries: readonly Entry[] = []): void {
    this.#initialState = initialState
    this.#start = copierOf(initialState, start)
    this.#entries = []
    this.#requests = []
    this.#commands = []
    this.#bodiless = 0
    this.#bytes = 0
    this.#forgotten = new Map()
    this.#known = undefined
    for (const entry of entries) this.#add(entry)
    this.#latest = entries.at(-1)?.seq ?? this.#latest
    if (entries[0]) this.#before = entries[0].seq - 1
  }

  /** The number of the latest entry; 0 before the first. */
  get latest(): number {
    return this.#latest
  }

  /** The number of the oldest entry that is kept, or of the next one if none is. */
  get oldest(): number {
    return this.#entries[0]?.seq ?? this.#latest + 1
  }

  /** The entries that are kept, in order. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** The requests that are kept, in order. */
  get requests(): readonly JournalEntry[] {
    return this.#requests
  }

  /** The commands that are kept, in order. */
  get commands(): readonly CommandEntry[] {
    return this.#commands
  }

  /** How often listeners were told of something: it grows whenever anything happens. */
  get told(): number {
    return this.#told
  }

  /** The state before the oldest entry. */
  get start(): WorldState {
    if (typeof this.#start === 'function') this.#start = this.#start()
    return this.#start as WorldState
  }

  /** Whether the world was closed, or is going on elsewhere: no further entries follow. */
  get ended(): boolean {
    return this.#ended
  }

  /** How many of the kept requests, the oldest, have lost their bodies. */
  get bodiless(): number {
    return this.#bodiless
  }

  /** Returns how many requests of an operation, or of any, are no longer known since the story began. */
  forgotten(operation?: string | null): number {
    if (operation !== undefined) return this.#forgotten.get(operation ?? '') ?? 0
    return [...this.#forgotten.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Numbers an entry and adds it; then tells those who listen, in order. Returns the entry. */
  append<D extends Draft>(draft: D): Extract<Entry, { type: D['type'] }> {
    const entry = Object.assign(draft, { seq: this.#latest + 1 }) as unknown as Entry
    this.#latest = entry.seq
    this.#add(entry)
    this.onChanged?.(entry)
    this.#tell(entry)
    return entry as Extract<Entry, { type: D['type'] }>
  }

  /** Tells those who listen of an entry again, whose delivery has changed; it keeps its number. */
  update(entry: DeliveryEntry): void {
    if (entry.seq < this.oldest) apply(this.#initialState as InitialState, this.start, entry)
    if (this.#known && entry.seq <= this.#known.seq) this.#known = undefined
    this.onChanged?.(entry)
    this.#tell(entry)
  }

  /**
   * Returns how many entries after a number, by default since it began, are no longer kept; null if the number belongs to
   * another log, such as that of an earlier owner of the world.
   */
  missed(since = 0): number | null {
    const from = since === 0 ? this.#before : since
    if (from < this.#before || from > this.#latest) return null
    return Math.max(0, this.oldest - 1 - from)
  }

  /** Returns the entry of a number; undefined if it is not kept. */
  at(seq: number): Entry | undefined {
    return this.#entries[this.#placeOf(seq)]
  }

  /** Returns the entries after a number that are kept. */
  after(seq: number): readonly Entry[] {
    return this.#entries.slice(Math.max(0, this.#placeOf(seq + 1)))
  }

  /** Numbers have no holes, since every entry has one. */
  #placeOf(seq: number): number {
    return seq - this.oldest
  }

  /** Returns the state after the entry of a number, which may be changed; undefined if it is no longer, or not yet, known. */
  stateAt(seq: number): WorldState | undefined {
    const initialState = this.#initialState as InitialState
    if (seq < this.oldest - 1 || seq > this.#latest) return undefined
    const known = this.#known && this.#known.seq <= seq ? this.#known : undefined
    const state = copyState(initialState, known?.state ?? this.start)
    for (const entry of this.after(known?.seq ?? 0)) {
      if (entry.seq > seq) break
      apply(initialState, state, entry)
    }
    this.#known = { seq, state: copyState(initialState, state) }
    return state
  }

  /** Adds a listener; returns a function that removes it. */
  subscribe(listener: LogListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether somebody listens. */
  get followed(): boolean {
    return this.#listeners.size > 0
  }

  /** Forgets all entries; the state of now, and the numbers, stay. */
  forget(): void {
    const initialState = this.#initialState as InitialState
    const { start } = this
    for (const entry of this.#entries) apply(initialState, start, entry)
    this.begin(initialState, start)
  }

  /** Goes on after a number that is greater than all numbers so far, here and in other processes. */
  continueAfter(seq: number): void {
    this.#ended = false
    this.#latest = Math.max(seq, this.#latest)
    this.#before = this.#latest
  }

  /** Tells those who listen that the world was closed, or is going on elsewhere; the log can still be read. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#tell(undefined)
  }

  #add(entry: Entry): void {
    this.#entries.push(entry)
    if (entry.type === 'exchange') {
      this.#requests.push(entry)
    }
    if (entry.type === 'command') this.#commands.push(entry)
    this.#bytes += sizeOf(entry)
    const { requests, entries, bytes } = this.#limits
    // The latest request keeps its bodies, however long they are.
    while (this.#bytes > bytes && this.#bodiless < this.#requests.length - 1) this.#dropBodies()
    const isFull = (): boolean => this.#entries.length > 1 && this.#bytes > bytes
    while (this.#entries.length > entries || this.#requests.length > requests || isFull()) this.#foldOldest()
  }

  #dropBodies(): void {
    const oldest = this.#requests[this.#bodiless++] as JournalEntry
    this.#bytes -= oldest.size
    oldest.dropBodies()
  }

  #foldOldest(): void {
    const oldest = this.#entries.shift() as Entry
    apply(this.#initialState as InitialState, this.start, oldest)
    this.#bytes -= sizeOf(oldest)
    if (oldest.type === 'command') this.#commands.shift()
    if (oldest.type !== 'exchange') return
    this.#requests.shift()
    this.#bodiless = Math.max(0, this.#bodiless - 1)
    const { operation } = oldest.recorded
    this.#forgotten.set(operation ?? '', this.forgotten(operation) + 1)
  }

  #tell(entry: Entry | undefined): void {
    this.#told++
    this.#untold.push(entry)
    if (this.#isTelling) return
    this.#isTelling = true
    while (this.#untold.length > 0) {
      const next = this.#untold.shift()
      for (const listener of [...this.#listeners]) {
        try {
          listener(next)
        } catch (error) {
          this.#onDefect(error)
        }
      }
    }
    this.#isTelling = false
  }
}

/** Returns how many bytes an entry holds that the state of its world may not hold any more. */
function sizeOf(entry: Entry): number {
  if (entry.type === 'exchange') return entry.size
  if (entry.type !== 'command') return 0
  let size = 0
  for (const { after = {} } of entry.rows) {
    for (const value of Object.values(after)) if (typeof value === 'string') size += value.length
  }
  return size
}

/** Selects entries of a journal. */
export interface EntryFilter {
  /** Only entries after this number. */
  readonly since?: number | undefined
  /** The maximum number of entries to return, the oldest first. */
  readonly limit?: number | undefined
}

/** Selects exchanges of a journal. */
export interface ExchangeFilter extends EntryFilter {
  readonly operation?: NamedOperation | undefined
}

/** The requests and the commands in the log of a world. Commands are not masked, because they can be applied again. */
export class Journal {
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** Returns the kept exchanges, the oldest first. */
  exchanges(filter?: ExchangeFilter): Exchange[] {
    return this.entries(filter).map((entry) => entry.show())
  }

  /** Returns the kept exchanges unrendered, the oldest first. */
  entries({ operation, since = 0, limit }: ExchangeFilter = {}): JournalEntry[] {
    const { requests } = this.#log
    // Those who wait ask again after each one.
    const later =
      since === 0 ? requests : requests.slice(requests.findLastIndex(({ seq }) => seq <= since) + 1)
    const isWanted = ({ recorded }: JournalEntry): boolean => {
      return operation === undefined || recorded.operation === operation
    }
    return later.filter(isWanted).slice(0, limit)
  }

  /** Returns the kept commands, the oldest first. */
  commands({ since = 0, limit }: EntryFilter = {}): RecordedCommand[] {
    return this.#log.commands
      .filter(({ seq }) => seq > since)
      .slice(0, limit)
      .map(showCommand)
  }

  /** Returns the entries of the kept commands, the oldest first. */
  keptCommands(): CommandEntry[] {
    return [...this.#log.commands]
  }

  /** Returns the entries of the kept commands that a request applied. */
  commandsOf({ recorded: { commands = [] } }: JournalEntry): CommandEntry[] {
    return commands.flatMap((seq) => {
      const entry = this.#log.at(seq)
      return entry?.type === 'command' ? [entry] : []
    })
  }

  /** Returns the number of the exchange whose request applied a command; 0 if either is not kept. */
  exchangeOf(command: number): number {
    const entry = this.#log.at(command)
    return (entry?.type === 'command' && entry.exchange) || 0
  }

  /** Returns the number of the command that keeps the response to a request with an `Idempotency-Key`; 0 if it is not kept. */
  keeperOf(request: KeyedRequest): number {
    const name = nameOfKept(request)
    const keeper = this.#log.commands.findLast(({ answer }) => answer && nameOfKept(answer) === name)
    return keeper?.seq ?? 0
  }

  /** How many requests and commands are kept. */
  get usage(): { readonly exchanges: number; readonly commands: number } {
    return { exchanges: this.#log.requests.length, commands: this.#log.commands.length }
  }

  /** Iterates over the reliances of each exchange, the oldest first. */
  *relied(): IterableIterator<Relied> {
    for (const { recorded } of this.#log.requests) {
      yield { operation: recorded.operation, event: null, reliances: recorded.reliances }
    }
  }
}

/**
 * Returns the messages that agents sent by requests, in order: by all requests that the journal keeps, or by
 * these. Messages from the timeline, from the control API and of deleted mailboxes are not included.
 */
export function sentMail(
  { journal, store }: { readonly journal: Journal; readonly store: MailboxStore },
  entries: readonly JournalEntry[] = journal.entries(),
): SentMail[] {
  return entries.flatMap((entry) => {
    const { operation } = entry.recorded
    return journal.commandsOf(entry).flatMap(({ command, message: id }) => {
      if (command.type !== 'send-message' || operation === null) return []
      const message = store.get('message', id ?? '')
      return message
        ? [{ message, answered: command.in_reply_to ?? null, operation, exchange: entry.seq }]
        : []
    })
  })
}
