import { encodeJson } from '../../base/json.js'
import { formatInstant } from '../time/time.js'
import { RingBuffer } from './ring-buffer.js'

/** The types of the events of a world. */
export const worldEventTypes = [
  'exchange',
  'command',
  'event',
  'delivery',
  'timeline',
  'fault',
  'assumptions',
  'clock',
  'reset',
] as const

/** The type of an event of a world. */
export type WorldEventType = (typeof worldEventTypes)[number]

/** An event of a world. */
export interface WorldEvent {
  /**
   * Counts up from 1, or with a persistent state from above the numbers of earlier servers; resets do not
   * restart it.
   */
  readonly seq: number
  readonly type: WorldEventType
  /** The world's time, ISO 8601 UTC. */
  readonly at: string
  readonly world: string
  /** The exchange, the command and so on, with keys and tokens masked. */
  readonly data: unknown
}

/** Says that events were dropped before a reader read them. */
export interface EventFeedGap {
  readonly type: 'gap'
  /** The number of the latest dropped event. */
  readonly seq: number
  /** How many were dropped; null if the reader's number belongs to another feed, such as that of an earlier owner. */
  readonly missed: number | null
}

/** An event as it is stored; its content is rendered when it is read. */
export interface StoredWorldEvent {
  readonly type: WorldEventType
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly content: { show(): unknown }
}

/** The maximum number of bytes of encoded events that a feed keeps for its other listeners. */
const maxEncoded = 16 * 1024 * 1024

/** Called after each event, when the feed ends, and with `true` before `clear` drops the events. */
type Listener = (clearing: boolean) => void

/** Publishes the events of a world to listeners, and keeps the latest for later readers. */
export class EventFeed {
  readonly #world: string
  readonly #onDefect: (error: unknown) => void
  readonly #secretCount: () => number
  readonly #listeners = new Set<Listener>()
  #kept = new RingBuffer<StoredWorldEvent>()
  /** Sent events, by number: usually, all listeners get the same events within a short time. */
  readonly #encoded = new Map<number, Uint8Array>()
  #encodedBytes = 0
  /** The number of known secrets when they were encoded: once another is known, more is masked. */
  #encodedSecrets = 0
  #before = 0
  #latest = 0
  #suspended = false
  #closed = false

  /**
   * `onDefect` is called with the errors that listeners throw; `secretCount` returns how many secrets are masked in events.
   */
  constructor(world: string, onDefect: (error: unknown) => void, secretCount = () => 0) {
    this.#world = world
    this.#onDefect = onDefect
    this.#secretCount = secretCount
  }

  /** The number before that of its first event. */
  get before(): number {
    return this.#before
  }

  /** The number of the latest event; `before` if there was none. */
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

  /** Whether another process may continue the world; readers should disconnect. */
  get suspended(): boolean {
    return this.#suspended
  }

  /** Whether there are listeners. */
  get followed(): boolean {
    return this.#listeners.size > 0
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

  /** Returns the event of a number as it is sent, encoded once for all listeners; undefined if it is not kept. */
  encodedAt(seq: number): Uint8Array | undefined {
    const secrets = this.#secretCount()
    if (secrets !== this.#encodedSecrets) this.#forgetEncoded()
    this.#encodedSecrets = secrets
    const known = this.#encoded.get(seq)
    if (known) return known
    const event = this.at(seq)
    if (!event) return undefined
    const encoded = encodeEvent(event)
    this.#encoded.set(seq, encoded)
    this.#encodedBytes += encoded.length
    for (const [oldest, { length }] of this.#encoded) {
      if (this.#encodedBytes <= maxEncoded) break
      this.#encoded.delete(oldest)
      this.#encodedBytes -= length
    }
    return encoded
  }

  /** Takes over the kept events of another feed up to an instant, with their numbers. */
  continueFrom(other: EventFeed, until: number): void {
    let count = other.#kept.size
    while (count > 0 && (other.#kept.at(count - 1) as StoredWorldEvent).at > until) count--
    this.#kept = other.#kept.oldest(count)
    this.#before = other.#before
    this.#latest = other.oldest - 1 + count
  }

  /** Adds a listener; returns a function that removes it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#forgetEncoded()
    }
  }

  /** Drops all events; the numbers continue. */
  clear(): void {
    this.#notify(true)
    this.#kept.clear()
    this.#forgetEncoded()
  }

  /** Notifies listeners that another process may continue the world. */
  suspend(): void {
    this.#suspended = true
    this.#notify(false)
  }

  /** Continues after a number that is greater than all numbers so far, here and in other processes. */
  continueAfter(seq: number): void {
    this.clear()
    this.#suspended = false
    this.#before = Math.max(seq, this.#latest)
    this.#latest = this.#before
  }

  /** Ends the feed and removes its listeners; its events can still be read. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#notify(false)
    this.#listeners.clear()
    this.#forgetEncoded()
  }

  #forgetEncoded(): void {
    this.#encoded.clear()
    this.#encodedBytes = 0
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

/** Reads a feed in order, at its own pace; it keeps only the number that it has reached. */
export class EventFeedReader {
  readonly #feed: EventFeed
  readonly #types: ReadonlySet<WorldEventType> | undefined
  #seq: number

  /** Starts after the event with a number, or at the beginning for 0; with `types`, skips all other types. */
  constructor(feed: EventFeed, after: number, types?: ReadonlySet<WorldEventType>) {
    this.#feed = feed
    this.#types = types
    this.#seq = after === 0 ? feed.before : after
  }

  /** Returns the next event, or the gap before it; undefined if all events have been read. */
  next(): WorldEvent | EventFeedGap | undefined {
    const next = this.#advance()
    return next && ('missed' in next ? next : this.#feed.at(this.#seq))
  }

  /** Returns the same as `next`, in the form in which it is sent. */
  nextEncoded(): Uint8Array | undefined {
    const next = this.#advance()
    return next && ('missed' in next ? encodeEvent(next) : this.#feed.encodedAt(this.#seq))
  }

  /** Moves on to the next event, or to the end of the gap before it. */
  #advance(): StoredWorldEvent | EventFeedGap | undefined {
    const { before, oldest, latest } = this.#feed
    const isForeign = this.#seq > latest || this.#seq < before
    if (isForeign || this.#seq + 1 < oldest) {
      const missed = isForeign ? null : oldest - 1 - this.#seq
      this.#seq = oldest - 1
      return { type: 'gap', seq: this.#seq, missed }
    }
    while (this.#seq < this.#feed.latest) {
      const kept = this.#feed.keptAt(++this.#seq) as StoredWorldEvent
      if (!this.#types || this.#types.has(kept.type)) return kept
    }
    return undefined
  }
}

/** Encodes an event, or a gap, as a Server-Sent Event whose data is one line of JSON. */
function encodeEvent(event: WorldEvent | EventFeedGap): Uint8Array {
  return encodeJson(event, `id: ${event.seq}\nevent: ${event.type}\ndata: `, '\n\n')
}
