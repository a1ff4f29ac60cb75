/** Says, once and for good, that a story has ended; to any number of listeners, where an AbortSignal warns of ten. */
export class Ending {
  readonly #listeners = new Set<() => void>()
  #isOver = false

  /** Whether it has ended. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Has somebody told when it ends; gives back how to have that forgotten. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Ends it. */
  end(): void {
    this.#isOver = true
    for (const listener of [...this.#listeners]) listener()
    this.#listeners.clear()
  }
}
