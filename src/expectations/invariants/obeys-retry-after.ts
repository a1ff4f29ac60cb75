import { formatDuration } from '../../world/index.js'
import { defineInvariant, requestKey, requestLine } from './invariant.js'

/** Share of the wait after which a request is not too early, since clocks and timers are not exact. */
const tolerance = 0.8

/** Comes back no earlier than the service says. */
export const obeysRetryAfter = defineInvariant({
  name: 'obeys-retry-after',
  describe: 'The client repeats a request no earlier than the Retry-After of its answer says.',
  advice:
    'Wait as many seconds as Retry-After says before the request is sent again; after 429 and 503 alike.',
  watch() {
    /** When an answer came, by wall and by story time, and the wait it asked for, in milliseconds. */
    const told = new Map<
      string,
      { readonly wall: number; readonly at: number; readonly wait: number; readonly status: number }
    >()
    return {
      expected: 'no request repeated before its Retry-After is over',
      observe(observation) {
        if (observation.type !== 'exchange') return undefined
        const { exchange, moment, header, wall } = observation
        const key = requestKey(exchange)
        const before = told.get(key)
        const seconds = header('retry-after')
        const { status } = exchange
        const isAsking = (status === 429 || status === 503) && seconds !== undefined && /^\d+$/.test(seconds)
        // What was sent before the answer came could not know of it.
        if (before && wall.from < before.wall) return undefined
        if (isAsking) told.set(key, { wall: wall.to, at: moment.at, wait: Number(seconds) * 1000, status })
        else told.delete(key)
        if (!before) return undefined
        // A client may wait by the wall or by the clock of the story.
        const waited = Math.max(wall.from - before.wall, moment.at - before.at)
        if (waited >= tolerance * before.wait) return undefined
        const shown = formatDuration(Math.round(waited))
        const wanted = formatDuration(before.wait)
        const found = `a request repeated ${shown} after an answer ${before.status} that asked to wait ${wanted}`
        const differences = [`expected a wait of ${wanted}, found ${shown}`]
        return { at: moment.at, found, line: requestLine(exchange), differences }
      },
    }
  },
})
