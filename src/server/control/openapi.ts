import { createOpenApi } from '../../contract/openapi.js'
import { z } from '../../contract/schema.js'
import { version } from '../version.js'
import { defineOperation, type Route } from './route.js'

/** `GET /_sim/openapi.json`: the documented interface, with the readings in force. */
export const openApiRoute: Route = {
  path: '/openapi.json',
  operations: {
    GET: defineOperation({
      summary: 'The simulated interface as OpenAPI 3.1, with the readings in force.',
      answer: z.object({ openapi: z.string() }).loose(),
      perform: ({ simulator: { readings } }) => createOpenApi({ version, readings: readings.current() }),
    }),
  },
}
