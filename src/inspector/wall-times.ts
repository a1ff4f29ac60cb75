/** The most instants that are remembered. */
const limit = 20_000

/** Remembers when, on this machine's clock, the page first saw each instant of story time. */
export class WallTimes {
  /** Milliseconds of story and wall time, in the order in which they passed. */
  #seen: { readonly story: number; readonly wall: number }[] = []

  /** Notes that the story has reached an instant now. */
  note(at: string): void {
    const story = Date.parse(at)
    const latest = this.#seen.at(-1)
    // A reset, or a visit to another world: what was seen before says nothing of it.
    if (latest && story < latest.story) this.#seen = []
    if (latest?.story !== story) this.#seen.push({ story, wall: Date.now() })
    if (this.#seen.length > limit) this.#seen.splice(0, limit / 2)
  }

  /** Returns when the story reached an instant, in milliseconds; undefined if the page was not open then. */
  of(at: string): number | undefined {
    const story = Date.parse(at)
    const [first] = this.#seen
    if (!first || story < first.story) return undefined
    return this.#seen.find((seen) => seen.story >= story)?.wall
  }
}
