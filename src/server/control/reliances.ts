import { z } from '../../contract/schema.js'
import { defineOperation, type Route } from './route.js'

const reliance = z.object({
  gap: z.string(),
  reading: z.string(),
  operations: z.array(z.string()).describe('The operations whose answers relied on it.'),
  events: z
    .array(z.string())
    .optional()
    .describe('The types of the events whose deliveries relied on it, where there are any.'),
  count: z.int().describe('How many requests and deliveries did.'),
})

/** `GET /_sim/reliances`: the silent points of the interface that requests and deliveries so far relied on. */
export const reliancesRoute: Route = {
  path: '/reliances',
  operations: {
    GET: defineOperation({
      summary: 'The silent points of the interface that requests and deliveries so far relied on.',
      answer: z.object({ reliances: z.array(reliance) }),
      perform: ({ simulator }) => ({ reliances: simulator.reliances() }),
    }),
  },
}
