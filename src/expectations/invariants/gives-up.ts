import { defineInvariant, isFailure, requestKey, requestLine } from './invariant.js'

/** Failures of one request in a row after which any client has given up. */
const patience = 20

/** Does not hammer a service that fails. */
export const givesUp = defineInvariant({
  name: 'gives-up',
  describe: 'The client gives up on a request that keeps failing, instead of repeating it without end.',
  advice: 'Bound the number of retries, wait longer before each, and report that the service is unavailable.',
  watch({ atMost }) {
    const most = atMost ?? patience
    const failures = new Map<string, number>()
    return {
      expected: `no request repeated after ${most} failures in a row`,
      observe(observation) {
        if (observation.type !== 'exchange') return undefined
        const { exchange, moment } = observation
        const key = requestKey(exchange)
        const count = isFailure(exchange) ? (failures.get(key) ?? 0) + 1 : 0
        failures.set(key, count)
        if (count <= most) return undefined
        const differences = [`it failed ${count} times in a row, and was sent again after each`]
        const found = `a request sent ${count} times while it failed`
        return { at: moment.at, found, line: requestLine(exchange), differences }
      },
    }
  },
})
