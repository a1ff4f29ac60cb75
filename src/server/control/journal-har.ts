import { operationNames } from '../../contract/operations.js'
import { z } from '../../contract/schema.js'
import { harEntry, harLog } from '../../world/index.js'
import { sendPages } from './json-list.js'
import { defineOperation, type Route } from './route.js'
import { part } from './values.js'

const archive = z.object({
  log: z
    .object({
      version: z.literal('1.2'),
      creator: z.object({ name: z.string(), version: z.string() }),
      pages: z.array(z.never()),
      entries: z.array(z.object({ startedDateTime: z.string(), _seq: z.int().min(1) }).loose()),
    })
    .describe('HTTP Archive 1.2; what it has no place for is in fields that begin with `_`.'),
})

/** `GET /_sim/journal.har`: the requests with their answers, for a browser's developer tools. */
export const harRoute: Route = {
  path: '/journal.har',
  operations: {
    GET: defineOperation({
      summary: 'The latest 10,000 requests with their answers as an HTTP Archive (HAR 1.2).',
      query: z.object({ operation: z.enum(operationNames).optional(), ...part }),
      answer: archive,
      async stream({ simulator, query }, _request, response) {
        // The name under which a browser that opens the address saves it.
        response.setHeader('content-disposition', `attachment; filename="${simulator.id}.har"`)
        const log = JSON.stringify({ ...harLog(), entries: [] })
        const around = [`{"log":${log.slice(0, -2)}`, ']}}'] as const
        return sendPages(response, around, simulator.journal.entries(query), harEntry)
      },
    }),
  },
}
