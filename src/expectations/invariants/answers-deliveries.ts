import { defineInvariant } from './invariant.js'

/** Answers in time what it is told. */
export const answersDeliveries = defineInvariant({
  name: 'answers-deliveries',
  describe: 'The client answers every delivery before it times out.',
  advice: 'Answer a delivery at once, and do the work afterwards.',
  watch() {
    return {
      expected: 'an answer to every delivery before it times out',
      observe(observation) {
        if (observation.type !== 'delivery') return undefined
        const { event, url, attempts } = observation.delivery
        const late = attempts.find(({ error }) => error?.code === 'timeout')
        if (!late) return undefined
        const found = `no answer to a delivery of ${event.type} in time`
        return {
          at: observation.moment.at,
          found,
          line: `${event.type} to ${url}`,
          differences: [late.error?.message ?? ''],
        }
      },
    }
  },
})
