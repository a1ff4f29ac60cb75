import type { Invariant } from './invariant.js'

/** The client responds to every delivery before it times out. */
export const answersDeliveries: Invariant = {
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
