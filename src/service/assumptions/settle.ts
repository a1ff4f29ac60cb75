import { isError } from '../../base/platform.js'
import type { ExtensionGap } from '../../contract/extensions.js'
import { namesOfAssumptions } from '../../contract/gaps/gap.js'
import { type AssumptionOf, type Assumptions, type GapId, gaps } from '../../contract/gaps.js'
import type { AnyOperationName } from '../../contract/operations.js'
import type { EventType } from '../../contract/resources.js'

/** The fact that a response or a delivery would have been different under another assumption. */
export interface Reliance {
  readonly gap: GapId
  /** The assumption in force. */
  readonly assumption: string
  /** The assumptions under which it would have been different. */
  readonly instead: readonly string[]
}

/** One branch for each assumption of a gap; a missing or an extra branch does not compile. */
type Branches<G extends GapId> = { readonly [R in AssumptionOf<G>]: () => unknown }

/** The name of a branch that is not an assumption of the gap; TypeScript takes names such as `401` for numbers. */
type Surplus<G extends GapId, Name> = `${Name & (string | number)}` extends AssumptionOf<G> ? never : Name

/**
 * What a different value of a settled gap means. `certain`: it is part of the response or of the world, so
 * the response would be different. `possible`: the response may still be the same, so the request is handled
 * again under the other assumption to find out.
 */
export type Difference = 'certain' | 'possible'

/** Notes the other assumptions of a gap that give another value than the assumption in force. */
export type NoteReliance = (reliance: Reliance, difference: Difference) => void

/** Returns the value of the branch for the assumption in force; the only way code may act on an assumption. */
export type Settle = <G extends GapId, B extends Branches<G>>(
  gap: G,
  branches: B & { readonly [Name in keyof B as Surplus<G, Name>]: never },
  difference?: Difference,
) => ReturnType<B[AssumptionOf<G>]>

/** `Settle` for the gaps of extensions. */
export type SettleExtensionGap = <Name extends string, B extends { readonly [R in Name]: () => unknown }>(
  gap: ExtensionGap<Name>,
  branches: B,
  difference?: Difference,
) => ReturnType<B[Name]>

/**
 * Creates a `settle` for some assumptions. With `note`, the other branches are evaluated too, so branches must have no effects; a
 * reliance is noted only if one of them returns or throws something else.
 */
export function createSettle(assumptions: Assumptions, note?: NoteReliance): Settle {
  // What a branch that is not in force settles is not part of the response: it is neither compared nor noted.
  let aside = false
  return ((id: GapId | ExtensionGap, branches: Record<string, () => unknown>, difference = 'possible') => {
    const gap = typeof id === 'string' ? id : (id.id as GapId)
    const all = () => namesOfAssumptions(typeof id === 'string' ? gaps[id] : id)
    // A world without the extension has no assumption of its gaps.
    const assumption = assumptions[gap] ?? (all()[0] as string)
    if (typeof id !== 'string') checkBranches(id, branches)
    const branch = branches[assumption] as () => unknown
    if (aside || !note) return branch()
    const chosen = outcomeOf(branch)
    aside = true
    const instead = all().filter(
      (name) => name !== assumption && !isSame(chosen, outcomeOf(branches[name] as () => unknown)),
    )
    aside = false
    if (instead.length > 0) note(relianceOn(gap, assumption, instead), difference as Difference)
    if (chosen.thrown) throw chosen.value
    return chosen.value
  }) as Settle
}

/** All reliances that were noted: thousands of requests have the same few. */
const noted = new Map<string, Reliance>()

/** Returns a reliance, the same object for equal ones. */
function relianceOn(gap: GapId, assumption: string, instead: readonly string[]): Reliance {
  const key = [gap, assumption, ...instead].join(' ')
  const known = noted.get(key)
  if (known) return known
  const reliance = Object.freeze({ gap, assumption, instead: Object.freeze(instead) })
  noted.set(key, reliance)
  return reliance
}

/** Checks the branches of an extension, which may come from a file that was not type-checked. @throws TypeError */
function checkBranches(gap: ExtensionGap, branches: Record<string, unknown>): void {
  const missing = namesOfAssumptions(gap).find((name) => typeof branches[name] !== 'function')
  if (missing !== undefined)
    throw new TypeError(`settle() of ${gap.id} has no function for the assumption "${missing}".`)
}

interface Outcome {
  readonly thrown: boolean
  readonly value: unknown
}

function outcomeOf(branch: () => unknown): Outcome {
  try {
    return { thrown: false, value: branch() }
  } catch (value) {
    return { thrown: true, value }
  }
}

function isSame(a: Outcome, b: Outcome): boolean {
  return a.thrown === b.thrown && sameValue(a.value, b.value)
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
  if (isError(a)) return a.message === (b as Error).message && sameFields(a, b)
  return kind === Object.prototype && sameFields(a, b)
}

function sameFields(a: object, b: object): boolean {
  const [fields, others] = [Object.entries(a), new Map(Object.entries(b))]
  return (
    fields.length === others.size &&
    fields.every(([name, value]) => others.has(name) && sameValue(value, others.get(name)))
  )
}

/** Collects the reliances of one response. */
export class Reliances {
  readonly #certain = new Map<GapId, Reliance>()
  readonly #possible = new Map<GapId, Reliance>()

  /** Collects what `settle` notes. */
  readonly note: NoteReliance = (reliance, difference) => {
    add(difference === 'certain' ? this.#certain : this.#possible, reliance)
  }

  /**
   * Returns the assumptions under which the response may differ, without those under which it certainly differs.
   */
  possible(): { readonly gap: GapId; readonly assumption: string }[] {
    return [...this.#possible.values()].flatMap(({ gap, instead }) => {
      const certain = this.#certain.get(gap)?.instead ?? []
      return instead.filter((name) => !certain.includes(name)).map((assumption) => ({ gap, assumption }))
    })
  }

  /** Records that the response would have been different under a possible assumption. */
  confirm(gap: GapId, assumption: string): void {
    const possible = this.#possible.get(gap)
    if (possible) add(this.#certain, { ...possible, instead: [assumption] })
  }

  /** Returns the certain reliances of the response. */
  list(): Reliance[] {
    return [...this.#certain.values()]
  }
}

function add(reliances: Map<GapId, Reliance>, reliance: Reliance): void {
  const before = reliances.get(reliance.gap)
  // As for most rows of a list.
  if (before === reliance) return
  reliances.set(reliance.gap, joinReliances(before, reliance))
}

/** Joins two reliances on a gap: `instead` lists the assumptions of both. */
export function joinReliances(before: Reliance | undefined, added: Reliance): Reliance {
  if (!before || added.instead.every((name) => before.instead.includes(name))) return before ?? added
  const { gap, assumption } = before
  return relianceOn(gap, assumption, [...new Set([...before.instead, ...added.instead])])
}

/** How many responses and deliveries of a world depend on a gap. */
export interface RelianceSummary {
  readonly gap: string
  readonly assumption: string
  /** The operations whose responses depend on it. */
  readonly operations: readonly AnyOperationName[]
  /** The types of the events whose deliveries depend on it, if any. */
  readonly events?: readonly EventType[]
  /** The number of exchanges and deliveries that depend on it. */
  readonly count: number
}

/** The reliances of one response or of one delivery. */
export interface Relied {
  readonly operation: AnyOperationName | null
  readonly event: EventType | null
  readonly reliances: readonly Reliance[]
}

/** Summarizes reliances by gap, in the order in which the gaps first came up. */
export function summarizeReliances(all: Iterable<Relied>): RelianceSummary[] {
  const byGap = new Map<string, RelianceSummary>()
  for (const { operation, event, reliances } of all) {
    for (const { gap, assumption } of reliances) {
      const key = `${gap}=${assumption}`
      const { operations, events = [], count } = byGap.get(key) ?? { operations: [], count: 0 }
      const withEvent = withName(events, event)
      byGap.set(key, {
        gap,
        assumption,
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

/** Returns the shortest time between two timestamps that a response can tell apart, in milliseconds. */
export function tickOf(settle: Settle, difference?: Difference): number {
  return settle('format.timestamps', { milliseconds: () => 1, seconds: () => 1000 }, difference)
}
