import { z } from '../../base/schema.js'
import { counted } from '../../base/text.js'
import { type Delivery, formatDuration, formatInstant } from '../../service/world/index.js'
import { asksToWait, isFailure, requestKey, writeOf } from './exchanges.js'
import type { Invariant, InvariantExpectation, Violation } from './invariant.js'
import { sharedKeys } from './keys.js'
import { defineExpectationKind } from './kind.js'
import { answersNoAutomaticMail, neverAnswersItself, sendsOnce } from './mail-invariants.js'
import { formatExchange } from './request.js'
import type { RunFacts, Tracker } from './tracker.js'

/** The default limit of requests in one run. */
const runaway = 10_000

/** The client ends: no endless paging and no runaway loop. */
const ends: Invariant = {
  limit: 'at_most',
  advice:
    'End a loop over pages at a response with fewer entries than its limit, and bound every other loop.',
  watch({ atMost, window: { within } }) {
    const most = atMost ?? runaway
    let requests = 0
    const inTime = within === null ? '' : ` and an end within ${within.text}`
    return {
      expected: `at most ${counted(most, 'request')}${inTime}`,
      observe(observation) {
        if (observation.type !== 'exchange' || ++requests <= most) return undefined
        const { exchange } = observation
        const differences = [`expected at most ${counted(most, 'request')}; this is number ${requests}`]
        return { found: `more than ${counted(most, 'request')}`, line: formatExchange(exchange), differences }
      },
      end({ client }) {
        if (within === null || client !== 'running') return undefined
        const found = `it was still running when the story had ended, after ${counted(requests, 'request')}`
        return { found, line: 'the client', differences: [`expected an end within ${within.text}`] }
      },
    }
  },
}

/** The number of consecutive failures of a request after which a client must give up. */
const maxFailures = 20

/** The client gives up on a request that keeps failing, instead of repeating it endlessly. */
const givesUp: Invariant = {
  limit: 'at_most',
  advice: 'Bound the number of retries, wait longer before each, and report that the service is unavailable.',
  watch({ atMost }) {
    const most = atMost ?? maxFailures
    const failures = new Map<string, number>()
    return {
      expected: `no request repeated after ${most} consecutive failures`,
      observe(observation) {
        if (observation.type !== 'exchange') return undefined
        const { exchange } = observation
        const key = requestKey(exchange)
        const count = isFailure(exchange) ? (failures.get(key) ?? 0) + 1 : 0
        failures.set(key, count)
        if (count <= most) return undefined
        const differences = [`it failed ${count} consecutive times, and was repeated after each failure`]
        const found = `a request sent ${count} times while it failed`
        return { found, line: formatExchange(exchange), differences }
      },
    }
  },
}

/** The share of the wait after which a request is not too early, since clocks and timers are not exact. */
const tolerance = 0.8

/** The client repeats a request no earlier than the Retry-After of the response says. */
const obeysRetryAfter: Invariant = {
  advice: 'Wait as many seconds as Retry-After says before you repeat the request, after both 429 and 503.',
  watch() {
    /**
     * When a response came, in wall time and in story time, and the wait that it asked for, in milliseconds.
     */
    const waits = new Map<
      string,
      { readonly wall: number; readonly at: number; readonly wait: number; readonly status: number }
    >()
    return {
      expected: 'no request repeated before its Retry-After is over',
      observe(observation) {
        if (observation.type !== 'exchange') return undefined
        const { exchange, moment, header, wall } = observation
        const key = requestKey(exchange)
        const before = waits.get(key)
        const { status } = exchange
        const seconds = asksToWait(status, header('retry-after'))
        // A request that was sent before the response arrived could not take it into account.
        if (before && wall.from < before.wall) return undefined
        if (seconds === undefined) waits.delete(key)
        else waits.set(key, { wall: wall.to, at: moment.at, wait: seconds * 1000, status })
        if (!before) return undefined
        // A client may wait in wall time or in story time.
        const waited = Math.max(wall.from - before.wall, moment.at - before.at)
        if (waited >= tolerance * before.wait) return undefined
        const shown = formatDuration(Math.round(waited))
        const wanted = formatDuration(before.wait)
        const found = `a request repeated ${shown} after a response ${before.status} that asked to wait ${wanted}`
        const differences = [`expected a wait of ${wanted}, found ${shown}`]
        return { found, line: formatExchange(exchange), differences }
      },
    }
  },
}

/** A write, and its position in the order of events. */
interface Write {
  readonly key: string
  readonly seq: number
}

/** An event that was delivered again. */
interface Repetition {
  readonly event: string
  /** The positions of its first delivery, and of the repetition. */
  readonly first: number
  readonly again: number
}

/** The client acts once on an event, regardless of how often it is delivered. */
const handlesEventsOnce: Invariant = {
  advice: 'Keep the ids of the events that you have handled, and respond with 200 when one arrives again.',
  watch() {
    const firstSeen = new Map<string, number>()
    const repetitions: Repetition[] = []
    const writes: Write[] = []
    const disturbed = new Set<string>()
    return {
      expected: 'no second identical write after an event was delivered again',
      observe(observation) {
        const { moment } = observation
        if (observation.type === 'delivery') noteDelivery(observation.delivery, moment.seq)
        const write = writeOf(observation)
        if (write === undefined) return undefined
        // A client may repeat a write whose response was lost.
        if (observation.type === 'exchange' && observation.exchange.fault) disturbed.add(write)
        const repetition = repetitions.findLast(({ again }) => again < moment.seq)
        const before = repetition && writes.find((one) => isBefore(one, write, repetition))
        const isOwed = owesWrites()
        writes.push({ key: write, seq: moment.seq })
        if (!repetition || !before || isOwed || disturbed.has(write) || isOften(write)) return undefined
        const found = `a second identical write after the event ${repetition.event} came again`
        return { found, line: write, differences: ['expected no repetition of an earlier write'] }
      },
    }

    function noteDelivery({ event, attempts }: Delivery, seq: number): void {
      const last = attempts.at(-1)
      if (!last) return
      const first = firstSeen.get(event.id)
      if (first === undefined) {
        firstSeen.set(event.id, seq)
        // Later writes may be about this new event.
        repetitions.length = 0
      } else if (last.cause === 'duplicate' || last.cause === 'redelivery') {
        const isAccepted = attempts.slice(0, -1).some(({ response }) => response && response.status < 300)
        const isKnown = repetitions.some(({ event: known }) => known === event.id)
        if (isAccepted && !isKnown) repetitions.push({ event: event.id, first, again: seq })
      }
    }

    function isBefore({ key, seq }: Write, write: string, { first, again }: Repetition): boolean {
      // If there was no other event, the write is about this one, even if it came after the repetition.
      return key === write && seq > first && (seq < again || firstSeen.size === 1)
    }

    /**
     * Returns whether the client may still write about an earlier event, as a client that handles events
     * later does.
     */
    function owesWrites(): boolean {
      const [first = 0] = firstSeen.values()
      return writes.filter(({ seq }) => seq > first).length < firstSeen.size
    }

    /** Returns whether the client repeats this write so often that it must have other reasons. */
    function isOften(write: string): boolean {
      return writes.filter(({ key }) => key === write).length > 2
    }
  },
}

/** The client responds to every delivery before it times out. */
const answersDeliveries: Invariant = {
  advice: 'Respond to a delivery immediately, and do the work afterwards.',
  watch() {
    return {
      expected: 'a response to every delivery before it times out',
      observe(observation) {
        if (observation.type !== 'delivery') return undefined
        const { event, url, attempts } = observation.delivery
        const late = attempts.find(({ error }) => error?.code === 'timeout')
        if (!late) return undefined
        const found = `no response to a delivery of ${event.type} in time`
        return { found, line: `${event.type} to ${url}`, differences: [late.error?.message ?? ''] }
      },
    }
  },
}

/** The client makes no writes that it would not make without faults. */
const writesNothingElse: Invariant = {
  limit: 'writes',
  advice: 'Distinguish a failed response from an empty one, and write only what was read completely.',
  watch({ writes }) {
    const allowed = new Set(writes ?? [])
    return {
      expected: allowed.size === 0 ? 'no write' : `no write other than ${[...allowed].join(', ')}`,
      observe(observation) {
        const write = writeOf(observation)
        if (write === undefined || allowed.has(write)) return undefined
        const found = `an unexpected write: ${write}`
        return { found, line: write, differences: ['expected no such write'] }
      },
    }
  },
}

/** Every invariant by its name. */
export const invariants = {
  ends,
  'gives-up': givesUp,
  'obeys-retry-after': obeysRetryAfter,
  'handles-events-once': handlesEventsOnce,
  'answers-deliveries': answersDeliveries,
  'writes-nothing-else': writesNothingElse,
  'sends-once': sendsOnce,
  'never-answers-itself': neverAnswersItself,
  'answers-no-automatic-mail': answersNoAutomaticMail,
} as const satisfies Readonly<Record<string, Invariant>>

/** The name of an invariant. */
export type InvariantName = keyof typeof invariants

/** The names of the invariants. */
export const invariantNames = Object.keys(invariants) as InvariantName[]

/** The keys by which an invariant is limited; with any other, the key would have no effect. */
const limits = ['at_most', 'writes'] as const

/** Returns the invariants that a key limits. */
function limitedBy(key: (typeof limits)[number]): InvariantName[] {
  return invariantNames.filter((name) => (invariants[name] as Invariant).limit === key)
}

/** The expectation that a client follows a rule. */
export const invariantExpectations = defineExpectationKind({
  about: 'an invariant of clients',
  keys: {
    invariant: z
      .enum(invariantNames)
      .optional()
      .describe('A rule that any good client follows in any story; docs/fuzz.md lists these rules.'),
    at_most: sharedKeys.at_most,
    writes: z
      .array(z.string())
      .optional()
      .describe('The writes that `writes-nothing-else` allows, in the form in which it reports them.'),
    within: sharedKeys.within,
  },
  problemWith(written) {
    for (const key of limits) {
      const fitting = limitedBy(key)
      const name = written.invariant as InvariantName
      if (written[key] !== undefined && !fitting.includes(name)) {
        return `"${key}" goes with ${fitting.join(' and ')}, not with ${name}; leave it out`
      }
    }
    return undefined
  },
  rules: limits.map((key) => ({
    if: { required: ['invariant', key] },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { patternProperties: { '^invariant$': { enum: limitedBy(key) } } },
  })),
  holdsAtStart: () => true,
  resolve(written) {
    const { invariant: name, at_most: atMost = null, writes = null } = written
    return ({ window }) => ({ invariant: name as InvariantName, atMost, writes, window })
  },
  track: trackInvariant,
  seesCommands: true,
})

/** Expects that a client follows a rule. */
export interface NamedInvariant extends InvariantExpectation {
  readonly invariant: InvariantName
}

/** Creates the expectation of an invariant with its default limits. */
export function expectedInvariant(name: InvariantName): NamedInvariant {
  const window = { after: null, before: null, within: null }
  return { kind: 'invariant', key: null, describe: null, invariant: name, atMost: null, writes: null, window }
}

/** Follows a run for one invariant, up to its first violation. */
function trackInvariant(expectation: NamedInvariant, facts: RunFacts): Tracker {
  const watch = invariants[expectation.invariant].watch(expectation, facts.mailbox)
  let first: (Violation & { readonly at: number }) | undefined
  return {
    expected: watch.expected,
    get decided() {
      return first !== undefined
    },
    observe(observation) {
      if (first) return
      const violation = watch.observe(observation)
      if (violation) first = { ...violation, at: observation.moment.at }
    },
    evaluate(end) {
      const violation = first ?? watch.end?.(facts)
      if (!violation) return { passed: true, found: 'no violation', nearest: null }
      const { found, line, exchange = null, differences } = violation
      const at = first?.at ?? end
      const nearest = { line, exchange, at: formatInstant(at), differences }
      return { passed: false, at, found, nearest }
    },
  }
}
