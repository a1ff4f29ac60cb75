import { createRandom } from '../random.js'
import type { Settle } from '../settle.js'
import type { ReceiverAnswer } from './outlet.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Waits after the first failure, the second, and so on. */
const svixWaits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

/** The first wait of the exponential schedule, and how many there are; each is four times the one before. */
const exponential = { first: 10 * second, factor: 4, retries: 5, jitter: 0.1 }

/** A failed attempt, as far as it counts for when the next one is. */
export interface Failure {
  /** How often the delivery has failed by now. */
  readonly failures: number
  readonly answer: ReceiverAnswer | undefined
  /** The world's time. */
  readonly at: number
  readonly seed: number
  /** The path of the delivery it is a failure of. */
  readonly path: string
}

/** Milliseconds until a failed delivery is tried again; undefined where it never is. @see interface 6 */
export function retryAfter(failure: Failure, settle: Settle): number | undefined {
  const isGone = failure.answer?.status === 410
  return settle(
    'events.gone',
    {
      retried: () => scheduledWait(failure, settle),
      final: () => (isGone ? undefined : scheduledWait(failure, settle)),
    },
    'shown',
  )
}

function scheduledWait(failure: Failure, settle: Settle): number | undefined {
  const wait = (scheduled: number | undefined) => askedWait(scheduled, failure, settle)
  return settle(
    'events.retries',
    {
      'exponential-5': () => wait(exponentialWait(failure)),
      none: () => undefined,
      svix: () => wait(svixWaits[failure.failures - 1]),
    },
    'shown',
  )
}

/** What a receiver asks for instead of what the schedule says, where it is tried again at all. */
function askedWait(
  scheduled: number | undefined,
  { answer, at }: Failure,
  settle: Settle,
): number | undefined {
  if (scheduled === undefined) return undefined
  const asked = parseRetryAfter(answer?.headers['retry-after'], at)
  return settle(
    'events.retry-after',
    { ignored: () => scheduled, honoured: () => asked ?? scheduled },
    'shown',
  )
}

function exponentialWait({ failures, seed, path }: Failure): number | undefined {
  const { first, factor, retries, jitter } = exponential
  if (failures > retries) return undefined
  const drawn = createRandom(seed, `${path}/retry/${failures}`).next()
  return Math.round(first * factor ** (failures - 1) * (1 + jitter * drawn))
}

/** The most that a receiver may ask for. */
const longestAsked = 7 * 24 * hour

/** Milliseconds that a `Retry-After` asks for, in seconds or as a date; anything else asks for nothing. @see RFC 9110, 10.2.3 */
function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const asked = /^\d+$/.test(value) ? Number(value) * second : instantOf(value) - now
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(0, asked), longestAsked)
}

/** The instant of an HTTP date; the platform would take numbers and more for dates. */
function instantOf(date: string): number {
  return /^[A-Z][a-z]+, .* GMT$/.test(date) ? Date.parse(date) : Number.NaN
}
