import { z } from '../../base/schema.js'
import { counted } from '../../base/text.js'
import { adviceOf } from '../../contract/extensions.js'
import { type GapId, gapIds } from '../../contract/gaps.js'
import type { NamedGap } from '../../contract/named-assumptions.js'
import type { Reliance, RelianceSummary } from '../../service/assumptions/settle.js'
import { parseInstant } from '../../service/time/time.js'
import { reachedReceiver } from '../../service/webhooks/delivery.js'
import { nearestDelivery } from './delivery.js'
import type { JudgedMailbox } from './judged-mailbox.js'
import { defineExpectationKind, type Named } from './kind.js'
import { nearestExchange } from './request.js'
import type { NearestMatch, Observation, RunFacts, Tracker } from './tracker.js'

/** Expects that exchanges and deliveries depend on no gaps other than these, or on none of these. */
export interface ReliancesExpectation extends Named {
  readonly kind: 'reliances'
  readonly gaps: readonly GapId[]
  /** Whether the gaps are those on which nothing may depend, rather than the only ones on which something may. */
  readonly not: boolean
}

const gapName = z
  .string()
  .meta({ anyOf: [{ enum: gapIds }, { type: 'string', pattern: '[.]' }] }) as unknown as z.ZodType<
  string,
  NamedGap
>

const gapList = z.array(gapName).max(1_000)

const noneOf = z
  .strictObject({ not: gapList.min(1).describe('The gaps on which nothing may depend.') })
  .meta({
    id: 'no_gaps',
    title: 'No gaps',
    description: 'Gaps on which no response and no delivery may depend; they may depend on any other.',
  })

/** The expectation that responses and deliveries depend on no other gaps. */
export const reliancesExpectations = defineExpectationKind({
  about: 'the gaps that responses depend on',
  keys: {
    reliances: z
      .union([gapList, noneOf])
      .optional()
      .describe(
        'The only gaps on which responses and deliveries may depend; or, with `not`, those on which they must not.',
      ),
  },
  names({ reliances: named }) {
    const { not } = Object(named) as { readonly not?: unknown }
    const path = Array.isArray(named) ? ['reliances'] : ['reliances', 'not']
    const gaps = [named, not].find(Array.isArray) ?? []
    return gaps.map((name, at) => ({ what: 'gap', name, path: [...path, at] }))
  },
  holdsAtStart: () => true,
  resolve({ reliances: named = [] }) {
    const gaps = ('not' in named ? named.not : named) as GapId[]
    return () => ({ gaps, not: 'not' in named })
  },
  track: trackReliances,
})

/** Formats a reliance: `threads.order: assumption last-message-desc, in 3 requests of threads.list`. */
export function formatReliance({ gap, assumption, operations, events = [], count }: RelianceSummary): string {
  const names = [...operations, ...events]
  const by = names.length === 0 ? '' : ` of ${names.join(', ')}`
  return `${gap}: assumption ${assumption}, in ${countedWhere(operations, events, count)}${by}`
}

function countedWhere(operations: readonly string[], events: readonly string[], count: number): string {
  if (events.length === 0) return counted(count, 'request')
  if (operations.length === 0) return counted(count, 'delivery', 'deliveries')
  return `${count} requests and deliveries`
}

/** The limits of gaps named in one line, and of gaps with their own line. */
const [maxNamed, maxLines] = [3, 20]

/** Finds exchanges and deliveries that depend on gaps that are not allowed. */
function trackReliances({ gaps, not }: ReliancesExpectation, { mailbox }: RunFacts): Tracker {
  const observed = new Map<string, RelianceSummary>()
  /** A delivery is observed several times. */
  const seen = new Set<string>()
  let first: NearestMatch | undefined
  const isAllowed = (gap: string): boolean => gaps.some((one) => one === gap) !== not

  function note({ gap, assumption }: Reliance, observation: Relying): void {
    const key = `${gap}=${assumption}`
    const { operations = [], events = [], count = 0 } = observed.get(key) ?? {}
    if (observation.type === 'exchange') {
      const { operation } = observation.exchange
      const all = operation === null ? operations : [...new Set([...operations, operation])]
      observed.set(key, { gap, assumption, operations: all, events, count: count + 1 })
    } else {
      const { id, event } = observation.delivery
      if (seen.has(`${key} ${id}`)) return
      seen.add(`${key} ${id}`)
      const all = [...new Set([...events, event.type])]
      observed.set(key, { gap, assumption, operations, events: all, count: count + 1 })
    }
  }

  return {
    expected: not
      ? `no response or delivery that depends on ${gaps.join(' or ')}`
      : `no response or delivery that depends on a gap${gaps.length === 0 ? '' : ` but ${gaps.join(', ')}`}`,
    get decided() {
      return first !== undefined
    },
    observe(observation) {
      if (observation.type !== 'exchange' && observation.type !== 'delivery') return
      if (!wasReceived(observation)) return
      const { reliances } = observation.type === 'exchange' ? observation.exchange : observation.delivery
      for (const reliance of reliances) {
        note(reliance, observation)
        if (!isAllowed(reliance.gap)) first ??= nearestOf(observation)
      }
    },
    evaluate() {
      // If a subscription was not notified, there is no delivery to observe.
      const unobserved = mailbox
        .reliances()
        .filter(({ gap, assumption }) => !observed.has(`${gap}=${assumption}`))
      const all = [...observed.values(), ...unobserved]
      const beyond = all.filter(({ gap }) => !isAllowed(gap))
      if (beyond.length === 0) {
        return { passed: true, found: all.length === 0 ? 'none' : namesOf(all), nearest: null }
      }
      return {
        passed: false,
        at: first && parseInstant(first.at),
        found: namesOf(beyond),
        nearest: first
          ? { ...first, differences: [...linesOf(beyond, mailbox), ...(not ? [howToPin(beyond)] : [])] }
          : null,
      }
    },
  }
}

type Relying = Extract<Observation, { readonly type: 'exchange' | 'delivery' }>

function nearestOf(observation: Relying): NearestMatch {
  const { type, moment } = observation
  return type === 'exchange'
    ? nearestExchange(observation.exchange, moment, [])
    : nearestDelivery(observation.delivery, moment, [])
}

/** Returns whether a receiver got the delivery; otherwise no client relies on it. */
function wasReceived(observation: Relying): boolean {
  if (observation.type === 'exchange') return true
  return observation.delivery.attempts.some(
    ({ duration_ms, error }) => duration_ms !== null && reachedReceiver(error),
  )
}

/** Lists the names of the gaps in a line; only the first few of many. */
function namesOf(all: readonly RelianceSummary[]): string {
  const names = [...new Set(all.map(({ gap }) => gap))]
  const more = names.length - maxNamed
  return more < 2 ? names.join(', ') : `${names.slice(0, maxNamed).join(', ')} and ${more} more`
}

/** Says how to rely on a gap on purpose. */
export function howToPin([first]: readonly Pick<RelianceSummary, 'gap' | 'assumption'>[]): string {
  const { gap = '', assumption = '' } = first ?? {}
  return `If the service is known to do so, pin it with \`assume: { ${gap}: ${assumption} }\`, and take the gap off this list.`
}

/** Explains each reliance in a line, with the advice about its gap. */
function linesOf(beyond: readonly RelianceSummary[], mailbox: JudgedMailbox): string[] {
  const lines = beyond.map((one) =>
    `${formatReliance(one)}. ${adviceOf(one.gap, mailbox.extensions.gaps)}`.trimEnd(),
  )
  const more = lines.length - maxLines
  return more < 1 ? lines : [...lines.slice(0, maxLines), `and ${more} more`]
}
