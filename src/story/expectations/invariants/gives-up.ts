import { isAttempt, isFailure, requestKey } from '../exchanges.js'
import { formatExchange } from '../request.js'
import type { Invariant } from './invariant.js'

/** The number of consecutive failures of a request after which a client must give up. */
const maxFailures = 20

/** The client gives up on a request that keeps failing, instead of repeating it endlessly. */
export const givesUp: Invariant = {
  general: true,
  limit: 'at_most',
  advice: 'Bound the number of retries, wait longer before each, and report that the service is unavailable.',
  watch({ atMost }) {
    const most = atMost ?? maxFailures
    const failures = new Map<string, number>()
    return {
      expected: `no request repeated after ${most} consecutive failures`,
      observe(observation) {
        if (isAttempt(observation)) failures.clear()
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
