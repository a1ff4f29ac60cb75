import { z } from '../../base/schema.js'
import { wildcard } from '../../base/text.js'
import type { AnyOperationName } from '../../contract/operations.js'
import { WorldError } from '../model/errors.js'
import { createRandom } from '../time/random.js'
import { type Fault, faultSchema } from './fault.js'

/** The parts of a request that fault rules match. */
export interface FaultedRequest {
  /** Null if it matches no operation. */
  readonly operation: AnyOperationName | null
  readonly method: string
  readonly path: string
  /** The handle of the agent that the request names, if any. */
  readonly handle: string | undefined
  /** The bare addresses to which it sends mail, in lower case. */
  readonly recipients: readonly string[]
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

/** The maximum number of rules of a world, since each request is compared with all of them. */
const maxFaultRules = 1_000

/** Creates the schema of a world's fault rules in snapshots and logs. */
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
      .max(maxFaultRules)
      .describe('The rules in force, the oldest first.'),
  })

/** The fault rules of a world, which another world can resume. */
export type FaultState = z.output<ReturnType<typeof faultStateSchema>>

/** The entry of a log about a rule that was added; or removed, if `fault` is null. */
export interface FaultEntry {
  readonly type: 'fault'
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly id: string
  readonly fault: Fault | null
}

/** The entry of a log about a request that a rule matched, with its counts from then on. */
export interface HitEntry extends Pick<FaultRule, 'id' | 'matched' | 'hit'> {
  readonly type: 'hit'
  readonly seq: number
  readonly at: number
}

type NewEntry = Omit<FaultEntry, 'seq' | 'at'> | Omit<HitEntry, 'seq' | 'at'>

/** Appends an entry to the log of a world, at its present time. */
type AppendFault = (entry: NewEntry) => void

/** Returns the state of fault rules after an entry. */
export function faultsAfter({ added, rules }: FaultState, entry: NewEntry): FaultState {
  const { id } = entry
  if (entry.type === 'hit') {
    const { matched, hit } = entry
    return { added, rules: rules.map((rule) => (rule.id === id ? { ...rule, matched, hit } : rule)) }
  }
  const others = rules.filter((rule) => rule.id !== id)
  if (entry.fault === null) return { added, rules: others }
  return { added: added + 1, rules: [...others, { id, fault: entry.fault, matched: 0, hit: 0 }] }
}

/** The fault rules of a world; the first that hits a request disturbs it, and later rules do not count it. */
export class FaultRules {
  readonly #seed: number
  readonly #append: AppendFault
  /** Its rules in force; another object after each change. */
  state: FaultState

  constructor(seed: number, append: AppendFault, state: FaultState) {
    this.#seed = seed
    this.#append = append
    this.state = state
  }

  /** @throws WorldError `too-many` */
  add(fault: Fault): FaultRule {
    const { added, rules } = this.state
    if (rules.length >= maxFaultRules) {
      throw new WorldError(
        'too-many',
        `A world has at most ${maxFaultRules} fault rules; remove some with DELETE /_sim/faults or sim.faults.clear().`,
      )
    }
    this.#change({ type: 'fault', id: `fault_${added + 1}`, fault })
    return this.state.rules.at(-1) as FaultRule
  }

  /** Returns the rules in force, the oldest first. */
  list(): readonly FaultRule[] {
    return this.state.rules
  }

  /** Removes a rule; returns false if there is no rule with that id. */
  remove(id: string): boolean {
    const isKnown = this.state.rules.some((rule) => rule.id === id)
    if (isKnown) this.#change({ type: 'fault', id, fault: null })
    return isKnown
  }

  /** Counts a request for the rules it matches, up to the first that disturbs it; returns that rule. */
  hit(request: FaultedRequest): FaultRule | undefined {
    for (const rule of this.state.rules) {
      if (!fits(rule.fault, request)) continue
      const matched = rule.matched + 1
      const isHit = hits({ ...rule, matched }, this.#seed)
      const counted = { ...rule, matched, hit: rule.hit + Number(isHit) }
      this.#change({ type: 'hit', id: rule.id, matched, hit: counted.hit })
      if (isHit) return counted
    }
    return undefined
  }

  #change(entry: NewEntry): void {
    this.state = faultsAfter(this.state, entry)
    this.#append(entry)
  }
}

function fits({ operation, method, handle, path, where }: Fault, request: FaultedRequest): boolean {
  return (
    (operation === undefined || operation === request.operation) &&
    (method === undefined || method === request.method) &&
    (handle === undefined || handle === request.handle) &&
    (path === undefined || wildcard(path)(request.path)) &&
    (where === undefined || request.recipients.some(wildcard(where.to.toLowerCase())))
  )
}

/** Returns whether a rule disturbs the latest request that it matched. */
function hits({ id, fault, matched, hit }: FaultRule, seed: number): boolean {
  const { after = 0, times, probability } = fault
  if (matched <= after || (times !== undefined && hit >= times)) return false
  // Drawn by the number of the request, so that snapshots need no random state.
  return probability === undefined || createRandom(seed, `faults/${id}/${matched}`).chance(probability)
}
