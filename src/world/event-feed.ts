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

/** An event of a world. */
export interface WorldEvent {
  /** Counts up from 1; resets do not restart it. */
  readonly seq: number
  readonly type: WorldEventType
  /** The world's time, ISO 8601 UTC. */
  readonly at: string
  readonly world: string
  /** The exchange, the command and so on, with keys and tokens masked. */
  readonly data: unknown
}

/** Tells a reader that events were dropped before it read them. */
export interface EventFeedGap {
  readonly type: 'gap'
  /** The number of the latest dropped event. */
  readonly seq: number
  /** How many were dropped; null if the reader's number belongs to another feed. */
  readonly missed: number | null
}

/** An event as it is stored; its content is rendered when it is read. */
export interface StoredWorldEvent {
  readonly type: WorldEventType
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly content: { show(): unknown }
}

/** Called after each event, when the feed ends, and with `true` before `clear` drops the events. */
type Listener = (clearing: boolean) => void

/** Publishes the events of a world to listeners, and keeps the latest for later readers. */
export class EventFeed {
  readonly #world: string
  readonly #onDefect: (error: unknown) => void
  readonly #listeners = new Set<Listener>()
  readonly #kept = new RingBuffer<StoredWorldEvent>()
  #latest = 0
  #closed = false

  /** `onDefect` is called with the errors that listeners throw. */
  constructor(world: string, onDefect: (error: unknown) => void) {
    this.#world = world
    this.#onDefect = onDefect
  }

  /** The number of the latest event; 0 before the first. */
  get latest(): number {
    return this.#latest
  }

  /** The number of the oldest event that is kept, or of the next event if none is. */
  get oldest(): number {
    return this.#latest - this.#kept.size + 1
  }

  /** Whether the world was closed, so that no further events follow. */
  get closed(): boolean {
    return this.#closed
  }

  /** Publishes an event at the world's time; `size` is an estimate of the memory it takes, in bytes. */
  publish(type: WorldEventType, at: number, content: StoredWorldEvent['content'], size = 500): void {
    this.#latest++
    this.#kept.push({ type, at, content }, size)
    this.#notify(false)
  }

  /** Returns the kept events after a number. */
  after(seq: number): WorldEvent[] {
    const found: WorldEvent[] = []
    const reader = new EventFeedReader(this, seq)
    for (let next = reader.next(); next; next = reader.next()) if (next.type !== 'gap') found.push(next)
    return found
  }

  /** Returns the unrendered event of a number; undefined if it is not kept. */
  keptAt(seq: number): StoredWorldEvent | undefined {
    return this.#kept.at(seq - this.oldest)
  }

  /** Returns the event of a number; undefined if it is not kept. */
  at(seq: number): WorldEvent | undefined {
    const kept = this.keptAt(seq)
    if (!kept) return undefined
    const { type, at, content } = kept
    return { seq, type, at: formatInstant(at), world: this.#world, data: content.show() }
  }

  /** Adds a listener; returns a function that removes it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Drops all events; the numbers continue. */
  clear(): void {
    this.#notify(true)
    this.#kept.clear()
  }

  /** Ends the feed and removes its listeners; its events can still be read. */
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

  /** Starts after the event of a number; with `types`, skips all other types. */
  constructor(feed: EventFeed, after: number, types?: ReadonlySet<WorldEventType>) {
    this.#feed = feed
    this.#types = types
    this.#seq = after
  }

  /** Returns the next event, or the gap before it; undefined if all events have been read. */
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
