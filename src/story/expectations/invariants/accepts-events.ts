import { parseInstant } from '../../../service/time/time.js'
import { type Delivery, reachedReceiver } from '../../../service/webhooks/delivery.js'
import type { Invariant } from './invariant.js'

/** The client accepts every event in the end, however often it was tried. */
export const acceptsEvents: Invariant = {
  advice:
    'Respond to a delivery immediately with 200, do the work afterwards, and accept events that you do not know.',
  watch() {
    const deliveries = new Map<string, Delivery>()
    return {
      expected: 'every event accepted in the end',
      observe(observation) {
        if (observation.type === 'delivery') deliveries.set(observation.delivery.id, observation.delivery)
        return undefined
      },
      unjudged: () => (deliveries.size === 0 ? 'no event was delivered' : undefined),
      end() {
        const refused = [...deliveries.values()].filter(isRefused)
        const [first] = refused
        if (!first) return undefined
        const { event, url, attempts } = first
        const last = attempts.at(-1)
        const answer = last?.response
          ? `it got ${last.response.status}`
          : (last?.error?.message ?? 'no response')
        const others = refused.length === 1 ? '' : ` and ${refused.length - 1} more`
        return {
          found: `${event.type} was not accepted in ${attempts.length === 1 ? 'one attempt' : `${attempts.length} attempts`}${others}`,
          line: `${event.type} to ${url}`,
          since: parseInstant(event.at) as number,
          differences: [`the last time, ${answer}`],
        }
      },
    }
  },
}

/** A delivery that was given up, or that never reached anybody; one that may still be tried is not judged. */
function isRefused({ status, attempts }: Delivery): boolean {
  const ended = attempts.filter(({ duration_ms }) => duration_ms !== null)
  const neverReached = ended.length > 0 && !ended.some(({ error }) => reachedReceiver(error))
  return status === 'failed' || (status === 'pending' && neverReached)
}
