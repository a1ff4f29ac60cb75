import { type GapId, gaps } from '../contract/gaps.js'
import type { AnyOperationName } from '../contract/operations.js'
import { counted } from '../contract/text.js'
import { formatDelivery } from '../simulator/delivery-matching.js'
import {
  formatInstant,
  parseInstant,
  type Reliance,
  type ReliancesExpectation,
  reachedReceiver,
} from '../world/index.js'
import { describeCandidate, toCandidate } from './nearest-exchange.js'
import type { NearestMatch, Observation, RunFacts, Tracker, TrackerResult } from './tracker.js'

interface Relied {
  readonly reading: string
  requests: number
  readonly operations: Set<AnyOperationName>
  /** Ids, since each delivery is observed several times. */
  readonly deliveries: Set<string>
}

/** By gap, in the order in which the gaps first came up. */
type ReliedByGap = Map<GapId, Relied>

type Relying = Extract<Observation, { readonly type: 'exchange' | 'delivery' }>

/** Gaps that are named in a line; gaps that get a line of their own. */
const [mostNamed, mostLines] = [3, 20]

/** Looks for exchanges and deliveries that rely on gaps that are not allowed. */
export class RelianceTracker implements Tracker {
  readonly expected: string
  readonly cameTrueAt = undefined
  readonly #allowed: readonly GapId[]
  readonly #facts: RunFacts
  readonly #beyond: ReliedByGap = new Map()
  #first: NearestMatch | undefined

  constructor({ gaps: allowed }: ReliancesExpectation, facts: RunFacts) {
    this.#allowed = allowed
    this.#facts = facts
    this.expected = `no reliance on any gap${allowed.length === 0 ? '' : ` but ${allowed.join(', ')}`}`
  }

  get decided(): boolean {
    return this.#first !== undefined
  }

  observe(observation: Observation): void {
    if (observation.type !== 'exchange' && observation.type !== 'delivery') return
    if (!wasReceived(observation)) return
    const { reliances } = observation.type === 'exchange' ? observation.exchange : observation.delivery
    for (const reliance of reliances) {
      if (this.#allowed.includes(reliance.gap)) continue
      note(this.#beyond, reliance, observation)
      this.#first ??= this.#nearest(observation)
    }
  }

  evaluate(): TrackerResult {
    const beyond = this.#withUnnotified()
    if (beyond.size === 0) return { passed: true, found: this.#whatIsAllowed(), nearest: null }
    const first = this.#first
    return {
      passed: false,
      at: first && parseInstant(first.at),
      found: namesOf([...beyond.keys()]),
      nearest: first ? { ...first, differences: linesOf(beyond) } : null,
    }
  }

  /** Adds gaps under which a subscription was not notified, which leaves no delivery to observe. */
  #withUnnotified(): ReliedByGap {
    const beyond = new Map(this.#beyond)
    for (const { gap, reading } of this.#facts.simulator.reliances()) {
      const isKnown = this.#allowed.includes(gap as GapId) || beyond.has(gap as GapId)
      if (!isKnown) beyond.set(gap as GapId, unseen(reading))
    }
    return beyond
  }

  #whatIsAllowed(): string {
    const relied = new Set(this.#facts.simulator.reliances().map(({ gap }) => gap))
    return relied.size === 0 ? 'no reliance' : [...relied].join(', ')
  }

  #nearest(observation: Relying): NearestMatch {
    if (observation.type === 'exchange')
      return describeCandidate(toCandidate(observation.exchange, observation.moment))
    const line = formatDelivery(observation.delivery)
    return { line, exchange: null, at: formatInstant(observation.moment.at), differences: [] }
  }
}

/** Tells whether somebody received it: nobody relies on a delivery that reached no receiver. */
function wasReceived(observation: Relying): boolean {
  if (observation.type === 'exchange') return true
  return observation.delivery.attempts.some(
    ({ duration_ms, error }) => duration_ms !== null && reachedReceiver(error),
  )
}

function unseen(reading: string): Relied {
  return { reading, requests: 0, operations: new Set(), deliveries: new Set() }
}

function note(beyond: ReliedByGap, { gap, reading }: Reliance, observation: Relying): void {
  const relied = beyond.get(gap) ?? unseen(reading)
  beyond.set(gap, relied)
  if (observation.type === 'delivery') {
    relied.deliveries.add(observation.delivery.id)
    return
  }
  relied.requests++
  if (observation.exchange.operation !== null) relied.operations.add(observation.exchange.operation)
}

/** Names the gaps in a line; of many, the first few. */
function namesOf(all: readonly GapId[]): string {
  const more = all.length - mostNamed
  return more < 2 ? all.join(', ') : `${all.slice(0, mostNamed).join(', ')} and ${more} more`
}

/** Explains for each gap how it was read, what relied on it, and what would be better. */
function linesOf(beyond: ReliedByGap): string[] {
  const lines = [...beyond].map(([gap, relied]) => {
    return `${gap}: read ${relied.reading}, in ${describeRelied(relied)}. ${gaps[gap]?.advice ?? ''}`.trimEnd()
  })
  const more = lines.length - mostLines
  return more < 1 ? lines : [...lines.slice(0, mostLines), `and ${more} more`]
}

function describeRelied({ requests, operations, deliveries }: Relied): string {
  const by = operations.size === 0 ? '' : ` of ${[...operations].join(', ')}`
  const parts = [
    ...(requests === 0 ? [] : [`${counted(requests, 'request')}${by}`]),
    ...(deliveries.size === 0 ? [] : [counted(deliveries.size, 'delivery', 'deliveries')]),
  ]
  return parts.length === 0 ? 'an event that a subscription was not notified of' : parts.join(' and ')
}
