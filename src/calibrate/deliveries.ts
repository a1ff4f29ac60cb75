import type { GapId } from '../contract/gaps.js'
import { createRandom } from '../world/index.js'
import type { Constraint } from './elimination.js'
import type { Fields } from './exchange.js'
import { isUnscoped } from './fits.js'
import { deliveriesOf, possibleSpeeds, type ReceivedDelivery } from './received-events.js'
import { askedPause, type DeliveryAction, type ReceivedAttempt } from './receiver.js'

/** What deliveries are judged by. */
export interface DeliveryContext {
  readonly attempts: readonly ReceivedAttempt[]
  /** The webhooks of the service, as its list shows them. */
  readonly webhooks: readonly Fields[]
  /** Where deliveries are received. */
  readonly port: number
  /** Wall time in milliseconds. */
  readonly now: number
}

/** A span of seconds by the clock of the service. */
type Span = readonly [least: number, most: number]

/** First waits after a failure, by reading of `events.retries`. */
const firstWaits: Readonly<Record<string, Span>> = { 'exponential-5': [9, 12.5], svix: [4.4, 6] }

const timeouts: Readonly<Record<string, Span>> = {
  '5s': [4.4, 6],
  '10s': [9, 11.5],
  '15s': [13.5, 17],
  '30s': [27, 33],
}

/** Seconds after which the first retry would have come, whatever the schedule. */
const patience = 16

/** What the deliveries so far show. */
export function deliveryConstraints(context: DeliveryContext): Constraint[] {
  const deliveries = deliveriesOf(context.attempts)
  if (deliveries.length === 0) return []
  const here = context.webhooks.filter(({ url }) => leadsTo(url, context.port))
  // Behind a tunnel, the path alone says which webhook a delivery is for.
  const webhooks = here.length > 0 ? here : context.webhooks
  const judging: Judging = { ...context, webhooks, deliveries, speeds: possibleSpeeds(deliveries) }
  return [
    ...deliveries.flatMap((delivery) => ofShape(delivery, judging)),
    ...ofRetries(judging),
    ...ofTimeouts(judging),
    ...ofDuplicates(judging),
    ...ofOrder(judging),
    ...ofScopes(judging),
  ]
}

interface Judging extends DeliveryContext {
  readonly deliveries: readonly ReceivedDelivery[]
  readonly speeds: readonly number[]
}

function shows(
  target: GapId,
  names: readonly string[],
  attempts: readonly ReceivedAttempt[],
  seen: string,
): Constraint {
  const exchanges = attempts.map(({ number }) => number)
  return { target, explanations: names.map((name) => ({ [target]: name })), exchanges, seen }
}

function ofShape({ attempts, event, target }: ReceivedDelivery, { webhooks }: Judging): Constraint[] {
  const first = attempts.slice(0, 1)
  const { headers = {} } = first[0] ?? {}
  const names = Object.keys(headers)
  const { envelope, data } = event
  const signature = signatureOf(headers)
  const constraints = [
    shows(
      'events.envelope',
      envelope ? [envelope] : [],
      first,
      `the body is ${shorten(first[0]?.body ?? '')}`,
    ),
    shows('events.signature', signature ? [signature] : [], first, `its headers are ${names.join(', ')}`),
  ]
  if (envelope)
    constraints.push(
      shows('events.data', data ? [data] : [], first, `its data is ${data ?? 'of another kind'}`),
    )
  const subscriptions = webhooks.filter((webhook) => targetOf(webhook) === target)
  const tokens = subscriptions.map((webhook) => webhook['auth_token'])
  const [token] = tokens
  if (typeof token === 'string' && token !== '' && tokens.every((other) => other === token)) {
    const carriers = names.filter((name) => headers[name]?.includes(token))
    const placed =
      carriers.length === 0 ? ['not-sent'] : carriers.flatMap((name) => placeOf(name, headers, token))
    const seen =
      carriers.length === 0 ? 'no header carries the token' : `the token is in ${carriers.join(', ')}`
    constraints.push(shows('events.token-placement', placed, first, seen))
  }
  return constraints
}

function placeOf(name: string, headers: Readonly<Record<string, string>>, token: string): string[] {
  if (name === 'authorization' && headers[name] === `Bearer ${token}`) return ['authorization-bearer']
  return name === 'x-auth-token' && headers[name] === token ? ['x-auth-token'] : []
}

function signatureOf(headers: Readonly<Record<string, string>>): string | undefined {
  const has = (name: string, pattern: RegExp): boolean => pattern.test(headers[name] ?? '')
  const isStandard =
    has('webhook-id', /./) &&
    has('webhook-timestamp', /^\d+$/) &&
    has('webhook-signature', /^v1,[A-Za-z0-9+/=]{44}( |$)/)
  if (isStandard) return 'standard-webhooks'
  if (has('x-webhook-signature', /^t=\d+,v1=[0-9a-f]{64}$/)) return 'timestamped-hmac'
  return Object.keys(headers).some((name) => /signature|hmac|digest/.test(name)) ? undefined : 'none'
}

/** Whether a URL leads to a port of this machine. */
function leadsTo(url: unknown, port: number): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { hostname, port: given } = new URL(url)
  return /^(127\.|localhost$|\[::1\]$)/.test(hostname) && given === String(port)
}

/** Path and query of the URL of a webhook. */
function targetOf({ url }: Fields): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

/** The second attempt of a delivery, and how long after the first it came, on the wall. */
interface Retry {
  readonly attempts: readonly ReceivedAttempt[]
  readonly milliseconds: number
}

/** What became of a delivery: it was tried again, or not in all the time there was. */
type Outcome =
  | { readonly retry: Retry; readonly none?: undefined }
  | { readonly retry?: undefined; readonly none: ReceivedDelivery }

/** What became of deliveries that were answered in one way: a retry, or none in all the time there was. */
function outcomes({ deliveries, now, speeds }: Judging, action: DeliveryAction): Outcome[] {
  return deliveries.flatMap((delivery): Outcome[] => {
    const [first, second] = delivery.attempts
    if (delivery.action !== action || !first) return []
    if (second) return [{ retry: { attempts: [first, second], milliseconds: second.at - first.at } }]
    const slowest = Math.min(...speeds)
    return (now - first.at) * slowest > patience * 1000 ? [{ none: delivery }] : []
  })
}

function ofRetries(judging: Judging): Constraint[] {
  const ok = (names: readonly string[]): boolean => names.length > 0
  const failures = outcomes(judging, 'fail').flatMap(({ retry, none }) => {
    if (none) return [shows('events.retries', ['none'], none.attempts, 'no retry came after a 500')]
    if (!retry) return []
    return classify('events.retries', firstWaits, retry, judging, 'the first retry came after')
  })
  const names = new Set(
    failures.flatMap(({ explanations }) => explanations.map((it) => it['events.retries'])),
  )
  const isRetried = ok([...names].filter((name): name is string => name !== undefined && name !== 'none'))
  const either = (
    gap: GapId,
    action: DeliveryAction,
    retried: string,
    left: string,
    what: string,
    counts: (retry: Retry) => boolean = () => true,
  ): Constraint[] => {
    return outcomes(judging, action).flatMap(({ retry, none }) => {
      if (retry && !counts(retry)) return []
      if (retry) return [shows(gap, [retried], retry.attempts, `a retry came after ${what}`)]
      // Without any retries, a missing one says nothing.
      return none && isRetried ? [shows(gap, [left], none.attempts, `no retry came after ${what}`)] : []
    })
  }
  // What comes sooner is a duplicate of a delivery that succeeded.
  const isRetry = ({ milliseconds }: Retry): boolean => {
    return judging.speeds.length > 0 && milliseconds * Math.min(...judging.speeds) > 3000
  }
  const waits: Readonly<Record<string, Span>> = {
    honoured: [askedPause * 0.92, askedPause * 1.2],
    ignored: [4.4, 12.5],
  }
  const later = outcomes(judging, 'later').flatMap(({ retry }) => {
    return retry
      ? classify(
          'events.retry-after',
          waits,
          retry,
          judging,
          `asked to wait ${askedPause} s, a retry came after`,
        )
      : []
  })
  return [
    ...failures,
    ...either('events.gone', 'gone', 'retried', 'final', 'a 410'),
    ...either('events.success', 'empty', '200-only', '2xx', 'a 204', isRetry),
    ...later,
  ]
}

/** The readings whose span holds what was measured, at a speed of the service's clock that is possible. */
function classify(
  gap: GapId,
  spans: Readonly<Record<string, Span>>,
  { attempts, milliseconds }: Retry,
  { speeds }: Judging,
  what: string,
): Constraint[] {
  const found = speeds.flatMap((speed) => {
    const seconds = (milliseconds * speed) / 1000
    return Object.keys(spans).filter((name) => {
      const [least, most] = spans[name] as Span
      return seconds >= least && seconds <= most + 0.3 * speed
    })
  })
  // Unless it is clear how fast the clock of the service goes, a time that fits nothing says nothing.
  if (found.length === 0 && speeds.length !== 1) return []
  return [shows(gap, [...new Set(found)], attempts, `${what} ${(milliseconds / 1000).toFixed(1)} s`)]
}

function ofTimeouts(judging: Judging): Constraint[] {
  return judging.deliveries.flatMap(({ attempts: [first] }) => {
    if (first?.action !== 'hold' || first.hungUpAt === undefined) return []
    const held = { attempts: [first], milliseconds: first.hungUpAt - first.at }
    return classify('events.timeout', timeouts, held, judging, 'the service hung up after')
  })
}

/** Deliveries in a row that succeeded before it is said that none comes twice. */
const enoughSuccesses = 6

function ofDuplicates({ deliveries, webhooks, now, speeds }: Judging): Constraint[] {
  const twice = deliveries.find(({ action, attempts, target }) => {
    const subscriptions = webhooks.filter((webhook) => targetOf(webhook) === target)
    return action === 'ok' && attempts.length > 1 && subscriptions.length < 2
  })
  if (twice)
    return [
      shows(
        'events.duplicates',
        ['occasional-duplicate'],
        twice.attempts,
        'a delivery came again after a 200',
      ),
    ]
  const slowest = Math.min(...speeds)
  for (const target of new Set(deliveries.map((delivery) => delivery.target))) {
    let row: ReceivedDelivery[] = []
    for (const delivery of deliveries.filter((one) => one.target === target)) {
      const [first] = delivery.attempts
      const isOver = first !== undefined && (now - first.at) * slowest > 2000
      row = delivery.action === 'ok' && isOver ? [...row, delivery] : []
      if (row.length < enoughSuccesses) continue
      const attempts = row.flatMap((one) => one.attempts)
      return [
        shows('events.duplicates', ['exactly-once'], attempts, `${row.length} deliveries came once each`),
      ]
    }
  }
  return []
}

/** How unlikely an order must be under `shuffled` before it is said that there is none, and how often that is tried. */
const [unlikely, trials] = [3e-4, 20_000]

/** Milliseconds, in steps of 50, by which a shuffled first attempt may be put off. */
const longestDelay = 450

function ofOrder({ deliveries, speeds }: Judging): Constraint[] {
  for (const target of new Set(deliveries.map((delivery) => delivery.target))) {
    const events = deliveries.filter((one) => one.target === target && one.event.happenedAt !== undefined)
    const attempts = events.flatMap((delivery) => delivery.attempts.slice(0, 1))
    const steps = events.slice(1).map((later, index) => stepBetween(events[index] as ReceivedDelivery, later))
    const late = steps.findIndex((step) => step < 0)
    if (late >= 0) {
      const pair = attempts.slice(late, late + 2)
      return [shows('events.order', ['shuffled'], pair, 'an event came before an earlier one')]
    }
    if (events.length < 5 || steps.includes(0)) continue
    // Where times are told in whole seconds, those of arrival are the closer ones.
    const times = attempts.map(({ at }) => at * Math.max(...speeds))
    if (chanceOfOrder(times) > unlikely) continue
    return [
      shows('events.order', ['in-order'], attempts, `${events.length} events close in time came in order`),
    ]
  }
  return []
}

/** Whether an event is later than another (above 0) or earlier (below 0); of one instant, by the number of its subject. */
function stepBetween({ event: before }: ReceivedDelivery, { event: after }: ReceivedDelivery): number {
  const apart = (after.happenedAt ?? 0) - (before.happenedAt ?? 0)
  if (apart !== 0) return apart
  const [a, b] = [before, after].map(({ subject }) =>
    Number(/^Calibration (\d+)$/.exec(subject)?.[1] ?? Number.NaN),
  )
  return Number.isNaN(a) || Number.isNaN(b) ? 0 : (b as number) - (a as number)
}

/** The probability that events of these times keep their order if each is put off at random. */
function chanceOfOrder(times: readonly number[]): number {
  const random = createRandom(1, 'calibration/order')
  let kept = 0
  for (let trial = 0; trial < trials; trial++) {
    let latest = Number.NEGATIVE_INFINITY
    const inOrder = times.every((time) => {
      const at = time + random.integer(0, longestDelay / 50) * 50
      const follows = at >= latest
      latest = at
      return follows
    })
    if (inOrder) kept++
  }
  return kept / trials
}

/** Which subscriptions got what became of mail that was sent. */
function ofScopes({ deliveries, webhooks }: Judging): Constraint[] {
  const reached = new Set(deliveries.map(({ target }) => target))
  return deliveries.flatMap(({ event, attempts, target }) => {
    const { type, agentHandle, messageId } = event
    if (type !== 'message.delivered' && type !== 'message.bounced') return []
    const own = webhooks.filter((webhook) => targetOf(webhook) === target)
    const others = own.filter(({ agent_handle: handle }) => !isUnscoped(handle) && handle !== agentHandle)
    const gap = 'events.bounced-sender' as const
    if (own.length === 1 && others.length === 1) {
      return [shows(gap, ['organization'], attempts.slice(0, 1), `${target} got a ${type} of ${agentHandle}`)]
    }
    const missed = webhooks.find(({ agent_handle: handle, events, ...webhook }) => {
      const subscribed = Array.isArray(events) && events.includes(type)
      const place = targetOf(webhook)
      const got = deliveries.some((one) => one.target === place && one.event.messageId === messageId)
      return subscribed && !isUnscoped(handle) && handle !== agentHandle && reached.has(place ?? '') && !got
    })
    return missed
      ? [
          shows(
            gap,
            ['sending-agent'],
            attempts.slice(0, 1),
            `${missed['url']} did not get a ${type} of ${agentHandle}`,
          ),
        ]
      : []
  })
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
