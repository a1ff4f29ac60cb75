import { z } from '../../contract/schema.js'
import type { Simulator } from '../../simulator/simulator.js'
import { readingChoices } from './reading-choices.js'
import { defineOperation, type Route } from './route.js'

const shown = z.object({
  readings: z.record(z.string(), z.string()).describe('The reading of every gap.'),
  origins: z.record(z.string(), z.string()).describe('Who chose each.'),
})

/** `GET /_sim/readings`: the reading of every gap, and who chose it. `PATCH`: changes some, all or none of them. */
export const readingsRoute: Route = {
  path: '/readings',
  operations: {
    GET: defineOperation({
      summary: 'The reading of every gap, and who chose it.',
      answer: shown,
      perform: ({ simulator }) => show(simulator),
    }),
    PATCH: defineOperation({
      summary: 'Changes some readings; with one that is wrong, none.',
      body: readingChoices,
      answer: shown,
      perform: ({ simulator, body }) => {
        simulator.readings.set(body)
        return show(simulator)
      },
    }),
  },
}

function show({ readings }: Simulator): object {
  return { readings: readings.current(), origins: readings.origins() }
}
