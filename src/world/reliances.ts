import type { GapId } from '../contract/gaps.js'
import type { NoteReliance, Reliance } from './settle.js'

type Notes = Map<GapId, Reliance>

/** What one answer relied on, and what it may have relied on, which is yet to be weighed. */
export class Reliances {
  readonly #certain: Notes = new Map()
  readonly #open: Notes = new Map()
  readonly #refused: Notes = new Map()

  /** Takes in what `settle` notes. */
  readonly note: NoteReliance = (reliance, use) => {
    if (use === 'shown') add(this.#certain, reliance)
    else if (use === 'refused') add(this.#refused, reliance)
    else add(this.#open, reliance)
  }

  /** Whether there is any that may have been relied on. */
  get open(): boolean {
    return this.#open.size > 0 || this.#refused.size > 0
  }

  /** The readings of gaps that must be tried before one knows, now that the answer has that status. */
  *toWeigh(status: number): IterableIterator<{ gap: GapId; reading: string }> {
    // Where the answer is a success, a reading that refuses it gives another answer for certain.
    const refused = status < 400 ? this.#certain : this.#open
    for (const reliance of this.#refused.values()) add(refused, reliance)
    for (const { gap, instead } of this.#open.values()) {
      const certain = this.#certain.get(gap)?.instead ?? []
      for (const reading of instead) if (!certain.includes(reading)) yield { gap, reading }
    }
  }

  /** Makes certain that the answer would have been another under that reading. */
  confirm(gap: GapId, reading: string): void {
    const open = this.#open.get(gap)
    if (open) add(this.#certain, { ...open, instead: [reading] })
  }

  /** What the answer relied on. */
  list(): Reliance[] {
    return [...this.#certain.values()]
  }
}

function add(notes: Notes, reliance: Reliance): void {
  const before = notes.get(reliance.gap)
  if (before !== reliance) notes.set(reliance.gap, joinReliances(before, reliance))
}

/** One reliance on a gap from two: `instead` names the readings of both. */
export function joinReliances(before: Reliance | undefined, added: Reliance): Reliance {
  if (!before || added.instead.every((name) => before.instead.includes(name))) return before ?? added
  return { ...before, instead: [...new Set([...before.instead, ...added.instead])] }
}
