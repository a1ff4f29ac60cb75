/** How much a ring buffer holds. */
export interface RingLimits {
  readonly entries: number
  /** Of all entries together, as they were pushed; the newest is kept whatever its size. */
  readonly bytes?: number
}

/** The latest entries of a list without end: the oldest make room for the newest. */
export class RingBuffer<Entry> implements Iterable<Entry> {
  readonly #limits: Required<RingLimits>
  #entries: Entry[] = []
  /** The bytes of each entry; an object for both would be one more to keep for every request. */
  #sizes: number[] = []
  #bytes = 0

  constructor({ entries, bytes = Number.POSITIVE_INFINITY }: RingLimits) {
    this.#limits = { entries, bytes }
  }

  get size(): number {
    return this.#entries.length
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Adds an entry, and drops the oldest ones where there is no more room. */
  push(entry: Entry, bytes = 0): void {
    this.#entries.push(entry)
    this.#sizes.push(bytes)
    this.#bytes += bytes
    const { entries: most, bytes: mostBytes } = this.#limits
    while (this.size > most || (this.#bytes > mostBytes && this.size > 1)) {
      this.#entries.shift()
      this.#bytes -= this.#sizes.shift() ?? 0
    }
  }

  /** Returns the entry at a place, counted from 0 for the oldest; undefined where there is none. */
  at(place: number): Entry | undefined {
    return this.#entries[place]
  }

  /** Iterates from the oldest entry to the newest, as they are now. */
  [Symbol.iterator](): IterableIterator<Entry> {
    return [...this.#entries].values()
  }

  clear(): void {
    this.#entries = []
    this.#sizes = []
    this.#bytes = 0
  }
}
