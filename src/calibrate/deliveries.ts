import type { GapId } from '../contract/gaps.js'
import { parseInstant } from '../world/index.js'
import { shapeConstraints, type VerifiedSignature } from './delivery-shape.js'
import { type Candidates, type Constraint, shows } from './elimination.js'
import type { Fields } from './exchange.js'
import { isUnscoped } from './fits.js'
import { deliveriesOf, type ReceivedDelivery, targetOf } from './received-events.js'
import { type DeliveryAction, type Moment, type ReceivedAttempt, requestedPause } from './receiver.js'
import { ServiceClock, type Span } from './service-clock.js'

/** The data that deliveries are judged by. */
export interface DeliveryContext {
  readonly attempts: readonly ReceivedAttempt[]
  /** The webhooks of the service, as its list shows them. */
  readonly webhooks: readonly Fields[]
  /** Signatures that the user's secrets verify, by number of the attempt; undefined where there are no secrets. */
  readonly verified: ReadonlyMap<number, VerifiedSignature | undefined> | undefined
  /** The port that receives deliveries. */
  readonly port: number
  /** Wall time in milliseconds. */
  readonly now: number
}

/** The first waits after a failure by reading of `events.retries`, in seconds of the service. */
const firstWaits: Readonly<Record<string, Span>> = { 'exponential-5': [9, 12.5], svix: [4.4, 6] }

const timeouts: Readonly<Record<string, Span>> = {
  '5s': [4.7, 5.5],
  '10s': [9.5, 10.8],
  '15s': [14.2, 16.5],
  '30s': [28.5, 33],
}

/** The waits after a 503 with `Retry-After`, by reading of `events.retry-after`. */
const retryAfterWaits: Readonly<Record<string, Span>> = {
  honoured: [requestedPause * 0.92, requestedPause * 1.2],
  ignored: [4.4, 12.5],
}

/** The seconds after which a first retry would have come under any schedule. */
const longestSilence = 16

/** The seconds within which a duplicate follows a success, and before which no retry comes. */
const [longestRepeat, soon] = [1.2, 4]

/** Returns the constraints that the deliveries so far put on readings. */
export function deliveryConstraints(context: DeliveryContext): Constraint[] {
  const deliveries = deliveriesOf(context.attempts)
  if (deliveries.length === 0) return []
  const here = context.webhooks.filter(({ url }) => isAtPort(url, context.port))
  // Behind a tunnel, only the path shows which webhook a delivery is for.
  const webhooks = here.length > 0 ? here : context.webhooks
  const clock = new ServiceClock(deliveries, context.now)
  const judging: Judging = { ...context, webhooks, deliveries, clock }
  return [
    ...deliveries.flatMap((delivery) => shapeConstraints(delivery, webhooks, context.verified)),
    ...retryConstraints(judging),
    ...timeoutConstraints(judging),
    ...duplicateConstraints(judging),
    ...successConstraints(judging),
    ...eventOrderConstraints(judging),
    ...scopeConstraints(judging),
  ]
}

interface Judging extends DeliveryContext {
  readonly deliveries: readonly ReceivedDelivery[]
  readonly clock: ServiceClock
}

/** Returns whether a URL leads to a port of this machine. */
function isAtPort(url: unknown, port: number): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { hostname, port: actual } = new URL(url)
  return /^(127\.|localhost$|\[::1\]$)/.test(hostname) && actual === String(port)
}

/** The outcome of a delivery: its retry, or none in the time that passed. */
interface Outcome {
  readonly first: ReceivedAttempt
  readonly retry: ReceivedAttempt | undefined
  /** The first attempt and, if there is one, its retry. */
  readonly attempts: readonly ReceivedAttempt[]
}

/** Returns the known outcomes of the deliveries that were answered in one way. */
function outcomes({ deliveries, clock }: Judging, action: DeliveryAction): Outcome[] {
  return deliveries.flatMap((delivery) => {
    const { first, attempts } = delivery
    const [, retry] = attempts
    const isKnown = delivery.action === action && (retry || clock.since(first) > longestSilence)
    return isKnown ? [{ first, retry, attempts: attempts.slice(0, 2) }] : []
  })
}

function retryConstraints(judging: Judging): Constraint[] {
  const { clock } = judging
  const failed = outcomes(judging, 'fail')
  const isRetried = failed.some(({ retry }) => retry)
  const isSoon = ({ first, retry }: Outcome): boolean => {
    return retry !== undefined && clock.between(first, retry)[1] < soon
  }
  const failsSlowly = failed.length > 0 && !failed.some(isSoon)
  const failures = failed.flatMap(({ first, retry, attempts }) => {
    return retry
      ? classify('events.retries', firstWaits, [first, retry], clock, 'the first retry came after')
      : [shows('events.retries', ['none'], attempts, 'no retry came after a 500')]
  })
  const gone = outcomes(judging, 'gone').flatMap(({ retry, attempts }) => {
    if (retry) return [shows('events.gone', ['retried'], attempts, 'a retry came after a 410')]
    // Without any retries, a missing one shows nothing.
    return isRetried ? [shows('events.gone', ['final'], attempts, 'no retry came after a 410')] : []
  })
  const success = outcomes(judging, 'empty').flatMap((outcome) => {
    const { first, retry, attempts } = outcome
    const says = (name: string, seen: string) => [shows('events.success', [name], attempts, seen)]
    if (!retry) return isRetried ? says('2xx', 'no retry came after a 204') : []
    // A delivery that recurs sooner than a retry is a duplicate after a success.
    if (isSoon(outcome)) return failsSlowly ? says('2xx', 'a delivery came again at once after a 204') : []
    const isLate = clock.between(first, retry)[0] > longestRepeat
    return isLate ? says('200-only', 'a retry came after a 204') : []
  })
  const seen = `asked to wait ${requestedPause} s, a retry came after`
  const later = outcomes(judging, 'later').flatMap(({ first, retry }) => {
    return retry ? classify('events.retry-after', retryAfterWaits, [first, retry], clock, seen) : []
  })
  return [...failures, ...gone, ...success, ...later]
}

/** Returns a constraint to the readings whose span contains the measured time. */
function classify(
  gap: GapId,
  spans: Readonly<Record<string, Span>>,
  [first, end]: readonly [ReceivedAttempt, Moment | ReceivedAttempt],
  clock: ServiceClock,
  what: string,
): Constraint[] {
  const measured = clock.between(first, end)
  const names = Object.keys(spans).filter((name) => overlap(spans[name] as Span, measured))
  // A time that fits nothing is evidence only if the speed of the service's clock is known.
  if (names.length === 0 && !clock.isReal) return []
  const seen = `${what} ${((end.at - first.at) / 1000).toFixed(1)} s`
  return [shows(gap, names, 'number' in end ? [first, end] : [first], seen)]
}

function overlap(a: Span, b: Span): boolean {
  return a[0] <= b[1] && b[0] <= a[1]
}

function timeoutConstraints({ deliveries, clock }: Judging): Constraint[] {
  return deliveries.flatMap(({ first, first: { hungUp } }) => {
    return hungUp
      ? classify('events.timeout', timeouts, [first, hungUp], clock, 'the service hung up after')
      : []
  })
}

/** The number of successive deliveries after which duplicates are ruled out. */
const enoughSuccesses = 6

function duplicateConstraints({ deliveries, webhooks, clock }: Judging): Constraint[] {
  const gap = 'events.duplicates' as const
  const isAlone = (target: string): boolean => webhooks.filter((one) => targetOf(one) === target).length < 2
  const twice = deliveries.find(({ action, first, attempts: [, second], target }) => {
    if (action !== 'ok' || !second || !isAlone(target)) return false
    // With a faster clock, the answer may have been too late for the service, which then retries.
    return clock.isReal || clock.between(first, second)[1] < soon
  })
  if (twice)
    return [shows(gap, ['occasional-duplicate'], twice.attempts, 'a delivery came again after a 200')]
  const row = rowsAnswered('ok', deliveries, clock).find(([first]) => isAlone(first?.target ?? ''))
  const attempts = row?.flatMap((delivery) => delivery.attempts) ?? []
  if (!row || attempts.length > row.length) return []
  return [shows(gap, ['exactly-once'], attempts, `${row.length} deliveries in a row came once each`)]
}

/** Returns runs of successive deliveries to a target that were all answered in one way and are complete. */
function rowsAnswered(
  action: DeliveryAction,
  deliveries: readonly ReceivedDelivery[],
  clock: ServiceClock,
): ReceivedDelivery[][] {
  return targetsOf(deliveries).flatMap((target) => {
    // Deliveries of earlier events have arrived by then.
    const over = deliveries.filter((one) => one.target === target && clock.since(one.first) > 2)
    const sorted = over.toSorted((a, b) => stepBetween(b, a))
    const rows: { readonly row: ReceivedDelivery[]; others: number }[] = [{ row: [], others: 0 }]
    for (const [index, delivery] of sorted.entries()) {
      const last = rows.at(-1) as (typeof rows)[number]
      const neighbours = [sorted[index - 1], sorted[index + 1]]
      if (delivery.action === action) last.row.push(delivery)
      // Among deliveries of one instant, its position is unknown.
      else if (neighbours.some((one) => one && stepBetween(one, delivery) === 0)) last.others++
      else rows.push({ row: [], others: 0 })
    }
    return rows.flatMap(({ row, others }) => (row.length >= enoughSuccesses + 2 * others ? [row] : []))
  })
}

/**
 * Returns the constraint from deliveries answered with 204 if there are no retries: only duplicates show that a 204
 * is a success.
 */
function successConstraints({ deliveries, clock }: Judging): Constraint[] {
  return rowsAnswered('empty', deliveries, clock).flatMap((row) => {
    if (row.some(({ attempts }) => attempts.length > 1)) return []
    const seen = `${row.length} deliveries in a row came once each after a 204, and some twice after a 200`
    const [target, other] = ['events.success', 'events.duplicates'] as const
    const explanations = [{ [target]: '200-only' }, { [other]: 'exactly-once' }]
    return [{ target, explanations, exchanges: row.map(({ first }) => first.number), seen }]
  })
}

/** The probability under `shuffled` below which an order counts as intended. */
const unlikely = 3e-4

/** The longest delay of a shuffled first attempt and its steps, in milliseconds. */
const [longestDelay, delayStep] = [450, 50]

function eventOrderConstraints({ deliveries, clock }: Judging): Constraint[] {
  const gap = 'events.order' as const
  for (const target of targetsOf(deliveries)) {
    const events = deliveries.filter((one) => one.target === target && one.event.happenedAt !== undefined)
    const attempts = events.map(({ first }) => first)
    const steps = events.slice(1).map((later, index) => stepBetween(events[index] as ReceivedDelivery, later))
    const late = steps.findIndex((step) => step < 0)
    if (late >= 0) {
      return [shows(gap, ['shuffled'], attempts.slice(late, late + 2), 'an event came before an earlier one')]
    }
    const waiting = events.flatMap((held) => waitingFor(held, events, clock))
    if (waiting.length >= 2) {
      const seen = `${waiting.length} events waited until a delivery before them was over`
      return [shows(gap, ['in-order'], waiting, seen)]
    }
    // Events of one instant may come in any order.
    const apart = events.filter((_, index) => index === 0 || steps[index - 1] !== 0)
    if (apart.length < 5 || chanceOfOrder(timesOf(apart, clock)) > unlikely) continue
    return [shows(gap, ['in-order'], attempts, `${apart.length} events close in time came in order`)]
  }
  return []
}

/**
 * Returns the times of events in milliseconds, as far apart as they may have been on the clock that delays attempts.
 */
function timesOf(events: readonly ReceivedDelivery[], clock: ServiceClock): number[] {
  const isPrecise = events.some(({ event: { happenedAt = 0 } }) => happenedAt % 1000 !== 0)
  const times: number[] = []
  for (const [index, { first, event }] of events.entries()) {
    const before = events[index - 1]
    const between = (event.happenedAt ?? 0) - (before?.event.happenedAt ?? 0)
    const arrived = first.at - (before?.first.at ?? 0)
    // Whole seconds are imprecise, arrivals are sometimes late, and a frozen clock shows nothing.
    const gap = isPrecise ? Math.max(between, arrived) : clock.isReal ? arrived + 300 / events.length : 1000
    times.push(index === 0 ? 0 : (times[index - 1] as number) + Math.max(0, gap))
  }
  return times
}

/** Returns first attempts of events that happened while another delivery was held, but came only after it. */
function waitingFor(
  { first: held, event }: ReceivedDelivery,
  events: readonly ReceivedDelivery[],
  clock: ServiceClock,
): ReceivedAttempt[] {
  if (held.hungUp === undefined || event.happenedAt === undefined) return []
  const over = held.hungUp.at
  const lasted = clock.between(held, held.hungUp)
  const possible = Object.values(timeouts).filter((timeout) => overlap(timeout, lasted))
  const end = event.happenedAt / 1000 + Math.max(lasted[0], possible[0]?.[0] ?? 0)
  const later = events.filter(({ first }) => first.at > held.at)
  if (later.some(({ first }) => first.at < over - 50)) return []
  // Rounding to whole seconds and the delay of a shuffle add up to less than that.
  return later.flatMap(({ first, event: { happenedAt = 0 } }) =>
    happenedAt / 1000 + 2.2 < end ? [first] : [],
  )
}

function targetsOf(deliveries: readonly ReceivedDelivery[]): string[] {
  return [...new Set(deliveries.map(({ target }) => target))]
}

/** Compares the times of two events, and at the same time the numbers in their subjects. */
function stepBetween({ event: before }: ReceivedDelivery, { event: after }: ReceivedDelivery): number {
  const apart = (after.happenedAt ?? 0) - (before.happenedAt ?? 0)
  if (apart !== 0) return apart
  const [a, b] = [before, after].map(({ subject }) =>
    Number(/^Calibration (\d+)$/.exec(subject)?.[1] ?? Number.NaN),
  )
  return Number.isNaN(a) || Number.isNaN(b) ? 0 : (b as number) - (a as number)
}

/** Returns the probability that events at these times keep their order if each is delayed at random. */
function chanceOfOrder(times: readonly number[]): number {
  const delays = Array.from({ length: longestDelay / delayStep + 1 }, (_, step) => step * delayStep)
  let before: readonly (readonly [at: number, chance: number])[] = [[Number.NEGATIVE_INFINITY, 1]]
  for (const time of times) {
    before = delays.map((delay) => {
      const follows = before.filter(([at]) => at <= time + delay)
      return [time + delay, follows.reduce((sum, [, chance]) => sum + chance, 0) / delays.length]
    })
  }
  return before.reduce((sum, [, chance]) => sum + chance, 0)
}

/** Returns the constraints from the subscriptions that received events of sent mail. */
function scopeConstraints({ deliveries, webhooks, clock }: Judging): Constraint[] {
  const gap = 'events.bounced-sender' as const
  const isBusy = (place: string | undefined): boolean => {
    return deliveries.some(({ target, action, first }) => {
      return target === place && action === 'hold' && first.hungUp === undefined
    })
  }
  return deliveries.flatMap(({ event, first, target }) => {
    const { type, agentHandle, messageId } = event
    if (type !== 'message.delivered' && type !== 'message.bounced') return []
    const own = webhooks.filter((webhook) => targetOf(webhook) === target)
    const others = own.filter(({ agent_handle: handle }) => !isUnscoped(handle) && handle !== agentHandle)
    if (own.length === 1 && others.length === 1) {
      return [shows(gap, ['organization'], [first], `${target} got a ${type} of ${agentHandle}`)]
    }
    // Other deliveries may be waiting or slightly delayed.
    if (clock.since(first) < 3) return []
    const before = deliveries.filter((one) => one.first.at < first.at)
    const latest = Math.max(0, ...before.map((one) => one.event.happenedAt ?? 0))
    const missed = webhooks.find((webhook) => {
      const { agent_handle: handle, events, created_at } = webhook as Record<string, unknown>
      const subscribed = Array.isArray(events) && events.includes(type)
      const place = targetOf(webhook)
      const got = deliveries.some((one) => one.target === place && one.event.messageId === messageId)
      const isReached = deliveries.some((one) => one.target === place) && !isBusy(place)
      const existed = (parseInstant(String(created_at)) ?? Number.POSITIVE_INFINITY) <= latest
      return subscribed && existed && !isUnscoped(handle) && handle !== agentHandle && isReached && !got
    })
    const seen = `${missed?.['url']} did not get a ${type} of ${agentHandle}`
    return missed ? [shows(gap, ['sending-agent'], [first], seen)] : []
  })
}

/** Returns why no delivery can show the reading of a gap; undefined if one can. */
export function whyUnobservable(gap: GapId, candidates: Candidates): string | undefined {
  if (candidates['events.retries'].join() !== 'none') return undefined
  if (gap === 'events.gone' || gap === 'events.retry-after')
    return 'without retries, its readings are the same: nothing is sent again'
  const isOnce = candidates['events.duplicates'].join() === 'exactly-once'
  return gap === 'events.success' && isOnce
    ? 'without retries and duplicates, its readings are the same: nothing is sent again'
    : undefined
}
