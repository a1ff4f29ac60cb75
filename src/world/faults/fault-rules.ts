import type { AnyOperationName } from '../../contract/operations.js'
import { z } from '../../contract/schema.js'
import { FaultError } from '../errors.js'
import { createRandom } from '../random.js'
import { wildcard } from '../wildcard.js'
import { type Fault, faultSchema } from './fault.js'

/** A request as far as fault rules look at it. */
export interface FaultedRequest {
  /** Null where it meets none of the operations. */
  readonly operation: AnyOperationName | null
  readonly method: string
  readonly path: string
  /** The handle of the agent it is about, where it names one. */
  readonly handle: string | undefined
}

/** A fault rule in force, with its counts. */
export interface FaultRule {
  /** `fault_1`, `fault_2`, … in the order in which they were added. */
  readonly id: string
  readonly fault: Fault
  /** The number of requests that matched it. */
  readonly matched: number
  /** The number of requests it disturbed. */
  readonly hit: number
}

/** A request is compared with every rule of its world, so there are no more than so many. */
export const mostFaultRules = 1_000

/** The fault rules of a world, as documents have them. */
export const faultStateSchema = () =>
  z.strictObject({
    added: z
      .int()
      .min(0)
      .describe('The number of rules that were ever added, from which the next id follows.'),
    rules: z
      .array(
        z.strictObject({
          id: z.string().regex(/^fault_[1-9]\d{0,14}$/, 'expected an id such as fault_1'),
          fault: faultSchema(),
          matched: z.int().min(0).describe('The number of requests it matched.'),
          hit: z.int().min(0).describe('The number of requests it disturbed.'),
        }),
      )
      .max(mostFaultRules)
      .describe('The rules in force, the oldest first.'),
  })

/** The fault rules of a world, for another world to go on with. */
export type FaultState = z.output<ReturnType<typeof faultStateSchema>>

/** The fault rules of a world; the first that hits a request disturbs it, and those after it do not count it. */
export class FaultRules {
  readonly #seed: number
  readonly #rules: Map<string, FaultRule>
  /** Those in force, by id. */
  readonly rules: ReadonlyMap<string, FaultRule>
  #count: number
  /** Called after a rule was added, removed or matched. */
  onChanged: (() => void) | undefined

  /** `state` has rules in force from the start. */
  constructor(seed: number, { added, rules }: FaultState = { added: 0, rules: [] }) {
    this.#seed = seed
    this.#count = added
    this.#rules = new Map(rules.map((rule) => [rule.id, rule]))
    this.rules = this.#rules
  }

  get state(): FaultState {
    return { added: this.#count, rules: this.list() }
  }

  /** @throws FaultError `too-many` */
  add(fault: Fault): FaultRule {
    if (this.#rules.size >= mostFaultRules) {
      throw new FaultError(
        'too-many',
        `A world has at most ${mostFaultRules} rules of faults; remove some with DELETE /_sim/faults or sim.faults.clear().`,
      )
    }
    const rule = { id: `fault_${++this.#count}`, fault, matched: 0, hit: 0 }
    this.#rules.set(rule.id, rule)
    this.onChanged?.()
    return rule
  }

  list(): FaultRule[] {
    return [...this.#rules.values()]
  }

  /** Removes a rule; returns false where there is none of that id. */
  remove(id: string): boolean {
    const removed = this.#rules.delete(id)
    if (removed) this.onChanged?.()
    return removed
  }

  /** The rule that disturbs a request, which then counts for it. */
  hit(request: FaultedRequest): FaultRule | undefined {
    for (const rule of this.#rules.values()) {
      if (!fits(rule.fault, request)) continue
      const counted = { ...rule, matched: rule.matched + 1 }
      if (hits(counted, this.#seed)) counted.hit++
      this.#rules.set(rule.id, counted)
      this.onChanged?.()
      if (counted.hit > rule.hit) return counted
    }
    return undefined
  }
}

function fits({ operation, method, handle, path }: Fault, request: FaultedRequest): boolean {
  return (
    (operation === undefined || operation === request.operation) &&
    (method === undefined || method === request.method) &&
    (handle === undefined || handle === request.handle) &&
    (path === undefined || wildcard(path)(request.path))
  )
}

/** Whether the latest of the requests that fit a rule is one of those it disturbs. */
function hits({ id, fault, matched, hit }: FaultRule, seed: number): boolean {
  const { after = 0, times, probability } = fault
  if (matched <= after || (times !== undefined && hit >= times)) return false
  // Drawn for each request by its number, so that it depends on nothing that a snapshot would have to keep.
  return probability === undefined || createRandom(seed, `faults/${id}/${matched}`).chance(probability)
}
