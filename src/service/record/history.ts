import type { LoggedChange } from './log.js'

/** A change of a world, without its time. */
export type UndatedChange = Omit<LoggedChange, 'at'> & Readonly<Record<string, unknown>>

/** Something that happened to a world. */
export interface PastChange {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The entry of a log, or the end of an exchange, which changes nothing by itself. */
  readonly change: UndatedChange | typeof exchangeEnd
  /** The number of the exchange or of the command in the journal. */
  readonly seq?: number | undefined
  /** The state of the delivery that has changed; never modified. */
  readonly delivery?: { readonly id: string } | undefined
  /** Of the end of an exchange: the position at which listeners learned of it, before what it triggered. */
  readonly from?: number | undefined
}

/** The end of an exchange. */
export const exchangeEnd = { type: 'exchange' } as const

/** Why the history of a world begins where it does. */
export type HistoryOrigin = 'start' | 'snapshot' | 'state' | 'fork' | 'cleared'

/** The numbers of the latest exchange and of the latest command in a journal; 0 if there was none. */
export interface LatestNumbers {
  exchange: number
  command: number
}

/** A position, and the instant of the last change before it. */
export interface HistoryPlace {
  readonly position: number
  readonly at: number
}

/** The changes after a whole state. */
interface Segment<State> {
  /** The number of changes before it. */
  readonly before: number
  /** The latest numbers before it. */
  readonly latest: LatestNumbers
  readonly state: State
  readonly changes: PastChange[]
  /** The estimated bytes of its changes. */
  bytes: number
}

/** What happened since a whole state. */
export interface PastSince<State> {
  readonly state: State
  readonly changes: readonly PastChange[]
}

/** The number of changes after which a whole state is noted, so that going back applies few of them. */
const segmentLength = 128

/** How many changes of all kinds are kept, and how many bytes of them, approximately. */
const capacity = { changes: 40_000, bytes: 64 * 1024 * 1024 }

/**
 * Keeps what happened to a world, in order: its changes, with a whole state every so often, and the end of each exchange.
 * The oldest make room for the newest. A position is a number of changes.
 */
export class History<State> {
  readonly #stateNow: () => State
  readonly #latest = new Map<string, () => PastChange>()
  #segments: Segment<State>[] = []
  #position = 0
  #origin: HistoryOrigin = 'start'
  #begunAt = 0
  #bytes = 0

  /** `stateNow` returns the whole state as it is; the history keeps what it returns. */
  constructor(stateNow: () => State) {
    this.#stateNow = stateNow
  }

  /** Why it begins where it does. */
  get origin(): HistoryOrigin {
    return this.#origin
  }

  /** The first position that it knows. */
  get first(): number {
    return this.#segments[0]?.before ?? this.#position
  }

  /** Whether it still has everything since its origin. */
  get isWhole(): boolean {
    return this.#begunAt === this.first
  }

  /** Forgets everything and begins with the present state. */
  begin(origin: HistoryOrigin): void {
    this.#latest.clear()
    this.#segments = []
    this.#origin = origin
    this.#begunAt = this.#position
    this.#bytes = 0
    this.#beginSegment()
  }

  /** Adds a change that has taken effect, of an estimated number of bytes. */
  add(change: PastChange, bytes = 200): void {
    this.flush()
    this.#push(change, bytes)
    if ((this.#segments.at(-1)?.changes.length ?? 0) >= segmentLength) this.#beginSegment()
  }

  /** Adds a change of which only the latest state counts until something else happens. */
  addLatest(name: string, make: () => PastChange): void {
    this.#latest.set(name, make)
  }

  /** Adds the changes of which only the latest state counts. */
  flush(): void {
    if (this.#latest.size === 0) return
    const pending = [...this.#latest.values()]
    this.#latest.clear()
    for (const make of pending) this.#push(make(), 500)
  }

  /** Returns the position after everything so far. */
  here(): number {
    this.flush()
    return this.#position
  }

  /** Adds the end of an exchange, of which listeners learned at the position `from`. */
  endExchange(at: number, seq: number, from: number): void {
    this.add({ at, change: exchangeEnd, seq, from }, 100)
  }

  /** Returns the state before a position and what happened from there on; undefined if it is not kept. */
  until(position: number): PastSince<State> | undefined {
    this.flush()
    const found = this.#segments.findLast(({ before }) => before <= position)
    return found && { state: found.state, changes: found.changes.slice(0, position - found.before) }
  }

  /**
   * Returns the place after the last change for which a predicate holds; undefined if there is none. A `exchange` says that it is
   * the end of that exchange, so that only a few changes are searched.
   */
  after(
    holds: (change: PastChange) => boolean,
    exchange = Number.POSITIVE_INFINITY,
  ): HistoryPlace | undefined {
    this.flush()
    for (let segment = this.#segments.length - 1; segment >= 0; segment--) {
      const { before, latest, changes } = this.#segments[segment] as Segment<State>
      if (latest.exchange >= exchange) continue
      const index = changes.findLastIndex(holds)
      if (index >= 0) return { position: before + index + 1, at: (changes[index] as PastChange).at }
    }
    return undefined
  }

  /** Returns the numbers of the latest exchange and the latest command before a position. */
  latestAt(position: number): LatestNumbers {
    const segment = this.#segments.findLast(({ before }) => before <= position)
    const latest = { exchange: 0, command: 0, ...segment?.latest }
    for (const { change, seq } of segment?.changes.slice(0, position - segment.before) ?? []) {
      if (seq !== undefined) latest[change.type as keyof LatestNumbers] = seq
    }
    return latest
  }

  /** Returns everything since the story began, with the state at that instant; undefined if it is no longer known. */
  whole(): PastSince<State> | undefined {
    return this.#origin === 'start' && this.isWhole ? this.kept() : undefined
  }

  /** Returns everything that is kept, with the state before it; or only what is near the end of an exchange. */
  kept(exchange?: number): PastSince<State> {
    this.flush()
    const last = this.#segments.findLastIndex(
      ({ latest }) => exchange !== undefined && latest.exchange < exchange,
    )
    const near = last < 0 ? this.#segments : this.#segments.slice(Math.max(0, last - 1), last + 1)
    return { state: near[0]?.state ?? this.#stateNow(), changes: near.flatMap(({ changes }) => changes) }
  }

  /** Returns the oldest change for which a predicate holds; undefined if none is kept. */
  oldest(holds: (change: PastChange) => boolean): PastChange | undefined {
    for (const { changes } of this.#segments) {
      const found = changes.find(holds)
      if (found) return found
    }
    return undefined
  }

  #push(change: PastChange, bytes: number): void {
    const segment = this.#segments.at(-1)
    if (!segment) return
    segment.changes.push(change)
    segment.bytes += bytes
    this.#bytes += bytes
    this.#position++
  }

  #beginSegment(): void {
    const before = this.#position
    const latest = this.latestAt(before)
    this.#segments.push({ before, latest, state: this.#stateNow(), changes: [], bytes: 0 })
    while (this.#segments.length > 1 && this.#isFull) this.#bytes -= this.#segments.shift()?.bytes ?? 0
  }

  get #isFull(): boolean {
    return this.#position - this.first > capacity.changes || this.#bytes > capacity.bytes
  }
}
