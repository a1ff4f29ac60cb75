import type { Readings } from '../contract/gaps.js'
import type { OperationName } from '../contract/operations.js'
import {
  createSettle,
  createSilentSettle,
  type Destination,
  type RecordedExchange,
  stopwatch,
  type Worlds,
} from '../world/index.js'
import { Alternatives } from './alternatives.js'
import { bearerKey } from './credentials.js'
import { errorReply } from './error-reply.js'
import { nearMiss } from './near-miss.js'
import { Refusal } from './refusal.js'
import { Reliances } from './reliances.js'
import { RenderCache, Renderer } from './rendering/renderer.js'
import { jsonReply, type Reply, sameReply } from './reply.js'
import { RequestBody } from './request-body.js'
import { type Site, type Target, Targets } from './target.js'
import type { Answerer, Visit } from './visit.js'

/** What the simulated service is made of. */
export interface ServiceOptions {
  readonly worlds: Worlds
  readonly site: Site
  /** Told of every defect of the simulator itself, which answers 500. */
  readonly onDefect: (error: unknown, request: Request) => void
  /** Whether exchanges are recorded with what they relied on; they are unless told otherwise. */
  readonly observing?: boolean | undefined
  /** Told of every exchange as it is recorded. */
  readonly onExchange?: ((exchange: RecordedExchange) => void) | undefined
}

/** A request that has arrived: where it leads, and what answers it. */
interface Arrival {
  readonly request: Request
  readonly body: RequestBody
  readonly target: Target
  readonly key: string | undefined
  readonly caller: Destination
  readonly answerer: Answerer
}

/** A reply and what it relied on. */
interface Attempt {
  readonly reply: Reply
  readonly reliances: Reliances
  readonly body: string | null
  /** Null where it met none of the operations. */
  readonly operation: OperationName | null
}

/** The way of a request: find the world, answer, turn refusals into errors, keep the exchange. */
export class Service {
  readonly worlds: Worlds
  readonly targets: Targets
  readonly site: Site
  readonly #onDefect: ServiceOptions['onDefect']
  readonly #observing: boolean
  readonly #onExchange: ServiceOptions['onExchange']
  readonly #cache = new RenderCache()
  readonly #alternatives = new Alternatives()

  constructor({ worlds, site, onDefect, observing = true, onExchange }: ServiceOptions) {
    this.worlds = worlds
    this.site = site
    this.targets = new Targets(site)
    this.#onDefect = onDefect
    this.#observing = observing
    this.#onExchange = onExchange
  }

  /** Answers a request and records the exchange in the journal of the world it reached. */
  async answer(request: Request, target: Target, answerer: Answerer): Promise<Response> {
    const elapsed = stopwatch()
    const key = bearerKey(request)
    const caller = this.worlds.find(key)
    const { world } = caller
    const at = world.clock.now()
    const { readings } = world
    const arrival = { request, body: new RequestBody(request), target, key, caller, answerer }
    const attempted = this.#attempt(arrival, readings, false)
    // Awaited only where it must be: until a list is answered and weighed, nobody else changes the world.
    const { reply, reliances, body, operation } = attempted instanceof Promise ? await attempted : attempted
    if (!this.#observing) return responseOf(reply)
    for (const { gap, reading } of reliances.toWeigh(reply.status)) {
      const other = this.#attempt(arrival, this.#alternatives.of(readings, gap, reading), true)
      const rehearsed = other instanceof Promise ? await other : other
      if (!sameReply(reply, rehearsed.reply)) reliances.confirm(gap, reading)
    }
    const exchange: RecordedExchange = {
      at,
      operation,
      method: request.method,
      path: target.path,
      search: target.search,
      status: reply.status,
      durationMs: elapsed(),
      requestHeaders: request.headers,
      requestBody: body,
      responseHeaders: reply.headers,
      responseBody: isText(reply) ? reply.content : null,
      reliances: reliances.list(),
      nearMiss: operation === null ? nearMiss(request.method, target.path) : null,
    }
    world.journal.record(exchange)
    this.#onExchange?.(exchange)
    return responseOf(reply)
  }

  /** Answers under some readings; a rehearsal changes nothing and shares no memory with the real answer. */
  #attempt(arrival: Arrival, readings: Readings, rehearsal: boolean): Attempt | Promise<Attempt> {
    const { answerer, ...known } = arrival
    const { world } = arrival.caller
    const reliances = new Reliances()
    const noting = this.#observing && !rehearsal
    const settle = noting ? createSettle(readings, reliances.note) : createSilentSettle(readings)
    const cache = rehearsal ? undefined : this.#cache
    let body: string | null = null
    let operation: OperationName | null = null
    const visit: Visit = {
      ...known,
      settle,
      render: new Renderer(cache, world.store, readings, arrival.target.base, reliances.note),
      apply: rehearsal ? world.rehearse.bind(world) : world.apply.bind(world),
      rehearsal,
      noteBody: (text) => {
        body = text
      },
      noteOperation: (name) => {
        operation = name
      },
    }
    const finish = (reply: Reply): Attempt => ({ reply: withCors(reply, visit), reliances, body, operation })
    try {
      const reply = answerer(visit)
      if (!(reply instanceof Promise)) return finish(reply)
      return reply.catch((error) => this.#failure(error, visit)).then(finish)
    } catch (error) {
      return finish(this.#failure(error, visit))
    }
  }

  #failure(error: unknown, { settle, request }: Visit): Reply {
    if (error instanceof Refusal) return errorReply(error, settle)
    this.#onDefect(error, request)
    const message = 'The simulator failed; its log has the stack trace. Please report it.'
    return jsonReply(500, { error: { code: 'simulator_defect', message } })
  }
}

function responseOf({ status, headers, content }: Reply): Response {
  const bytes = content?.bytes() ?? null
  const length = bytes === null ? {} : { 'content-length': String(bytes.length) }
  return new Response(bytes, { status, headers: { ...headers, ...length } })
}

function isText({ headers }: Reply): boolean {
  return /json|^text\//.test(headers['content-type'] ?? '')
}

/** The cross-origin headers, where the request has an origin that would look for them. */
function withCors(reply: Reply, { request, settle }: Visit): Reply {
  if (!request.headers.has('origin')) return reply
  const cors = settle(
    'format.cors',
    {
      none: (): Record<string, string> => ({}),
      permissive: (): Record<string, string> => ({ 'access-control-allow-origin': '*' }),
    },
    'shown',
  )
  return { ...reply, headers: { ...reply.headers, ...cors } }
}
