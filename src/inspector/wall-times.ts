/** The most instants that are kept. */
const limit = 20_000

/** Records the wall time at which the page first saw each instant of story time. */
export class WallTimes {
  /** Story time and wall time in milliseconds, in ascending order. */
  #seen: { readonly story: number; readonly wall: number }[] = []

  /** Records that the story has reached an instant now. */
  note(at: string): void {
    const story = Date.parse(at)
    const latest = this.#seen.at(-1)
    // Time went back because of a reset or another world: the earlier instants no longer apply.
    if (latest && story < latest.story) this.#seen = []
    if (latest?.story !== story) this.#seen.push({ story, wall: Date.now() })
    if (this.#seen.length > limit) this.#seen.splice(0, limit / 2)
  }

  /** Returns the wall time at which the story reached an instant, in milliseconds; undefined if the page was not open then. */
  of(at: string): number | undefined {
    const story = Date.parse(at)
    const [first] = this.#seen
    if (!first || story < first.story) return undefined
    return this.#seen.find((seen) => seen.story >= story)?.wall
  }
}
