import { checkText } from '../../base/options.js'
import { z } from '../../base/schema.js'
import { everyOperationName } from '../../contract/extensions.js'
import { operationName } from '../../contract/operations.js'
import { unknownOperation } from '../../service/faults/fault.js'
import { startPause, yieldToEventLoop } from '../../service/time/wall-time.js'
import { type KnownChanges, knownChanges } from '../../service/world/changes.js'
import {
  type Entry,
  type RecordedCommand,
  showEntry,
  type WorldEvent,
  type WorldEventType,
  worldEventTypes,
} from '../../service/world/entries.js'
import type { Exchange, JournalEntry } from '../../service/world/exchange.js'
import type { EntryFilter, ExchangeFilter, Log } from '../../service/world/log.js'
import type { World } from '../../service/world/world.js'
import {
  type Controlled,
  control,
  listNamed,
  part,
  type Reader,
  reading,
  shownInTurn,
  wholeNumber,
} from './control.js'
import { ControlError } from './errors.js'
import type { WorldView } from './world-view.js'

/** The record of the requests and changes of a world. */
export const journal = {
  /** The number of requests and changes that are retained. */
  usage: reading<{ readonly exchanges: number; readonly commands: number }>(
    ({ view }) => view.world.journal.usage,
  ),

  /** Returns requests with their responses, oldest first. */
  exchanges: control({
    route: 'GET /journal',
    summary: 'Lists the latest 10,000 requests with their responses, oldest first.',
    query: () =>
      z.object({
        operation: operationName().optional(),
        ...part(),
        bodies: z
          .enum(['true', 'false'])
          .optional()
          .describe('`false` omits headers and bodies, which makes the response much smaller.'),
      }),
    answer: listNamed('exchanges'),
    options: ['since', 'limit', 'operation'],
    perform({ view: { world } }: Controlled, filter: ExchangeFilter = {}): Exchange[] {
      const { operation } = filter
      if (operation !== undefined) {
        checkText('journal.exchanges: operation', operation, everyOperationName(world.extensions))
      }
      return world.journal.exchanges(filter)
    },
    respond({ view: { world } }, { bodies, ...filter }) {
      const unknown = unknownOperation(filter['operation'], world.extensions)
      if (unknown !== undefined) {
        throw new ControlError('invalid_query', `operation: ${unknown}${unknown.endsWith('?') ? '' : '.'}`)
      }
      const missed = world.log.missed(filter['since'])
      const exchanges = shownInTurn(world.journal.entries(filter), (entry) => {
        return bodies === 'false' ? entry.showWithoutBodies() : entry.show()
      })
      return { missed, exchanges }
    },
  }),

  /** Returns exchanges as they are stored. @internal */
  entries: control({
    perform: ({ view }: Controlled, filter?: ExchangeFilter): JournalEntry[] =>
      view.world.journal.entries(filter),
  }),

  /** Returns changes, oldest first, with tokens masked. */
  commands: control({
    route: 'GET /journal/commands',
    summary: 'Lists the latest 10,000 changes to the world, regardless of their cause, oldest first.',
    query: () => z.object(part()),
    answer: listNamed('commands'),
    perform: ({ view }: Controlled, filter: EntryFilter = {}): RecordedCommand[] =>
      view.world.journal.commands(filter).map(masked(view)),
    show: (commands, { view }, { since }) => ({ commands, missed: view.world.log.missed(since) }),
  }),

  /** Clears the record and the events. */
  clear: control({
    route: 'DELETE /journal',
    summary: 'Deletes all records: requests, what their responses depend on, changes and events.',
    status: 204,
    perform: ({ view }: Controlled): void => view.world.forget(),
  }),
}

/** Returns a function that masks a command when it is shown: its files take time. */
function masked({ world }: WorldView): (command: RecordedCommand) => RecordedCommand {
  const masker = world.masker.asOfNow()
  return (entry) => ({ ...entry, command: masker.content(entry.command) as RecordedCommand['command'] })
}

/**
 * The most events that wait for somebody who iterates over them, for whom further ones are left out then, or for a client, which
 * is disconnected and may come back for the rest.
 */
const mostWaiting = 10_000

/**
 * Everything that happens in a world, in order: requests, changes, events and their deliveries, timeline
 * entries, faults, assumptions, clock changes and resets, each an entry of its log. The latest 10,000 requests and what happened
 * between them are retained until a reset. An attempt of a delivery is told again, under its number, when it has ended.
 * @example for await (const { type, data } of sim.events) console.log(type, data)
 */
export class Events implements AsyncIterable<WorldEvent> {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Its entries, unrendered. @internal */
  get log(): Log {
    return this.#world.log
  }

  /** The number of the latest event; 0 before the first. */
  get latest(): number {
    return this.log.latest
  }

  /** Returns the events after a number, as far as they are retained. */
  after(seq: number): WorldEvent[] {
    return this.#world.events(seq)
  }

  /**
   * Calls a listener with every event from now on, immediately and in order; returns a function that unsubscribes it.
   * Events that the listener causes follow the current one. An error that it throws has no other effect.
   */
  subscribe(listener: (event: WorldEvent) => void): () => void {
    return this.log.subscribe((entry) => {
      const event = entry && this.#shown(entry)
      if (event) listener(event)
    })
  }

  /** Iterates over the events from now on, until the world is closed. */
  [Symbol.asyncIterator](): AsyncIterator<WorldEvent, undefined> {
    const { log } = this
    let unsubscribe = (): void => undefined
    const events = new ReadableStream<WorldEvent>(
      {
        start: (controller) => {
          if (log.ended) return controller.close()
          unsubscribe = log.subscribe((entry) => {
            if (!entry) {
              unsubscribe()
              return controller.close()
            }
            const event = this.#shown(entry)
            if (event && controller.desiredSize !== 0) controller.enqueue(event)
          })
        },
        cancel: () => unsubscribe(),
      },
      { highWaterMark: mostWaiting },
    )
    const reader = events.getReader()
    return {
      next: () => reader.read() as Promise<IteratorResult<WorldEvent, undefined>>,
      async return() {
        await reader.cancel()
        return { value: undefined, done: true }
      },
    }
  }

  #shown(entry: Entry): WorldEvent | undefined {
    return showEntry(entry, this.#world.id, this.#world.masker)
  }
}

/** The routes of the log that are no methods of the library. */
export const logRoutes = [
  control({
    route: 'GET /journal/changes',
    summary:
      'Lists what requests and entries of the timeline changed: the rows that they added, changed or deleted.',
    query: () =>
      z.object({
        exchange: wholeNumber(1).optional().describe('Only that of the request with this `seq`.'),
      }),
    answer: listNamed('exchanges'),
    given: ({ exchange }) => [exchange],
    perform: changesIn,
  }),
  control({
    route: 'GET /events',
    summary: 'Sends everything that happens, as it happens, as Server-Sent Events.',
    query: () =>
      z.object({
        after: wholeNumber(0)
          .optional()
          .describe(
            'Starts after the event with this `seq` instead of now; 0 starts with the oldest event still kept.',
          ),
        types: eventTypes()
          .optional()
          .describe(`Only these types, separated by commas: ${worldEventTypes.join(', ')}.`),
      }),
    contentType: 'text/event-stream',
    answer: () =>
      z.string().describe('`id` is the `seq` of the event, `event` its type, `data` one line of JSON.'),
    perform: ({ view }: Controlled) => view.world.events(),
    stream({ view }, { after, types }, reader) {
      return eventStream(view, numberOf(reader.lastEventId) ?? after ?? view.world.log.latest, types, reader)
    },
  }),
]

/** Returns what requests, or one of them, and entries of the timeline changed, with secrets masked. */
export function changesIn({ view }: Controlled, exchange?: number): KnownChanges {
  return view.masker.content(knownChanges(view.world.log, exchange))
}

/** Returns the schema of a list of types of events. */
function eventTypes() {
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(worldEventTypes)))
    .meta({ type: 'string', examples: ['exchange,command'] })
}

/** Returns the `seq` of the last event that a client got. @throws ControlError */
function numberOf(lastEventId = ''): number | undefined {
  if (lastEventId === '') return undefined
  const { data } = wholeNumber(0).safeParse(lastEventId)
  const form = 'the id of an event of this stream, a whole number; without it, the stream starts now'
  if (data === undefined) throw new ControlError('invalid_query', `Last-Event-ID must be ${form}.`)
  return data
}

/** How often a comment is sent to keep the connection alive, in milliseconds. */
const heartbeat = 15_000

/** How long a client that lost its connection waits before it reconnects, in milliseconds. */
const retry = 1000

/**
 * Yields the entries of a log after a number as Server-Sent Events, until the log ends or the client leaves. An attempt of a
 * delivery is sent again when it has ended, without an `id`, so that a client that comes back starts after the latest entry.
 */
async function* eventStream(
  { world: { id, log, masker } }: WorldView,
  after: number,
  types: readonly WorldEventType[] | undefined,
  { signal }: Reader,
): AsyncGenerator<string> {
  let [sent, isLive] = [after, false]
  let wake = (): void => undefined
  const waiting: Entry[] = []
  const unsubscribe = log.subscribe((entry) => {
    // What is new is caught up with; what was sent has changed.
    if (entry && (isLive || entry.seq <= sent)) waiting.push(entry)
    wake()
  })
  const format = (entry: Entry): string => {
    const isAgain = entry.seq <= sent
    sent = Math.max(sent, entry.seq)
    const event = showEntry(entry, id, masker)
    if (!event || types?.includes(event.type) === false) return ''
    const data = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    return isAgain ? data : `id: ${event.seq}\n${data}`
  }
  const gap = (missed: number | null): string => {
    sent = log.oldest - 1
    return `id: ${sent}\nevent: gap\ndata: ${JSON.stringify({ type: 'gap', seq: sent, missed })}\n\n`
  }
  const leave = (): void => wake()
  signal.addEventListener('abort', leave)
  try {
    yield `retry: ${retry}\n\n`
    const missed = log.missed(after)
    if (missed !== 0) yield gap(missed)
    else if (after === 0) sent = log.oldest - 1
    while (sent < log.latest) {
      const next = log.at(sent + 1)
      yield next ? format(next) : gap(log.missed(sent))
    }
    isLive = true
    while (!signal.aborted && waiting.length < mostWaiting) {
      const entry = waiting.shift()
      if (entry) yield format(entry)
      else if (log.ended) return
      else {
        const pause = startPause(heartbeat)
        wake = pause.end
        await pause.over
        // After the current work, above all after the response to a request.
        await yieldToEventLoop()
        if (waiting.length === 0) yield ':\n\n'
      }
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', leave)
  }
}
