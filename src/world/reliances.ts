import type { GapId, Reading } from '../contract/gaps.js'
import type { AnyOperationName } from '../contract/operations.js'
import type { EventType } from '../contract/resources.js'

/** That something would have come out otherwise under another reading. */
export interface Reliance {
  readonly gap: GapId
  /** The reading in force. */
  readonly reading: string
  /** The readings under which it would have come out otherwise. */
  readonly instead: readonly string[]
}

/**
 * What becomes of the branch's value. `shown`: it is part of the answer, or of the world, as it is, so another
 * value is another answer. `weighed`: the answer may come out the same all the same, and whoever settles finds
 * out by answering once more under the other reading.
 */
export type Use = 'shown' | 'weighed'

/**
 * Notes that a gap was relied on, or, where its value is yet to be weighed, that it may have been; `refused`
 * where the other readings throw and the one in force does not.
 */
export type NoteReliance = (reliance: Reliance, use: Use | 'refused') => void

/** Equal reliances as one object each, so that keeping many costs little. */
export class KnownReliances {
  /** By the readings of their gap: those of an extension's gap may be others once its file was loaded again. */
  readonly #known = new Map<readonly Reading[], Map<number, Reliance>>()

  /** Returns the reliance on a gap; `instead` has a bit for each reading, by its place among all of the gap. */
  get(gap: GapId, reading: string, all: readonly Reading[], instead: number): Reliance {
    let known = this.#known.get(all)
    if (!known) {
      known = new Map()
      this.#known.set(all, known)
    }
    const key = instead * all.length + all.findIndex(({ name }) => name === reading)
    let reliance = known.get(key)
    if (!reliance) {
      const others = all.filter((_, place) => (instead & (1 << place)) !== 0)
      reliance = { gap, reading, instead: others.map(({ name }) => name) }
      known.set(key, reliance)
    }
    return reliance
  }
}

type Notes = Map<GapId, Reliance>

/** The reliances of one answer: certain ones, and those still to be weighed. */
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

  /** Returns the certain reliances of the answer. */
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

/** How often a world relied on a reading. */
export interface RelianceSummary {
  readonly gap: string
  readonly reading: string
  /** The operations whose answers did. */
  readonly operations: readonly AnyOperationName[]
  /** The types of the events whose deliveries did, where there are any. */
  readonly events?: readonly EventType[]
  /** How many exchanges and deliveries did. */
  readonly count: number
}

/** Something that relied on readings: an answer of an operation, or the delivery of an event. */
export interface Relied {
  readonly operation: AnyOperationName | null
  readonly event: EventType | null
  readonly reliances: readonly Reliance[]
}

/** Summarizes reliances by gap, in the order in which the gaps first came up. */
export function summarizeReliances(all: Iterable<Relied>): RelianceSummary[] {
  const byGap = new Map<string, RelianceSummary>()
  for (const { operation, event, reliances } of all) {
    for (const { gap, reading } of reliances) {
      const key = `${gap}=${reading}`
      const { operations, events = [], count } = byGap.get(key) ?? { operations: [], count: 0 }
      const told = withName(events, event)
      byGap.set(key, {
        gap,
        reading,
        operations: withName(operations, operation),
        ...(told.length > 0 && { events: told }),
        count: count + 1,
      })
    }
  }
  return [...byGap.values()]
}

function withName<Name>(names: readonly Name[], name: Name | null): readonly Name[] {
  return name === null || names.includes(name) ? names : [...names, name]
}
