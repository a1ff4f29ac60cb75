import { z } from '../../contract/schema.js'
import { version } from '../version.js'
import { defineOperation, type Route } from './route.js'

/** `GET /_sim/health`: that the server is there, and what it serves. */
export const healthRoute: Route = {
  path: '/health',
  operations: {
    GET: defineOperation({
      summary: 'That the server is there, and what it serves.',
      answer: z.object({
        status: z.literal('ok'),
        version: z.string(),
        scenario: z.string(),
        now: z.string().describe("The world's time, ISO 8601 UTC."),
      }),
      perform: ({ simulator: { scenario, clock } }) => ({
        status: 'ok',
        version,
        scenario,
        now: clock.now(),
      }),
    }),
  },
}
