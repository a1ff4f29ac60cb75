import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from '../../../base/schema.js'
import { expectedOneOf } from '../../../base/text.js'
import {
  type EventFeed,
  EventFeedReader,
  type WorldEventType,
  worldEventTypes,
} from '../../../service/record/event-feed.js'
import { type Pause, startPause, yieldToEventLoop } from '../../../service/time/wall-time.js'
import { ControlError } from './control-error.js'
import { defineRoute } from './route.js'
import { wholeNumber } from './shapes.js'

const types = z
  .string()
  .transform((text, context) => {
    const names = text.split(',')
    for (const name of names) {
      if ((worldEventTypes as readonly string[]).includes(name)) continue
      const hint = expectedOneOf(name, worldEventTypes, '.')
      context.addIssue({ code: 'custom', message: `there is no event type "${name}"${hint}` })
    }
    return new Set(names as WorldEventType[])
  })
  .meta({ type: 'string', examples: ['exchange,command'] })

const query = z.object({
  after: wholeNumber(0)
    .optional()
    .describe(
      'Starts after the event with this `seq` instead of now; 0 starts with the oldest event still kept.',
    ),
  types: types.optional().describe(`Only these types, separated by commas: ${worldEventTypes.join(', ')}.`),
})

/** The route of a world's events. */
export const eventRoutes = [
  defineRoute('GET /events', {
    summary: 'Sends everything that happens, as it happens, as Server-Sent Events.',
    isOfNow: true,
    query,
    contentType: 'text/event-stream',
    answer: z.string().describe('`id` is the `seq` of the event, `event` its type, `data` one line of JSON.'),
    stream({ simulator, query: { after, types: included } }, request, response) {
      const { feed } = simulator.events
      const seq = lastEventId(request) ?? after ?? feed.latest
      // Set with `setHeader`, so that `Connections.drain` can recognize the stream.
      response
        .setHeader('content-type', 'text/event-stream')
        .setHeader('cache-control', 'no-store')
        // Otherwise a proxy collects events before it passes them on.
        .setHeader('x-accel-buffering', 'no')
        .writeHead(200)
      if (request.method === 'HEAD') return void response.end()
      return streamEvents(response, feed, new EventFeedReader(feed, seq, included))
    },
  }),
]

/** Returns the `seq` of the last event that a reconnecting client received. @throws ControlError */
function lastEventId({ headers }: IncomingMessage): number | undefined {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return undefined
  if (/^\d{1,15}$/.test(String(id))) return Number(id)
  throw new ControlError(
    'invalid_query',
    'Last-Event-ID must be the id of an event of this stream, a whole number; without it, the stream starts now.',
  )
}

/** How often a comment is sent to keep the connection alive, in milliseconds. */
const heartbeat = 15_000

/** How long a client that lost its connection waits before it reconnects, in milliseconds. */
const retry = 1000

/**
 * Writes the events of a feed to one client as Server-Sent Events, as fast as the client reads. Unwritten events stay in
 * the feed; events that the feed drops meanwhile are reported as a gap. Resolves when the client has disconnected; ends
 * the response when the world is closed or has moved to another server, or the client has ended its side of the connection.
 */
export function streamEvents(
  response: ServerResponse,
  feed: EventFeed,
  reader: EventFeedReader,
): Promise<void> {
  // `blocked` while the client has not read everything that was written.
  let [blocked, waking, closed] = [false, false, false]
  let heartbeatPause: Pause | undefined
  const send = (text: string | Uint8Array): void => {
    if (!response.write(text)) blocked = true
  }
  const write = (): void => {
    while (!blocked && !closed) {
      const next = reader.nextEncoded()
      if (!next) break
      send(next)
    }
    if (!blocked && !closed && (feed.closed || feed.suspended)) response.end()
  }
  const writeSoon = async (): Promise<void> => {
    if (waking) return
    waking = true
    // After the current work, above all after the response to a request.
    await yieldToEventLoop()
    waking = false
    write()
  }
  const keepAlive = async (): Promise<void> => {
    while (!closed) {
      heartbeatPause = startPause(heartbeat)
      await heartbeatPause.over
      if (!blocked && !closed) send(':\n\n')
    }
  }
  return new Promise((resolve, reject) => {
    const unsubscribe = feed.subscribe((dropping) => {
      if (dropping) write()
      else writeSoon().catch(reject)
    })
    response.on('drain', () => {
      blocked = false
      writeSoon().catch(reject)
    })
    response.once('close', () => {
      unsubscribe()
      closed = true
      heartbeatPause?.end()
      resolve()
    })
    // A client that has left looks like one that only ended its side; neither needs later events.
    response.req.socket.once('end', () => response.end())
    send(`retry: ${retry}\n\n`)
    write()
    void keepAlive()
  })
}
