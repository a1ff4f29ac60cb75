import type { IncomingMessage } from 'node:http'
import { didYouMean } from '../../contract/nearest.js'
import { z } from '../../contract/schema.js'
import { FeedReader, type HappeningType, happeningTypes } from '../../world/index.js'
import { ControlError } from './control-error.js'
import { EventStream } from './event-stream.js'
import { defineOperation, type Route } from './route.js'
import { wholeNumber } from './values.js'

const types = z
  .string()
  .transform((text, context) => {
    const names = text.split(',')
    for (const name of names) {
      if ((happeningTypes as readonly string[]).includes(name)) continue
      const hint = didYouMean(name, happeningTypes) || `; there is ${happeningTypes.join(', ')}.`
      context.addIssue({ code: 'custom', message: `nothing of type "${name}" happens${hint}` })
    }
    return new Set(names as HappeningType[])
  })
  .meta({ type: 'string', examples: ['exchange,command'] })

const query = z.object({
  after: wholeNumber(0)
    .optional()
    .describe('Also what happened after the happening of this `seq`, as far as it is kept; 0 for all of it.'),
  types: types.optional().describe(`Only these, with commas between them: ${happeningTypes.join(', ')}.`),
})

/** `GET /_sim/events`: everything that happens, as it happens. */
export const eventsRoute: Route = {
  path: '/events',
  operations: {
    GET: defineOperation({
      summary: 'Everything that happens, as it happens, as Server-Sent Events.',
      query,
      contentType: 'text/event-stream',
      answer: z
        .string()
        .describe('`id` is the number of the happening, `event` its type, `data` one line of JSON.'),
      async stream({ simulator, query: { after, types: wanted } }, request, response) {
        const { feed } = simulator.events
        const seq = lastEventId(request) ?? after ?? feed.latest
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
        if (request.method === 'HEAD') return void response.end()
        return new EventStream(response, feed, new FeedReader(feed, seq, wanted)).run()
      },
    }),
  },
}

/** The number after which a client goes on that has been here before. @throws ControlError */
function lastEventId({ headers }: IncomingMessage): number | undefined {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return undefined
  if (/^\d{1,15}$/.test(String(id))) return Number(id)
  throw new ControlError('invalid_query', 'Last-Event-ID is the id of an event from here: a whole number.')
}
