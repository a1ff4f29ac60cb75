import type { AnyOperationName } from '../../contract/operations.js'
import { createRandom } from '../random.js'
import { wildcard } from '../wildcard.js'
import type { Fault } from './fault.js'

/** A request as far as fault rules look at it. */
export interface FaultedRequest {
  /** Null where it meets none of the operations. */
  readonly operation: AnyOperationName | null
  readonly method: string
  readonly path: string
  /** The handle of the agent it is about, where it names one. */
  readonly handle: string | undefined
}

/** A rule in force, with what it has done so far. */
export interface FaultRule {
  /** `fault_1`, `fault_2`, … in the order in which they were added. */
  readonly id: string
  readonly fault: Fault
  /** Requests that fit it. */
  readonly matched: number
  /** Requests it disturbed. */
  readonly hit: number
}

/** The fault rules of a world, for another world to go on with. */
export interface FaultState {
  /** How many were ever added: the next is `fault_<added + 1>`. */
  readonly added: number
  /** Those in force, the oldest first. */
  readonly rules: readonly FaultRule[]
}

interface Rule extends FaultRule {
  readonly fitsPath: ((path: string) => boolean) | undefined
  matched: number
  hit: number
}

/** The fault rules of a world; the first that hits a request disturbs it, and those after it do not count it. */
export class FaultRules {
  readonly #seed: number
  readonly #rules = new Map<string, Rule>()
  /** Those in force, by id. */
  readonly rules: ReadonlyMap<string, FaultRule> = this.#rules
  #count = 0
  /** Called after a rule was added, removed or matched. */
  onChanged: (() => void) | undefined

  /** `state` has rules in force from the start. */
  constructor(seed: number, { added, rules }: FaultState = { added: 0, rules: [] }) {
    this.#seed = seed
    this.#count = added
    for (const rule of rules) this.#put(rule)
  }

  add(fault: Fault): FaultRule {
    const rule = this.#put({ id: `fault_${++this.#count}`, fault, matched: 0, hit: 0 })
    this.onChanged?.()
    return rule
  }

  get state(): FaultState {
    return { added: this.#count, rules: this.list() }
  }

  list(): FaultRule[] {
    return [...this.#rules.values()].map(shown)
  }

  /** Removes a rule; returns false where there is none of that id. */
  remove(id: string): boolean {
    const removed = this.#rules.delete(id)
    if (removed) this.onChanged?.()
    return removed
  }

  #put({ id, fault, matched, hit }: FaultRule): FaultRule {
    const fitsPath = fault.path === undefined ? undefined : wildcard(fault.path)
    const rule = { id, fault, fitsPath, matched, hit }
    this.#rules.set(id, rule)
    return shown(rule)
  }

  /** The rule that disturbs a request, which then counts for it. */
  hit(request: FaultedRequest): FaultRule | undefined {
    for (const rule of this.#rules.values()) {
      if (!fits(rule, request)) continue
      const isHit = hits(rule, this.#seed)
      this.onChanged?.()
      if (isHit) return shown(rule)
    }
    return undefined
  }
}

function shown({ id, fault, matched, hit }: Rule): FaultRule {
  return { id, fault, matched, hit }
}

function fits({ fault, fitsPath }: Rule, request: FaultedRequest): boolean {
  return (
    (fault.operation === undefined || fault.operation === request.operation) &&
    (fault.method === undefined || fault.method === request.method) &&
    (fault.handle === undefined || fault.handle === request.handle) &&
    (fitsPath === undefined || fitsPath(request.path))
  )
}

/** Counts a request that fits; whether it is one of those that are disturbed. */
function hits(rule: Rule, seed: number): boolean {
  const { after = 0, times, probability } = rule.fault
  rule.matched++
  if (rule.matched <= after || (times !== undefined && rule.hit >= times)) return false
  if (probability !== undefined && !chance(probability, seed, rule)) return false
  rule.hit++
  return true
}

/** Drawn for each request by its number, so that it depends on nothing that a snapshot would have to keep. */
function chance(probability: number, seed: number, { id, matched }: Rule): boolean {
  return createRandom(seed, `faults/${id}/${matched}`).chance(probability)
}
