/** The latest entries of a list that goes on and on: the oldest make room for the newest. */
export class Ring<Entry> implements Iterable<Entry> {
  readonly #capacity: number
  #entries: Entry[] = []
  /** Where the oldest entry is, once there are as many as there may be. */
  #start = 0

  /** `capacity` is how many entries are kept. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** How many entries there are. */
  get size(): number {
    return this.#entries.length
  }

  /** Adds an entry in place of the oldest, where there is no more room. */
  push(entry: Entry): void {
    if (this.#entries.length < this.#capacity) {
      this.#entries.push(entry)
    } else if (this.#capacity > 0) {
      this.#entries[this.#start] = entry
      this.#start = (this.#start + 1) % this.#capacity
    }
  }

  /** The entry at a place, of which the oldest has 0; undefined where there is none. */
  at(place: number): Entry | undefined {
    if (place < 0 || place >= this.#entries.length) return undefined
    return this.#entries[(this.#start + place) % this.#capacity]
  }

  /** The entries from the oldest to the newest, as they are now. */
  [Symbol.iterator](): IterableIterator<Entry> {
    const newest = this.#entries.slice(this.#start)
    return newest.concat(this.#entries.slice(0, this.#start)).values()
  }

  /** Forgets every entry. */
  clear(): void {
    this.#entries = []
    this.#start = 0
  }
}
