import { Ring } from './ring.js'
import { formatInstant } from './time.js'

/** The kinds of things that happen in a world. */
export const happeningTypes = [
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

/** What kind of thing happened in a world. */
export type HappeningType = (typeof happeningTypes)[number]

/** Something that happened in a world. */
export interface Happening {
  /** Counts up from 1, through resets as well. */
  readonly seq: number
  readonly type: HappeningType
  /** The world's time, ISO 8601 UTC. */
  readonly at: string
  readonly world: string
  /** The exchange, the command, …: with keys and tokens masked. */
  readonly data: unknown
}

/** Happenings that a reader can no longer have, since they were forgotten before it came to them. */
export interface FeedGap {
  readonly type: 'gap'
  /** The number of the latest of them. */
  readonly seq: number
  /** How many they are; null where the reader goes by the numbers of another feed. */
  readonly missed: number | null
}

/** What a happening shows, made when somebody looks. */
interface Shown {
  show(): unknown
}

/** A happening as it is kept; at an instant, in milliseconds since the epoch. */
export interface KeptHappening {
  readonly type: HappeningType
  readonly at: number
  readonly content: Shown
}

/** How many happenings are kept for those who come later. */
const mostKept = 10_000

/** Told that something happened, that it is over, or that what happened so far is about to be forgotten. */
type Listener = (forgetting: boolean) => void

/** Everything that happens in a world, in order, for whoever listens or comes back for what they missed. */
export class Feed {
  readonly #world: string
  readonly #onDefect: (error: unknown) => void
  readonly #listeners = new Set<Listener>()
  readonly #kept = new Ring<KeptHappening>(mostKept)
  #latest = 0
  #closed = false

  /** A listener that throws disturbs nothing that happens: its error goes to `onDefect`. */
  constructor(world: string, onDefect: (error: unknown) => void) {
    this.#world = world
    this.#onDefect = onDefect
  }

  /** The number of the latest happening; 0 before the first. */
  get latest(): number {
    return this.#latest
  }

  /** Whether nothing will happen any more, since the world was let go of. */
  get closed(): boolean {
    return this.#closed
  }

  /** Tells that something happened, at the world's time. */
  publish(type: HappeningType, at: number, content: Shown): void {
    this.#latest++
    this.#kept.push({ type, at, content })
    if (this.#listeners.size > 0) this.#tell(false)
  }

  /** What happened after the happening of that number, as far as it is kept. */
  after(seq: number): Happening[] {
    const found: Happening[] = []
    const reader = new FeedReader(this, seq)
    for (let next = reader.next(); next; next = reader.next()) if (next.type !== 'gap') found.push(next)
    return found
  }

  /** Forgets what happened; the count goes on. */
  clear(): void {
    this.#tell(true)
    this.#kept.clear()
  }

  /** Has somebody told, at once; gives back how to have it end. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Lets go of everybody who listens; what happened is still there to read. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#tell(false)
    this.#listeners.clear()
  }

  /** The number of the oldest happening that is kept, or of the next one where none is. */
  get oldest(): number {
    return this.#latest - this.#kept.size + 1
  }

  /** The kind of happening that has a number, as long as it is kept. */
  typeOf(seq: number): HappeningType | undefined {
    return this.keptAt(seq)?.type
  }

  /** The happening of a number as it is kept, for whoever need not see all of it. */
  keptAt(seq: number): KeptHappening | undefined {
    return this.#kept.at(seq - this.oldest)
  }

  /** The happening of a number, as long as it is kept. */
  at(seq: number): Happening | undefined {
    const kept = this.keptAt(seq)
    if (!kept) return undefined
    const { type, at, content } = kept
    return { seq, type, at: formatInstant(at), world: this.#world, data: content.show() }
  }

  #tell(forgetting: boolean): void {
    for (const listener of this.#listeners) {
      try {
        listener(forgetting)
      } catch (error) {
        this.#onDefect(error)
      }
    }
  }
}

/** Reads a feed in order, at its own pace; it keeps nothing but the number it has come to. */
export class FeedReader {
  readonly #feed: Feed
  readonly #types: ReadonlySet<HappeningType> | undefined
  #seq: number

  /** Begins after the happening of that number; with `types`, the others are passed over. */
  constructor(feed: Feed, after: number, types?: ReadonlySet<HappeningType>) {
    this.#feed = feed
    this.#types = types
    this.#seq = after
  }

  /** What comes next: a happening, or what was missed; undefined when everything has been read. */
  next(): Happening | FeedGap | undefined {
    const gap = this.#gap()
    if (gap) return gap
    while (this.#seq < this.#feed.latest) {
      const type = this.#feed.typeOf(++this.#seq) as HappeningType
      if (!this.#types || this.#types.has(type)) return this.#feed.at(this.#seq)
    }
    return undefined
  }

  #gap(): FeedGap | undefined {
    const { oldest, latest } = this.#feed
    const elsewhere = this.#seq > latest
    if (!elsewhere && this.#seq + 1 >= oldest) return undefined
    const missed = elsewhere ? null : oldest - 1 - this.#seq
    this.#seq = oldest - 1
    return { type: 'gap', seq: this.#seq, missed }
  }
}
