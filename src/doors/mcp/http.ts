import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { isJsonObject } from '../../base/json.js'
import { bearerKey } from '../../service/operations/index.js'
import { uniqueMark, type World, wallTime } from '../../service/world/index.js'
import { followMailboxes } from './resources.js'
import { createServer } from './server.js'
import type { Surface } from './surface.js'

/** The most sessions; beyond them, the one that was unused for longest ends, and its client has to start another. */
const maxSessions = 1000

/** Milliseconds after which a session ends whose client has closed its stream and opened no other. */
const graceMs = 60_000

/** A session, and when its client closed its stream. */
interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  leftMs?: number | undefined
}

/** Responds to the HTTP requests at one address, in the protocol revision of each. */
export class HttpEndpoint {
  readonly #surface: Surface
  /** The sessions of clients that began with a handshake, by id; those that were used last come last. */
  readonly #sessions = new Map<string, Session>()
  /** What responds to all other requests, by world: a subscription must not learn of another world. */
  readonly #handlers = new WeakMap<object, McpHttpHandler>()

  constructor(surface: Surface) {
    this.#surface = surface
  }

  /** Responds to a request, whose body is JSON if `parsedBody` is not undefined. */
  async answer(request: Request, parsedBody: unknown): Promise<Response> {
    const parsed = parsedBody === undefined ? {} : { parsedBody }
    const id = request.headers.get('mcp-session-id')
    const session = id === null ? undefined : this.#sessions.get(id)
    if (id !== null && !session) return sessionNotFound()
    if (id !== null && session) {
      this.#sessions.delete(id)
      this.#sessions.set(id, session)
      session.leftMs = undefined
      if (request.method === 'GET') {
        request.signal.addEventListener('abort', () => Object.assign(session, { leftMs: wallTime() }))
      }
      return session.transport.handleRequest(request, parsed)
    }
    const opens = isJsonObject(parsedBody) && parsedBody['method'] === 'initialize'
    if (opens && (await isLegacyRequest(request, parsedBody))) {
      return (await this.#openSession()).handleRequest(request, parsed)
    }
    return this.#handlerFor(request).fetch(request, parsed)
  }

  async #openSession(): Promise<WebStandardStreamableHTTPServerTransport> {
    const now = wallTime()
    for (const [id, { leftMs = now }] of this.#sessions) if (now - leftMs > graceMs) this.#endSession(id)
    const id = uniqueMark()
    const server = createServer(this.#surface, 'legacy')
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      enableJsonResponse: true,
      onsessioninitialized: () => this.#addSession(id, { transport }),
      onsessionclosed: () => this.#endSession(id),
    })
    await server.connect(transport)
    return transport
  }

  #addSession(id: string, session: Session): void {
    this.#sessions.set(id, session)
    const [oldest] = this.#sessions.keys()
    if (oldest !== undefined && this.#sessions.size > maxSessions) this.#endSession(oldest)
  }

  #endSession(id: string): void {
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    void session?.transport.close()
  }

  #handlerFor(request: Request): McpHttpHandler {
    const world = this.#surface.service?.worlds.find(bearerKey(request)).world
    const place = world ?? this.#surface
    const known = this.#handlers.get(place)
    if (known) return known
    const handler = createMcpHandler(({ era }) => createServer(this.#surface, era), busOf(world))
    this.#handlers.set(place, handler)
    // Ends the streams of those who subscribed, once nothing more can happen.
    world?.feed.subscribe(() => void (world.feed.closed && handler.close()))
    return handler
  }
}

/** Returns the option by which a handler tells subscribers of mail that a world receives. */
function busOf(world: World | undefined): object {
  if (!world) return {}
  const bus = {
    publish: () => undefined,
    subscribe: (listener: (event: { kind: 'resource_updated'; uri: string }) => void) =>
      followMailboxes(world, (uri) => listener({ kind: 'resource_updated', uri })),
  }
  return { bus }
}

function sessionNotFound(): Response {
  const error = { code: -32_001, message: 'There is no such session; initialize another.' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
