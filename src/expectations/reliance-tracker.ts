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
import type { NearestMatch, Observation, RunFacts, Tracker } from './tracker.js'

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

/** The limits of gaps named in one line, and of gaps with a line of their own. */
const [maxNamed, maxLines] = [3, 20]

/** Finds exchanges and deliveries that rely on gaps that are not allowed. */
export function trackReliances({ gaps: allowed }: ReliancesExpectation, { simulator }: RunFacts): Tracker {
  const beyond: ReliedByGap = new Map()
  let first: NearestMatch | undefined
  return {
    expected: `no reliance on any gap${allowed.length === 0 ? '' : ` but ${allowed.join(', ')}`}`,
    get decided() {
      return first !== undefined
    },
    observe(observation) {
      if (observation.type !== 'exchange' && observation.type !== 'delivery') return
      if (!wasReceived(observation)) return
      const { reliances } = observation.type === 'exchange' ? observation.exchange : observation.delivery
      for (const reliance of reliances) {
        if (allowed.includes(reliance.gap)) continue
        note(beyond, reliance, observation)
        first ??= nearestOf(observation)
      }
    },
    evaluate() {
      const relied = new Map(simulator.reliances().map(({ gap, reading }) => [gap as GapId, reading]))
      // If a subscription was not notified, there is no delivery to observe.
      const unnotified = [...relied].filter(([gap]) => !allowed.includes(gap) && !beyond.has(gap))
      const all: ReliedByGap = new Map([
        ...beyond,
        ...unnotified.map(([gap, reading]) => [gap, unseen(reading)] as const),
      ])
      if (all.size === 0) {
        const found = relied.size === 0 ? 'no reliance' : [...relied.keys()].join(', ')
        return { passed: true, found, nearest: null }
      }
      return {
        passed: false,
        at: first && parseInstant(first.at),
        found: namesOf([...all.keys()]),
        nearest: first ? { ...first, differences: linesOf(all) } : null,
      }
    },
  }
}

function nearestOf(observation: Relying): NearestMatch {
  const { moment } = observation
  if (observation.type === 'exchange') return describeCandidate(toCandidate(observation.exchange, moment))
  const line = formatDelivery(observation.delivery)
  return { line, exchange: null, at: formatInstant(moment.at), differences: [] }
}

/** Returns whether a receiver got the delivery; otherwise no client relies on it. */
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

/** Lists the names of the gaps in a line; only the first few of many. */
function namesOf(all: readonly GapId[]): string {
  const more = all.length - maxNamed
  return more < 2 ? all.join(', ') : `${all.slice(0, maxNamed).join(', ')} and ${more} more`
}

/** Explains each gap in a line: its reading, the requests and deliveries that relied on it, and the advice. */
function linesOf(beyond: ReliedByGap): string[] {
  const lines = [...beyond].map(([gap, relied]) => {
    return `${gap}: read ${relied.reading}, in ${describeRelied(relied)}. ${gaps[gap]?.advice ?? ''}`.trimEnd()
  })
  const more = lines.length - maxLines
  return more < 1 ? lines : [...lines.slice(0, maxLines), `and ${more} more`]
}

function describeRelied({ requests, operations, deliveries }: Relied): string {
  const by = operations.size === 0 ? '' : ` of ${[...operations].join(', ')}`
  const parts = [
    ...(requests === 0 ? [] : [`${counted(requests, 'request')}${by}`]),
    ...(deliveries.size === 0 ? [] : [counted(deliveries.size, 'delivery', 'deliveries')]),
  ]
  return parts.length === 0 ? 'an event that a subscription was not notified of' : parts.join(' and ')
}
