import type { OperationName } from '../contract/operations.js'
import type { Command } from './commands/index.js'
import type { Fault } from './faults/fault.js'
import { maskBody, maskHeaders } from './masking.js'
import type { Reliance } from './settle.js'
import { formatInstant } from './time.js'

/** One request with its answer, as users see it. */
export interface Exchange {
  readonly seq: number
  /** The world's time, ISO 8601. */
  readonly at: string
  readonly world: string
  /** Null where the request met none of the operations. */
  readonly operation: OperationName | null
  readonly method: string
  readonly path: string
  /** Values by name; a list where a name was given more than once. */
  readonly query: Readonly<Record<string, string | string[]>>
  readonly status: number
  /** Wall time the simulator took, in milliseconds. */
  readonly duration_ms: number
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null }
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null }
  readonly reliances: readonly Reliance[]
  /** The rule that disturbed it, under its id. */
  readonly fault: RecordedFault | null
  /** What an unmatched request came closest to, and why it missed. */
  readonly near_miss: string | null
}

/** A fault rule as an exchange keeps it. */
export type RecordedFault = Fault & { readonly id: string }

/** An exchange as it is recorded: nothing copied, masked or cut before somebody looks. */
export interface RecordedExchange {
  readonly at: number
  readonly operation: OperationName | null
  readonly method: string
  readonly path: string
  readonly search: string
  readonly status: number
  readonly durationMs: number
  readonly requestHeaders: Headers
  readonly requestBody: string | null
  readonly responseHeaders: Readonly<Record<string, string>>
  /** Read when somebody looks. */
  readonly responseBody: { text(): string } | null
  readonly reliances: readonly Reliance[]
  readonly fault: RecordedFault | null
  readonly nearMiss: string | null
}

/** A command as it was applied. */
export interface RecordedCommand {
  readonly seq: number
  readonly at: string
  readonly command: Command
}

/** Which exchanges to look at. */
export interface ExchangeFilter {
  readonly operation?: OperationName
  /** Only exchanges after this sequence number. */
  readonly since?: number
}

/** How much of a journal is kept. */
export interface JournalLimits {
  /** Exchanges, and commands, kept; older ones go first. */
  readonly entries: number
  /** Characters of a body that are shown. */
  readonly bodyCharacters: number
}

const defaultLimits: JournalLimits = { entries: 10_000, bodyCharacters: 65_536 }

/**
 * What happened in a world: the latest exchanges, with keys and tokens masked, and the latest commands, whole,
 * since they are there to be applied again.
 */
export class Journal {
  readonly #world: string
  readonly #limits: JournalLimits
  #exchanges: { seq: number; recorded: RecordedExchange }[] = []
  #commands: RecordedCommand[] = []
  #exchangeCount = 0
  #commandCount = 0

  constructor(world: string, limits: JournalLimits = defaultLimits) {
    this.#world = world
    this.#limits = limits
  }

  /** Adds an exchange; gives back how to show it. */
  record(recorded: RecordedExchange): () => Exchange {
    const seq = ++this.#exchangeCount
    push(this.#exchanges, { seq, recorded }, this.#limits.entries)
    return () => this.#show(seq, recorded)
  }

  /** Adds a command that was applied. */
  recordCommand(at: number, command: Command): void {
    const entry = { seq: ++this.#commandCount, at: formatInstant(at), command }
    push(this.#commands, entry, this.#limits.entries)
  }

  /** The exchanges kept, oldest first. */
  exchanges(filter: ExchangeFilter = {}): Exchange[] {
    return this.#exchanges
      .slice(-this.#limits.entries)
      .filter(({ seq, recorded }) => {
        const wanted = filter.operation === undefined || recorded.operation === filter.operation
        return wanted && seq > (filter.since ?? 0)
      })
      .map(({ seq, recorded }) => this.#show(seq, recorded))
  }

  /** The commands kept, oldest first. */
  commands(): readonly RecordedCommand[] {
    return this.#commands.slice(-this.#limits.entries)
  }

  /** What exchanges relied on: the gaps in the order they first came up, each with how often. */
  reliances(): RelianceSummary[] {
    const byGap = new Map<string, RelianceSummary>()
    for (const { recorded } of this.#exchanges.slice(-this.#limits.entries)) {
      for (const { gap, reading } of recorded.reliances) {
        const key = `${gap}=${reading}`
        const summary = byGap.get(key) ?? { gap, reading, operations: [], count: 0 }
        const { operation } = recorded
        const known = operation === null || summary.operations.includes(operation)
        const seenIn = known ? summary.operations : [...summary.operations, operation]
        byGap.set(key, { ...summary, operations: seenIn, count: summary.count + 1 })
      }
    }
    return [...byGap.values()]
  }

  /** Forgets everything. */
  clear(): void {
    this.#exchanges = []
    this.#commands = []
  }

  #show(seq: number, recorded: RecordedExchange): Exchange {
    const { bodyCharacters } = this.#limits
    return {
      seq,
      at: formatInstant(recorded.at),
      world: this.#world,
      operation: recorded.operation,
      method: recorded.method,
      path: recorded.path,
      query: queryOf(recorded.search),
      status: recorded.status,
      duration_ms: Math.round(recorded.durationMs * 1000) / 1000,
      request: {
        headers: maskHeaders(Object.fromEntries(recorded.requestHeaders)),
        body: maskBody(recorded.requestBody, bodyCharacters),
      },
      response: {
        headers: maskHeaders(recorded.responseHeaders),
        body: maskBody(recorded.responseBody?.text() ?? null, bodyCharacters),
      },
      reliances: recorded.reliances,
      fault: recorded.fault,
      near_miss: recorded.nearMiss,
    }
  }
}

/** How often a world's exchanges relied on a reading. */
export interface RelianceSummary {
  readonly gap: string
  readonly reading: string
  readonly operations: readonly OperationName[]
  readonly count: number
}

/** Appends, and drops the oldest half in one go once twice the limit is there: O(1) on average. */
function push<T>(list: T[], entry: T, limit: number): void {
  list.push(entry)
  if (list.length >= limit * 2) list.splice(0, list.length - limit)
}

function queryOf(search: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(search)) {
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}
