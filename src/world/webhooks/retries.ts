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
  /** The delivery it is a failure of. */
  readonly deliveryId: string
}

/** Milliseconds until a failed delivery is tried again; undefined where it never is. @see interface 6 */
export function retryAfter(failure: Failure, settle: Settle): number | undefined {
  const { failures, answer, at } = failure
  const wait = settle(
    'events.retries',
    {
      'exponential-5': () => exponentialWait(failure),
      none: () => undefined,
      svix: () => svixWaits[failures - 1],
    },
    'shown',
  )
  if (wait === undefined) return undefined
  const isOver = settle('events.gone', { retried: () => false, final: () => answer?.status === 410 }, 'shown')
  if (isOver) return undefined
  const asked = parseRetryAfter(answer?.headers['retry-after'], at)
  return settle('events.retry-after', { ignored: () => wait, honoured: () => asked ?? wait }, 'shown')
}

function exponentialWait({ failures, seed, deliveryId }: Failure): number | undefined {
  const { first, factor, retries, jitter } = exponential
  if (failures > retries) return undefined
  const drawn = createRandom(seed, `deliveries/${deliveryId}/retry/${failures}`).next()
  return Math.round(first * factor ** (failures - 1) * (1 + jitter * drawn))
}

/** The most that a receiver may ask for. */
const longestAsked = 7 * 24 * hour

/** Milliseconds that a `Retry-After` asks for, in seconds or as a date. @see RFC 9110, 10.2.3 */
function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const asked = /^\d+$/.test(value) ? Number(value) * second : Date.parse(value) - now
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(0, asked), longestAsked)
}
