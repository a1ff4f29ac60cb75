import { counted } from '../../../base/text.js'
import { formatExchange } from '../request.js'
import type { Invariant } from './invariant.js'

/** The default limit of requests in one run. */
const runaway = 10_000

/** The client ends: no endless paging and no runaway loop. */
export const ends: Invariant = {
  general: true,
  limit: 'at_most',
  advice:
    'End a loop over pages at a response with fewer entries than its limit, and bound every other loop.',
  watch({ atMost, window: { within } }) {
    const most = atMost ?? runaway
    let requests = 0
    const inTime = within === null ? '' : ` and an end within ${within.text}`
    return {
      expected: `at most ${counted(most, 'request')}${inTime}`,
      observe(observation) {
        if (observation.type !== 'exchange' || ++requests <= most) return undefined
        const { exchange } = observation
        const differences = [`expected at most ${counted(most, 'request')}; this is number ${requests}`]
        return { found: `more than ${counted(most, 'request')}`, line: formatExchange(exchange), differences }
      },
      end({ client }) {
        if (within === null || client !== 'running') return undefined
        const found = `it was still running when the story had ended, after ${counted(requests, 'request')}`
        return { found, line: 'the client', differences: [`expected an end within ${within.text}`] }
      },
    }
  },
}
