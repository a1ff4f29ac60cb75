import type { Settle } from '../assumptions/settle.js'
import { createRandom } from '../time/random.js'
import type { AttemptResult, ReceiverAnswer } from './delivery.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Returns how long a receiver may take to respond, in milliseconds. @see interface 6 */
export function attemptTimeout(settle: Settle): number {
  return byTimeout(settle, (timeout) => timeout)
}

/** Notes whether an attempt would have ended differently, or at another time, under another timeout. */
export function noteTimeout({ duration_ms, error }: AttemptResult, settle: Settle): void {
  byTimeout(settle, (timeout) => (error?.code === 'timeout' || (duration_ms ?? 0) > timeout ? timeout : null))
}

function byTimeout<T>(settle: Settle, of: (timeout: number) => T): T {
  return settle(
    'events.timeout',
    {
      '10s': () => of(10 * second),
      '5s': () => of(5 * second),
      '15s': () => of(15 * second),
      '30s': () => of(30 * second),
    },
    'certain',
  )
}

/** Returns whether an attempt succeeded; a redirect is not followed, so it never does. @see interface 6 */
export function hasSucceeded({ answer, error }: AttemptResult, settle: Settle): boolean {
  if (error !== null) return false
  const status = answer?.status ?? 0
  return settle(
    'events.success',
    { '2xx': () => status >= 200 && status < 300, '200-only': () => status === 200 },
    'certain',
  )
}

/** Delays after the first failure, the second, and so on. */
const svixDelays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

/** The exponential schedule: its first delay, the factor between delays, how many there are, and their jitter. */
const exponential = { first: 10 * second, factor: 4, retries: 5, jitter: 0.1 }

/** The longest delay that a receiver may request. */
const longestRequested = 7 * 24 * hour

/** A failed attempt. */
export interface Failure {
  /** How often the delivery has failed by now. */
  readonly failures: number
  readonly answer: ReceiverAnswer | null
  readonly at: number
  readonly seed: number
  readonly path: string
}

/** Returns the milliseconds until a failed delivery is retried; undefined if it is given up. @see interface 6 */
export function retryDelay(failure: Failure, settle: Settle): number | undefined {
  const isGone = failure.answer?.status === 410
  return settle(
    'events.gone',
    {
      retried: () => scheduledDelay(failure, settle),
      final: () => (isGone ? undefined : scheduledDelay(failure, settle)),
    },
    'certain',
  )
}

function scheduledDelay(failure: Failure, settle: Settle): number | undefined {
  const delay = (scheduled: number | undefined) => requestedDelay(scheduled, failure, settle)
  return settle(
    'events.retries',
    {
      'exponential-5': () => delay(exponentialDelay(failure)),
      none: () => undefined,
      svix: () => delay(svixDelays[failure.failures - 1]),
    },
    'certain',
  )
}

/** Returns the delay that the receiver requests, or else the scheduled one; undefined if there is no retry. */
function requestedDelay(
  scheduled: number | undefined,
  { answer, at }: Failure,
  settle: Settle,
): number | undefined {
  if (scheduled === undefined) return undefined
  const requested = parseRetryAfter(answer?.headers['retry-after'], at)
  return settle(
    'events.retry-after',
    { ignored: () => scheduled, honoured: () => requested ?? scheduled },
    'certain',
  )
}

function exponentialDelay({ failures, seed, path }: Failure): number | undefined {
  const { first, factor, retries, jitter } = exponential
  if (failures > retries) return undefined
  const drawn = createRandom(seed, `${path}/retry/${failures}`).next()
  return Math.round(first * factor ** (failures - 1) * (1 + jitter * drawn))
}

/** Parses a `Retry-After`, in seconds or as a date, into milliseconds from now. @see RFC 9110, 10.2.3 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const requested = /^\d+$/.test(value) ? Number(value) * second : parseHttpDate(value) - now
  return Number.isNaN(requested) ? undefined : Math.min(Math.max(0, requested), longestRequested)
}

/** Parses an HTTP date; `Date.parse` alone would also take numbers and more for dates. */
function parseHttpDate(date: string): number {
  return /^[A-Z][a-z]+, .* GMT$/.test(date) ? Date.parse(date) : Number.NaN
}

/** One of this many consecutive deliveries of a subscription is duplicated. */
const duplicateEvery = 3

/** Returns whether a successful delivery is sent again; `ordinal` counts those of its subscription from 0. */
export function isDuplicated(seed: number, webhookId: string, ordinal: number, settle: Settle): boolean {
  const block = Math.floor(ordinal / duplicateEvery)
  const random = createRandom(seed, `webhooks/${webhookId}/duplicates/${block}`)
  const chosen = random.integer(0, duplicateEvery - 1)
  return settle(
    'events.duplicates',
    { 'exactly-once': () => false, 'occasional-duplicate': () => chosen === ordinal % duplicateEvery },
    'certain',
  )
}

/** Returns the milliseconds until the duplicate of the delivery of that path. */
export function duplicateDelay(seed: number, path: string): number {
  return createRandom(seed, `${path}/duplicate`).integer(1, 10) * 100
}
