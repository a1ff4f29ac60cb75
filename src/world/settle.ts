import type { ExtensionGap } from '../contract/extensions.js'
import { type GapId, gaps, type Reading, type ReadingOf, type Readings } from '../contract/gaps.js'
import type { Reliance } from './reliances.js'

/** One branch for each reading of a gap; a branch left out does not compile, nor one too many. */
type Branches<G extends GapId> = { readonly [R in ReadingOf<G>]: () => unknown }

/** The name of a branch that is no reading of the gap; names such as `401` are numbers to TypeScript. */
type Surplus<G extends GapId, Name> = `${Name & (string | number)}` extends ReadingOf<G> ? never : Name

/** What a branch may return instead of throwing it, so that comparing a branch not in force costs no exception. */
export class Refusal {
  readonly isRefusal = true
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

/** The only way code may act on a reading: picks the branch of the reading in force. */
export type Settle = <G extends GapId, B extends Branches<G>>(
  gap: G,
  branches: B & { readonly [Name in keyof B as Surplus<G, Name>]: never },
  use?: Use,
) => Exclude<ReturnType<B[ReadingOf<G>]>, Refusal>

/** `Settle` for the gaps of extensions. */
export type SettleOwn = <Name extends string, B extends { readonly [R in Name]: () => unknown }>(
  gap: ExtensionGap<Name>,
  branches: B,
  use?: Use,
) => ReturnType<B[Name]>

/**
 * Makes a `settle` for some readings. The other branches are evaluated too, so branches have no effects;
 * a reliance is noted only where one of them gives, or throws, something else. Equal reliances are one from `known`.
 */
export function createSettle(readings: Readings, note: NoteReliance, known = new KnownReliances()): Settle {
  // What a branch not in force settles in its turn is no part of the answer: it is neither compared nor noted.
  let aside = false
  const compareAside = (chosen: Outcome, branch: () => unknown): Comparison => {
    aside = true
    const comparison = compare(chosen, branch)
    aside = false
    return comparison
  }
  return ((id: GapId | ExtensionGap, branches: Record<string, () => unknown>, use: Use = 'weighed') => {
    const gap = typeof id === 'string' ? id : (id.id as GapId)
    const all: readonly Reading[] = typeof id === 'string' ? gaps[id].readings : id.readings
    const reading = readings[gap] ?? (all[0] as Reading).name
    if (typeof id !== 'string') checkBranches(id, branches)
    if (aside) return giveOrThrow(outcomeOf(branches[reading] as () => unknown))
    const chosen = outcomeOf(branches[reading] as () => unknown)
    // Sets of readings as bits, by their place: this runs for everything that every answer depends on.
    let instead = 0
    let refusing = 0
    for (let place = 0; place < all.length; place++) {
      const name = (all[place] as Reading).name
      const comparison = name === reading ? 'same' : compareAside(chosen, branches[name] as () => unknown)
      if (comparison === 'other' || (comparison === 'refused' && use === 'shown')) instead |= 1 << place
      else if (comparison === 'refused') refusing |= 1 << place
    }
    if (instead > 0) note(known.get(gap, reading, all, instead), use)
    if (refusing > 0) note(known.get(gap, reading, all, refusing), 'refused')
    return giveOrThrow(chosen)
  }) as Settle
}

/** Extensions may come from files that no compiler has read. @throws TypeError */
function checkBranches({ id, readings }: ExtensionGap, branches: Record<string, unknown>): void {
  const missing = readings.find(({ name }) => typeof branches[name] !== 'function')
  if (missing) throw new TypeError(`settle() of ${id} has no function for the reading "${missing.name}".`)
}

/** A `settle` that notes nothing and so looks at no other branch. */
export function createSilentSettle(readings: Readings): Settle {
  return ((gap: GapId | ExtensionGap, branches: Record<string, () => unknown>) => {
    const reading = typeof gap === 'string' ? readings[gap] : readingOf(gap, readings)
    return giveOrThrow(outcomeOf(branches[reading] as () => unknown))
  }) as Settle
}

/** Returns the reading in force of an extension's gap: its default in a world that does not know it. */
function readingOf({ id, readings: [first] }: ExtensionGap, readings: Readings): string {
  return readings[id as GapId] ?? first.name
}

interface Outcome {
  readonly thrown: boolean
  readonly value: unknown
}

function outcomeOf(branch: () => unknown): Outcome {
  try {
    const value = branch()
    return { thrown: value instanceof Refusal, value }
  } catch (value) {
    return { thrown: true, value }
  }
}

function giveOrThrow({ thrown, value }: Outcome): unknown {
  if (thrown) throw value
  return value
}

/** How what a branch comes to compares with what was chosen; `refused` where it throws and the other does not. */
type Comparison = 'same' | 'other' | 'refused'

function compare({ thrown, value }: Outcome, branch: () => unknown): Comparison {
  const other = outcomeOf(branch)
  if (other.thrown && !thrown) return 'refused'
  return other.thrown === thrown && sameValue(value, other.value) ? 'same' : 'other'
}

/** Equality of what branches give: primitives, lists, plain objects, errors; anything else by identity. */
function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]))
  }
  const kind = Object.getPrototypeOf(a)
  if (kind !== Object.getPrototypeOf(b)) return false
  if (a instanceof Error) return a.message === (b as Error).message && sameFields(a, b)
  return kind === Object.prototype && sameFields(a, b)
}

function sameFields(a: object, b: object): boolean {
  const [fields, others] = [Object.entries(a), new Map(Object.entries(b))]
  return (
    fields.length === others.size &&
    fields.every(([name, value]) => others.has(name) && sameValue(value, others.get(name)))
  )
}

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
