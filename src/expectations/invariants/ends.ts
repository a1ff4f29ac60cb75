import { counted } from '../../contract/counted.js'
import { defineInvariant, requestLine } from './invariant.js'

/** Requests in one run that are too many for any client, where nothing else is said. */
const runaway = 10_000

/** No endless paging, no runaway. */
export const ends = defineInvariant({
  name: 'ends',
  describe: 'The client comes to an end: no endless paging, no runaway.',
  advice: 'End a loop over pages at an answer with fewer entries than its limit, and bound every other loop.',
  watch({ atMost, window: { within } }) {
    const most = atMost ?? runaway
    let requests = 0
    const inTime = within === null ? '' : ` and an end by itself within ${within.text}`
    return {
      expected: `at most ${counted(most, 'request')}${inTime}`,
      observe(observation) {
        if (observation.type !== 'exchange' || ++requests <= most) return undefined
        const { exchange, moment } = observation
        const differences = [`expected at most ${counted(most, 'request')}; this is number ${requests}`]
        return {
          at: moment.at,
          found: `more than ${counted(most, 'request')}`,
          line: requestLine(exchange),
          differences,
        }
      },
      end({ client }) {
        if (within === null || client !== 'running') return undefined
        const found = `it still ran when the story was over, after ${counted(requests, 'request')}`
        return { found, line: 'the client', differences: [`expected an end within ${within.text}`] }
      },
    }
  },
})
