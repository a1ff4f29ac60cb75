import { z } from '../../contract/schema.js'
import type { Simulator } from '../../simulator/simulator.js'
import type { ReadingChoices } from '../../world/index.js'
import { defineOperation, type Route } from './route.js'

const shown = z.object({
  readings: z.record(z.string(), z.string()).describe('The reading of every gap.'),
  origins: z.record(z.string(), z.string()).describe('Who chose each.'),
})

const choices = z
  .custom<ReadingChoices>(isObject, {
    error: 'expected a JSON object of readings by gap, such as {"threads.total": "page-size"}',
  })
  // Every own key counts, `__proto__` too, which a record would pass over.
  .superRefine((given, context) => {
    for (const [gap, reading] of Object.entries(given)) {
      if (typeof reading === 'string') continue
      const message = `the reading of "${gap}" must be a string, such as "page-size" or "401"`
      context.addIssue({ code: 'custom', message })
    }
  })
  .meta({ type: 'object', additionalProperties: { type: 'string' }, description: 'Readings by gap.' })

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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
      body: choices,
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
