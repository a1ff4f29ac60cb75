import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from '../../contract/schema.js'
import { didYouMean } from '../../contract/text.js'
import {
  breathe,
  type EventFeed,
  type EventFeedGap,
  EventFeedReader,
  type Pause,
  startPause,
  type WorldEvent,
  type WorldEventType,
  worldEventTypes,
} from '../../world/index.js'
import { ControlError } from './control-error.js'
import { defineRoute } from './route.js'
import { wholeNumber } from './shapes.js'

const types = z
  .string()
  .transform((text, context) => {
    const names = text.split(',')
    for (const name of names) {
      if ((worldEventTypes as readonly string[]).includes(name)) continue
      const hint = didYouMean(name, worldEventTypes) || `; there is ${worldEventTypes.join(', ')}.`
      context.addIssue({ code: 'custom', message: `there is no event type "${name}"${hint}` })
    }
    return new Set(names as WorldEventType[])
  })
  .meta({ type: 'string', examples: ['exchange,command'] })

const query = z.object({
  after: wholeNumber(0)
    .optional()
    .describe('Also what happened after the event of this `seq`, as far as it is kept; 0 for all of it.'),
  types: types.optional().describe(`Only these, separated by commas: ${worldEventTypes.join(', ')}.`),
})

/** Routes of a world's events. */
export const eventRoutes = [
  defineRoute('GET /events', {
    summary: 'Everything that happens, as it happens, as Server-Sent Events.',
    query,
    contentType: 'text/event-stream',
    answer: z.string().describe('`id` is the `seq` of the event, `event` its type, `data` one line of JSON.'),
    stream({ simulator, query: { after, types: wanted } }, request, response) {
      const { feed } = simulator.events
      const seq = lastEventId(request) ?? after ?? feed.latest
      // Set, so that whoever ends connections knows it for a stream.
      response
        .setHeader('content-type', 'text/event-stream')
        .setHeader('cache-control', 'no-store')
        .writeHead(200)
      if (request.method === 'HEAD') return void response.end()
      return new EventStream(response, feed, new EventFeedReader(feed, seq, wanted)).run()
    },
  }),
]

/** Returns the event after which a reconnecting client continues. @throws ControlError */
function lastEventId({ headers }: IncomingMessage): number | undefined {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return undefined
  if (/^\d{1,15}$/.test(String(id))) return Number(id)
  throw new ControlError(
    'invalid_query',
    'Last-Event-ID must be the id of an event of this stream, a whole number; without it, events begin now.',
  )
}

/** Milliseconds of silence after which a comment is sent to keep the connection alive. */
const heartbeat = 15_000

/** Milliseconds after which a client that lost its connection reconnects. */
const retry = 1000

/**
 * Writes the events of a feed to one client as Server-Sent Events, as fast as the client reads: unwritten events stay
 * in the feed, and those that the feed drops meanwhile are reported as a gap.
 */
export class EventStream {
  readonly #response: ServerResponse
  readonly #feed: EventFeed
  readonly #reader: EventFeedReader
  /** Whether the client has yet to read what was written. */
  #blocked = false
  #waking = false
  #closed = false
  #pause: Pause | undefined

  constructor(response: ServerResponse, feed: EventFeed, reader: EventFeedReader) {
    this.#response = response
    this.#feed = feed
    this.#reader = reader
  }

  /** Writes until the client disconnects or the world is closed. */
  run(): Promise<void> {
    const response = this.#response
    return new Promise((resolve, reject) => {
      const wake = (dropping: boolean): void => {
        if (dropping) this.#write()
        else this.#wake().catch(reject)
      }
      const unsubscribe = this.#feed.subscribe(wake)
      response.on('drain', () => {
        this.#blocked = false
        wake(false)
      })
      response.once('close', () => {
        unsubscribe()
        this.#closed = true
        this.#pause?.end()
        resolve()
      })
      this.#send(`retry: ${retry}\n\n`)
      this.#write()
      void this.#keepAlive()
    })
  }

  /** Writes after the current work, above all the answer to a request. */
  async #wake(): Promise<void> {
    if (this.#waking) return
    this.#waking = true
    await breathe()
    this.#waking = false
    this.#write()
  }

  #write(): void {
    while (!this.#blocked && !this.#closed) {
      const next = this.#reader.next()
      if (next) {
        this.#send(formatEvent(next))
        continue
      }
      if (this.#feed.closed) this.#response.end()
      return
    }
  }

  #send(text: string): void {
    if (!this.#response.write(text)) this.#blocked = true
  }

  async #keepAlive(): Promise<void> {
    while (!this.#closed) {
      this.#pause = startPause(heartbeat)
      await this.#pause.over
      if (!this.#blocked && !this.#closed) this.#send(':\n\n')
    }
  }
}

function formatEvent(event: WorldEvent | EventFeedGap): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
