import { formatDuration } from '../../../base/text.js'
import { asksToWait, isAttempt, requestKey } from '../exchanges.js'
import { formatExchange } from '../request.js'
import type { Invariant } from './invariant.js'

/** The milliseconds by which the timer of a client may be early. */
const early = 10

/** The client repeats a request no earlier than the Retry-After of the response says. */
export const obeysRetryAfter: Invariant = {
  general: true,
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
        if (isAttempt(observation)) waits.clear()
        if (observation.type !== 'exchange') return undefined
        const { exchange, moment, header, wall, recorded } = observation
        // What one process was told, another does not know.
        const key = `${recorded.process ?? ''} ${requestKey(exchange)}`
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
        if (waited + early >= before.wait) return undefined
        const shown = formatDuration(Math.round(waited))
        const wanted = formatDuration(before.wait)
        const found = `a request repeated ${shown} after a response ${before.status} that asked to wait ${wanted}`
        const differences = [`expected a wait of ${wanted}, found ${shown}`]
        return { found, line: formatExchange(exchange), differences }
      },
    }
  },
}
