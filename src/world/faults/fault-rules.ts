import type { OperationName } from '../../contract/operations.js'
import { createRandom } from '../random.js'
import type { Fault } from './fault.js'
import { pathPattern } from './path-pattern.js'

/** A request as far as fault rules look at it. */
export interface FaultedRequest {
  /** Null where it meets none of the operations. */
  readonly operation: OperationName | null
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

/** What a world's fault rules come to: enough to put the same rules in force elsewhere. */
export interface FaultStand {
  /** How many were ever added: the next is `fault_<added + 1>`. */
  readonly added: number
  /** Those in force, the oldest first. */
  readonly rules: readonly FaultRule[]
}

interface Rule extends FaultRule {
  readonly path: RegExp | undefined
  matched: number
  hit: number
}

/** The fault rules of a world; the first that hits a request disturbs it, and those after it do not count it. */
export class FaultRules {
  readonly #seed: number
  readonly #rules = new Map<string, Rule>()
  #count = 0

  /** `stand` has rules in force from the start. */
  constructor(seed: number, { added, rules }: FaultStand = { added: 0, rules: [] }) {
    this.#seed = seed
    this.#count = added
    for (const rule of rules) this.#put(rule)
  }

  /** Whether there is none, as is usual. */
  get none(): boolean {
    return this.#rules.size === 0
  }

  /** Adds a rule; gives it back under its id. */
  add(fault: Fault): FaultRule {
    return this.#put({ id: `fault_${++this.#count}`, fault, matched: 0, hit: 0 })
  }

  /** How many were ever added, and the rules in force. */
  get stand(): FaultStand {
    return { added: this.#count, rules: this.list() }
  }

  /** Every rule, the oldest first. */
  list(): FaultRule[] {
    return [...this.#rules.values()].map(shown)
  }

  /** Takes a rule out of force; false where there is none of that id. */
  remove(id: string): boolean {
    return this.#rules.delete(id)
  }

  /** No rules, as at the start. */
  reset(): void {
    this.#rules.clear()
    this.#count = 0
  }

  #put({ id, fault, matched, hit }: FaultRule): FaultRule {
    const path = fault.path === undefined ? undefined : pathPattern(fault.path)
    const rule = { id, fault, path, matched, hit }
    this.#rules.set(id, rule)
    return shown(rule)
  }

  /** The rule that disturbs a request, which then counts for it. */
  hit(request: FaultedRequest): FaultRule | undefined {
    for (const rule of this.#rules.values()) {
      if (fits(rule, request) && hits(rule, this.#seed)) return shown(rule)
    }
    return undefined
  }
}

function shown({ id, fault, matched, hit }: Rule): FaultRule {
  return { id, fault, matched, hit }
}

function fits({ fault, path }: Rule, request: FaultedRequest): boolean {
  return (
    (fault.operation === undefined || fault.operation === request.operation) &&
    (fault.method === undefined || fault.method === request.method) &&
    (fault.handle === undefined || fault.handle === request.handle) &&
    (path === undefined || path.test(request.path))
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

/** Drawn for each request by its number, so that it hangs on nothing that a snapshot would have to keep. */
function chance(probability: number, seed: number, { id, matched }: Rule): boolean {
  return createRandom(seed, `faults/${id}/${matched}`).chance(probability)
}
