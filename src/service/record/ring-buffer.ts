/** The limits of a ring buffer. */
export interface RingLimits {
  readonly entries?: number
  /** The sum of the sizes given to `push`; the newest entry is kept regardless of its size. */
  readonly bytes?: number
}

/** The limits of what a world records: they apply separately to exchanges, commands and events. */
const recordLimits = { entries: 10_000, bytes: 32 * 1024 * 1024 }

/** Keeps the latest entries of an endless list; the oldest make room for the newest. */
export class RingBuffer<Entry> implements Iterable<Entry> {
  readonly #limits: Required<RingLimits>
  #entries: Entry[] = []
  /** The size of each entry, in a separate list to save an object per request. */
  #sizes: number[] = []
  #bytes = 0

  constructor(limits: RingLimits = {}) {
    this.#limits = { ...recordLimits, ...limits }
  }

  get size(): number {
    return this.#entries.length
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Adds an entry of a size in bytes, and drops the oldest ones that exceed the limits. */
  push(entry: Entry, bytes = 0): void {
    this.#entries.push(entry)
    this.#sizes.push(bytes)
    this.#bytes += bytes
    const { entries: maxEntries, bytes: maxBytes } = this.#limits
    while (this.size > maxEntries || (this.#bytes > maxBytes && this.size > 1)) {
      this.#entries.shift()
      this.#bytes -= this.#sizes.shift() ?? 0
    }
  }

  /** Returns the entry at an index, 0 for the oldest; undefined if there is none. */
  at(index: number): Entry | undefined {
    return this.#entries[index]
  }

  /** Returns a ring buffer with the oldest entries, as many as `count`. */
  oldest(count: number): RingBuffer<Entry> {
    const copy = new RingBuffer<Entry>(this.#limits)
    copy.#entries = this.#entries.slice(0, count)
    copy.#sizes = this.#sizes.slice(0, count)
    copy.#bytes = copy.#sizes.reduce((sum, size) => sum + size, 0)
    return copy
  }

  /** Iterates over a copy of the entries, the oldest first. */
  [Symbol.iterator](): IterableIterator<Entry> {
    return [...this.#entries].values()
  }

  clear(): void {
    this.#entries = []
    this.#sizes = []
    this.#bytes = 0
  }
}
