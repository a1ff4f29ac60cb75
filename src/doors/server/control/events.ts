import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from '../../../base/schema.js'
import { expectedOneOf } from '../../../base/text.js'
import { startPause, yieldToEventLoop } from '../../../service/time/wall-time.js'
import {
  type Entry,
  showEntry,
  type WorldEventType,
  worldEventTypes,
} from '../../../service/world/entries.js'
import type { World } from '../../../service/world/world.js'
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
    query,
    contentType: 'text/event-stream',
    answer: z.string().describe('`id` is the `seq` of the event, `event` its type, `data` one line of JSON.'),
    stream({ simulator: { paced: world }, query: { after, types: included } }, request, response) {
      const { log } = world
      const seq = lastEventId(request) ?? after ?? log.latest
      // Set with `setHeader`, so that `Connections.drain` can recognize the stream.
      response
        .setHeader('content-type', 'text/event-stream')
        .setHeader('cache-control', 'no-store')
        // Otherwise a proxy collects events before it passes them on.
        .setHeader('x-accel-buffering', 'no')
        .writeHead(200)
      if (request.method === 'HEAD') return void response.end()
      return streamEvents(response, world, seq, included)
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

/** The most bytes that a client may leave unread; it is then disconnected, and may come back for the rest. */
const mostUnread = 1_048_576

/**
 * Writes the entries of a log after a number to one client as Server-Sent Events. An attempt of a delivery is sent again when it
 * has ended, without an `id`, so that a client that comes back starts after the latest entry. Resolves when the client has
 * disconnected; ends the response when the log ends, or the client has ended its side of the connection.
 */
export function streamEvents(
  response: ServerResponse,
  { id, log, masker }: Pick<World, 'id' | 'log' | 'masker'>,
  after: number,
  types?: ReadonlySet<WorldEventType>,
): Promise<void> {
  let [sent, isWriting, isLive] = [after, false, false]
  const waiting: Entry[] = []
  const send = (entry: Entry): void => {
    const isAgain = entry.seq <= sent
    sent = Math.max(sent, entry.seq)
    const event = showEntry(entry, id, masker)
    if (!event || types?.has(event.type) === false) return
    response.write(
      `${isAgain ? '' : `id: ${event.seq}\n`}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    )
  }
  const sendGap = (missed: number | null): void => {
    sent = log.oldest - 1
    const gap = { type: 'gap', seq: sent, missed }
    response.write(`id: ${sent}\nevent: gap\ndata: ${JSON.stringify(gap)}\n\n`)
  }
  /** Sends what is kept since then, as fast as the client reads it. */
  const catchUp = async (): Promise<void> => {
    const missed = log.missed(after)
    if (missed !== 0) sendGap(missed)
    else if (after === 0) sent = log.oldest - 1
    while (sent < log.latest && !response.destroyed) {
      const next = log.at(sent + 1)
      if (next) send(next)
      else sendGap(log.missed(sent))
      if (response.writableNeedDrain) {
        await new Promise<void>((resolve) => {
          response.once('drain', resolve).once('close', resolve)
        })
      }
    }
    isLive = true
    if (log.ended) response.end()
  }
  const writeSoon = async (): Promise<void> => {
    if (isWriting) return
    isWriting = true
    // After the current work, above all after the response to a request.
    await yieldToEventLoop()
    isWriting = false
    for (const entry of waiting.splice(0)) send(entry)
    if (response.writableLength > mostUnread) response.destroy()
    else if (log.ended && isLive) response.end()
  }
  const keepAlive = async (): Promise<void> => {
    while (!response.destroyed) {
      const pause = startPause(heartbeat)
      response.once('close', pause.end)
      await pause.over
      response.off('close', pause.end)
      if (!response.destroyed) response.write(':\n\n')
    }
  }
  return new Promise((resolve, reject) => {
    const unsubscribe = log.subscribe((entry) => {
      // What is new is caught up with; what was sent has changed.
      if (entry && (isLive || entry.seq <= sent)) waiting.push(entry)
      writeSoon().catch(reject)
    })
    response.once('close', () => {
      unsubscribe()
      resolve()
    })
    // A client that has left looks like one that only ended its side; neither needs later events.
    response.req.socket.once('end', () => response.end())
    response.write(`retry: ${retry}\n\n`)
    catchUp().catch(reject)
    void keepAlive()
  })
}
