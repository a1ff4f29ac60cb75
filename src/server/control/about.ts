import { createOpenApi } from '../../contract/openapi.js'
import { version } from '../../contract/package.js'
import { z } from '../../contract/schema.js'
import { createDocument } from './document.js'
import { type ControlRoute, defineRoute } from './route.js'

const openApi = z.object({ openapi: z.string() }).loose()

/** Returns the routes that describe the server; `routes` returns all routes of the control API. */
export function createAboutRoutes(routes: () => readonly ControlRoute[]): readonly ControlRoute[] {
  return [
    defineRoute('GET /health', {
      summary:
        'Tells that the server is running, and what it serves; 503 where it cannot write down changes.',
      ofServer: true,
      answer: z.object({
        status: z.literal('ok'),
        version: z.string(),
        scenario: z.string(),
        now: z.string().describe("The world's time, ISO 8601 UTC."),
      }),
      async perform({ simulator: { scenario, clock, persistence } }) {
        await persistence?.check()
        return { status: 'ok', version, scenario, now: clock.now() }
      },
    }),
    defineRoute('GET /control.json', {
      summary: 'The control API itself as OpenAPI 3.1.',
      ofServer: true,
      answer: openApi,
      perform: () => createDocument(routes(), version),
    }),
    defineRoute('GET /openapi.json', {
      summary: 'The simulated interface as OpenAPI 3.1, with the readings in force.',
      answer: openApi,
      perform: ({ simulator: { readings, extensions }, origin }) => {
        return createOpenApi({ version, readings: readings.current(), extensions, server: origin })
      },
    }),
  ]
}
