import { RingBuffer } from './ring-buffer.js'
import { formatInstant } from './time.js'

/** The types of the events of a world. */
export const worldEventTypes = [
  'exchange',
  'command',
  'event',
  'delivery',
  'timeline',
  'fault',
  'readings',
  'clock',
  'reset',
] as const

/** The type of an event of a world. */
export type WorldEventType = (typeof worldEventTypes)[number]

/** Something that happened in a world. */
export interface WorldEvent {
  /** Counts up from 1, through resets as well. */
  readonly seq: number
  readonly type: WorldEventType
  /** The world's time, ISO 8601 UTC. */
  readonly at: string
  readonly world: string
  /** The exchange, the command, …: with keys and tokens masked. */
  readonly data: unknown
}

/** Events that were dropped before a reader came to them. */
export interface EventFeedGap {
  readonly type: 'gap'
  /** The number of the latest of them. */
  readonly seq: number
  /** How many they are; null where the reader has the numbers of another feed. */
  readonly missed: number | null
}

/** An event as it is kept; its content is rendered when somebody reads it. */
export interface StoredWorldEvent {
  readonly type: WorldEventType
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly content: { show(): unknown }
}

const limits = { entries: 10_000, bytes: 32 * 1024 * 1024 }

/** Called after an event, when the feed ends, and with `true` before events are dropped by `clear`. */
type Listener = (clearing: boolean) => void

/** The events of a world in order, for listeners and for readers who come later. */
export class EventFeed {
  readonly #world: string
  readonly #onDefect: (error: unknown) => void
  readonly #listeners = new Set<Listener>()
  readonly #kept = new RingBuffer<StoredWorldEvent>(limits)
  #latest = 0
  #closed = false

  /** `onDefect` is called with the errors of listeners, which affect nothing else. */
  constructor(world: string, onDefect: (error: unknown) => void) {
    this.#world = world
    this.#onDefect = onDefect
  }

  /** The number of the latest event; 0 before the first. */
  get latest(): number {
    return this.#latest
  }

  /** The number of the oldest event that is kept, or of the next one where none is. */
  get oldest(): number {
    return this.#latest - this.#kept.size + 1
  }

  /** Whether its world was closed: there will be no further events. */
  get closed(): boolean {
    return this.#closed
  }

  get bytes(): number {
    return this.#kept.bytes
  }

  /** Adds an event at the world's time; `size` is about how many bytes of memory it keeps. */
  publish(type: WorldEventType, at: number, content: StoredWorldEvent['content'], size = 500): void {
    this.#latest++
    this.#kept.push({ type, at, content }, size)
    this.#notify(false)
  }

  /** Returns the events after a number, as far as they are kept. */
  after(seq: number): WorldEvent[] {
    const found: WorldEvent[] = []
    const reader = new EventFeedReader(this, seq)
    for (let next = reader.next(); next; next = reader.next()) if (next.type !== 'gap') found.push(next)
    return found
  }

  /** Returns the event of a number unrendered; undefined where it is not kept. */
  keptAt(seq: number): StoredWorldEvent | undefined {
    return this.#kept.at(seq - this.oldest)
  }

  /** Returns the event of a number; undefined where it is not kept. */
  at(seq: number): WorldEvent | undefined {
    const kept = this.keptAt(seq)
    if (!kept) return undefined
    const { type, at, content } = kept
    return { seq, type, at: formatInstant(at), world: this.#world, data: content.show() }
  }

  /** Calls a listener from now on; returns a function that stops it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Drops all events; their count goes on. */
  clear(): void {
    this.#notify(true)
    this.#kept.clear()
  }

  /** Ends the feed and drops its listeners; its events can still be read. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#notify(false)
    this.#listeners.clear()
  }

  #notify(clearing: boolean): void {
    for (const listener of this.#listeners) {
      try {
        listener(clearing)
      } catch (error) {
        this.#onDefect(error)
      }
    }
  }
}

/** Reads a feed in order, at its own pace; it keeps nothing but the number it has come to. */
export class EventFeedReader {
  readonly #feed: EventFeed
  readonly #types: ReadonlySet<WorldEventType> | undefined
  #seq: number

  /** Begins after the event of a number; with `types`, skips the others. */
  constructor(feed: EventFeed, after: number, types?: ReadonlySet<WorldEventType>) {
    this.#feed = feed
    this.#types = types
    this.#seq = after
  }

  /** Returns the next event, or the gap before it; undefined where everything has been read. */
  next(): WorldEvent | EventFeedGap | undefined {
    const { oldest, latest } = this.#feed
    if (this.#seq > latest || this.#seq + 1 < oldest) {
      const missed = this.#seq > latest ? null : oldest - 1 - this.#seq
      this.#seq = oldest - 1
      return { type: 'gap', seq: this.#seq, missed }
    }
    while (this.#seq < this.#feed.latest) {
      const kept = this.#feed.keptAt(++this.#seq) as StoredWorldEvent
      if (!this.#types || this.#types.has(kept.type)) return this.#feed.at(this.#seq)
    }
    return undefined
  }
}
