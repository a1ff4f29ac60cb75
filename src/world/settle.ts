import type { ExtensionGap } from '../contract/extensions.js'
import { type GapId, gaps, type Reading, type ReadingOf, type Readings } from '../contract/gaps.js'
import type { AnyOperationName } from '../contract/operations.js'
import type { EventType } from '../contract/resources.js'

/** The fact that an answer or a delivery would have differed under another reading. */
export interface Reliance {
  readonly gap: GapId
  /** The reading in force. */
  readonly reading: string
  /** The readings under which it would have differed. */
  readonly instead: readonly string[]
}

/** One branch for each reading of a gap; a missing or an extra branch does not compile. */
type Branches<G extends GapId> = { readonly [R in ReadingOf<G>]: () => unknown }

/** The name of a branch that is not a reading of the gap; TypeScript takes names such as `401` for numbers. */
type Surplus<G extends GapId, Name> = `${Name & (string | number)}` extends ReadingOf<G> ? never : Name

/** An error that a branch may return instead of throwing it, so that comparing branches costs no exception. */
export class Refusal {
  readonly isRefusal = true
}

/**
 * How the branch's value is used. `shown`: it is part of the answer or of the world unchanged, so another value is
 * another answer. `weighed`: the answer may be the same nevertheless; the request is answered again under the other
 * reading to find out.
 */
export type Use = 'shown' | 'weighed'

/**
 * Notes that a gap was relied on, or, for a value that is still to be weighed, that it may have been; `refused` if the
 * other readings throw and the one in force does not.
 */
export type NoteReliance = (reliance: Reliance, use: Use | 'refused') => void

/** Returns the value of the branch for the reading in force; the only way code may act on a reading. */
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
 * Creates a `settle` for some readings. The other branches are evaluated too, so branches must have no effects; a
 * reliance is noted only if one of them returns or throws something else. Equal reliances share one object of `known`.
 */
export function createSettle(readings: Readings, note: NoteReliance, known = new KnownReliances()): Settle {
  // What a branch not in force settles itself is not part of the answer: it is neither compared nor noted.
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
    if (aside) return valueOrThrow(outcomeOf(branches[reading] as () => unknown))
    const chosen = outcomeOf(branches[reading] as () => unknown)
    // Sets of readings as bits, by index, since this runs several times for every answer.
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
    return valueOrThrow(chosen)
  }) as Settle
}

/** Checks the branches of an extension, which may come from a file that was not type-checked. @throws TypeError */
function checkBranches({ id, readings }: ExtensionGap, branches: Record<string, unknown>): void {
  const missing = readings.find(({ name }) => typeof branches[name] !== 'function')
  if (missing) throw new TypeError(`settle() of ${id} has no function for the reading "${missing.name}".`)
}

/** Creates a `settle` that notes nothing and so evaluates no other branch. */
export function createSilentSettle(readings: Readings): Settle {
  return ((gap: GapId | ExtensionGap, branches: Record<string, () => unknown>) => {
    const reading = typeof gap === 'string' ? readings[gap] : readingOf(gap, readings)
    return valueOrThrow(outcomeOf(branches[reading] as () => unknown))
  }) as Settle
}

/** Creates a `settle` that asks for the reading of each gap, notes nothing and evaluates no other branch. */
export function createChoosingSettle(choose: (gap: GapId) => string): Settle {
  return ((gap: GapId, branches: Record<string, () => unknown>) => {
    return valueOrThrow(outcomeOf(branches[choose(gap)] as () => unknown))
  }) as Settle
}

/** Returns the reading in force of an extension's gap: the default in a world without the extension. */
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

function valueOrThrow({ thrown, value }: Outcome): unknown {
  if (thrown) throw value
  return value
}

/** How a branch's outcome compares with the chosen one; `refused` if only the branch throws. */
type Comparison = 'same' | 'other' | 'refused'

function compare({ thrown, value }: Outcome, branch: () => unknown): Comparison {
  const other = outcomeOf(branch)
  if (other.thrown && !thrown) return 'refused'
  return other.thrown === thrown && sameValue(value, other.value) ? 'same' : 'other'
}

/** Compares the values of branches: primitives, lists, plain objects and errors by value, all else by identity. */
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

/** Keeps one object for all equal reliances, so that a journal of many stays small. */
export class KnownReliances {
  /** By the readings of the gap, which for an extension's gap may change when its file is reloaded. */
  readonly #known = new Map<readonly Reading[], Map<number, Reliance>>()

  /** Returns the reliance on a gap; `instead` has a bit for each reading, by its index in `all`. */
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

/** Collects the reliances of one answer: certain ones, and those still to be weighed. */
export class Reliances {
  readonly #certain: Notes = new Map()
  readonly #open: Notes = new Map()
  readonly #refused: Notes = new Map()

  /** Collects what `settle` notes. */
  readonly note: NoteReliance = (reliance, use) => {
    if (use === 'shown') add(this.#certain, reliance)
    else if (use === 'refused') add(this.#refused, reliance)
    else add(this.#open, reliance)
  }

  /** Whether any reliance is uncertain. */
  get open(): boolean {
    return this.#open.size > 0 || this.#refused.size > 0
  }

  /** Iterates over the readings that must be tried to be certain, for an answer of that status. */
  *toWeigh(status: number): IterableIterator<{ gap: GapId; reading: string }> {
    // If the answer is a success, a reading that refuses the request certainly gives another answer.
    const refused = status < 400 ? this.#certain : this.#open
    for (const reliance of this.#refused.values()) add(refused, reliance)
    for (const { gap, instead } of this.#open.values()) {
      const certain = this.#certain.get(gap)?.instead ?? []
      for (const reading of instead) if (!certain.includes(reading)) yield { gap, reading }
    }
  }

  /** Records as certain that the answer would have differed under that reading. */
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

/** Joins two reliances on a gap: `instead` lists the readings of both. */
export function joinReliances(before: Reliance | undefined, added: Reliance): Reliance {
  if (!before || added.instead.every((name) => before.instead.includes(name))) return before ?? added
  return { ...before, instead: [...new Set([...before.instead, ...added.instead])] }
}

/** How often a world relied on a reading. */
export interface RelianceSummary {
  readonly gap: string
  readonly reading: string
  /** The operations whose answers relied on it. */
  readonly operations: readonly AnyOperationName[]
  /** The types of the events whose deliveries relied on it, if any. */
  readonly events?: readonly EventType[]
  /** The number of exchanges and deliveries that relied on it. */
  readonly count: number
}

/** The reliances of one answer or of one delivery. */
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
      const withEvent = withName(events, event)
      byGap.set(key, {
        gap,
        reading,
        operations: withName(operations, operation),
        ...(withEvent.length > 0 && { events: withEvent }),
        count: count + 1,
      })
    }
  }
  return [...byGap.values()]
}

function withName<Name>(names: readonly Name[], name: Name | null): readonly Name[] {
  return name === null || names.includes(name) ? names : [...names, name]
}
