import { type OperationName, operations } from '../contract/operations.js'
import {
  createSettle,
  type Destination,
  type Reliance,
  type Settle,
  stopwatch,
  type Worlds,
} from '../world/index.js'
import { bearerKey } from './credentials.js'
import { errorReply } from './error-reply.js'
import { Refusal } from './refusal.js'
import { joinReliances, RenderCache, Renderer } from './rendering/renderer.js'
import { jsonReply, type Reply } from './reply.js'
import { type Site, type Target, Targets } from './target.js'

/** What the simulated service is made of. */
export interface ServiceOptions {
  readonly worlds: Worlds
  readonly site: Site
  /** Told of every defect of the simulator itself, which answers 500. */
  readonly onDefect: (error: unknown, request: Request) => void
}

/** One request on its way: what is known of it before an operation takes it. */
export interface Visit {
  readonly request: Request
  readonly target: Target
  readonly key: string | undefined
  readonly caller: Destination
  readonly settle: Settle
  readonly render: Renderer
  noteBody(body: string): void
}

/** What answers one kind of request. @throws Refusal */
export type Answerer = (visit: Visit) => Reply | Promise<Reply>

/** What kind of request it is, as the journal names it. */
export interface Kind {
  readonly operation: OperationName | null
  readonly nearMiss?: string
}

/** The way of a request: find the world, answer, turn refusals into errors, keep the exchange. */
export class Service {
  readonly worlds: Worlds
  readonly targets: Targets
  readonly site: Site
  readonly #onDefect: ServiceOptions['onDefect']
  readonly #cache = new RenderCache()

  constructor({ worlds, site, onDefect }: ServiceOptions) {
    this.worlds = worlds
    this.site = site
    this.targets = new Targets(site)
    this.#onDefect = onDefect
  }

  /** Answers a request and records the exchange in the journal of the world it reached. */
  async answer(request: Request, target: Target, kind: Kind, answerer: Answerer): Promise<Response> {
    const elapsed = stopwatch()
    const key = bearerKey(request)
    const caller = this.worlds.find(key)
    const { world } = caller
    const at = world.clock.now()
    const reliances = new Map<string, Reliance>()
    const note = (reliance: Reliance): void => {
      const before = reliances.get(reliance.gap)
      if (before !== reliance) reliances.set(reliance.gap, joinReliances(before, reliance))
    }
    const settle = createSettle(world.readings, note)
    let body: string | null = null
    const visit: Visit = {
      request,
      target,
      key,
      caller,
      settle,
      render: new Renderer(this.#cache, world, target.base, note),
      noteBody: (text) => {
        body = text
      },
    }
    const reply = withCors(await this.#reply(visit, answerer), visit)
    world.journal.record({
      at,
      operation: kind.operation,
      method: request.method,
      path: target.path,
      search: target.search,
      status: reply.status,
      durationMs: elapsed(),
      requestHeaders: request.headers,
      requestBody: body,
      responseHeaders: reply.headers,
      responseBody: isText(reply) ? reply.content : null,
      reliances: [...reliances.values()],
      nearMiss: kind.nearMiss ?? null,
    })
    const bytes = reply.content?.bytes() ?? null
    const length = bytes === null ? {} : { 'content-length': String(bytes.length) }
    return new Response(bytes, { status: reply.status, headers: { ...reply.headers, ...length } })
  }

  async #reply(visit: Visit, answerer: Answerer): Promise<Reply> {
    try {
      return await answerer(visit)
    } catch (error) {
      if (error instanceof Refusal) return errorReply(error, visit.settle)
      this.#onDefect(error, visit.request)
      const message = 'The simulator failed; its log has the stack trace. Please report it.'
      return jsonReply(500, { error: { code: 'simulator_defect', message } })
    }
  }
}

function isText({ headers }: Reply): boolean {
  return /json|^text\//.test(headers['content-type'] ?? '')
}

/** The cross-origin headers, where the request has an origin that would look for them. */
function withCors(reply: Reply, { request, settle }: Visit): Reply {
  if (!request.headers.has('origin')) return reply
  const cors = settle('format.cors', {
    none: (): Record<string, string> => ({}),
    permissive: (): Record<string, string> => ({ 'access-control-allow-origin': '*' }),
  })
  return { ...reply, headers: { ...reply.headers, ...cors } }
}

/** The methods documented for some operations, for `Allow`. */
export function methodsOf(names: readonly OperationName[]): string {
  return names.map((name) => operations[name].method).join(', ')
}
