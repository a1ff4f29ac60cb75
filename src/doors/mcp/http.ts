import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpRequestContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { isJsonObject } from '../../base/json.js'
import { bearerKey } from '../../service/operations/request.js'
import { uniqueMark, wallTime } from '../../service/time/wall-time.js'
import { serviceRequest } from './calls.js'
import { followMailboxes, type OwnMailboxes } from './resources.js'
import { createServer } from './server.js'
import type { Surface } from './surface.js'

/** Milliseconds after which a session ends whose client has closed its stream and opened no other. */
const graceMs = 60_000

/** A session: how many streams its client has open, and when it closed the last one. */
interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** The key with which it was opened. */
  readonly key: string | undefined
  streams: number
  leftMs?: number | undefined
}

/** Responds to the HTTP requests at one address, in the protocol revision of each. */
export class HttpEndpoint {
  readonly #surface: Surface
  readonly #maxSessions: number
  /** The sessions of clients that began with a handshake, by id; those that were used last come last. */
  readonly #sessions = new Map<string, Session>()
  /** What responds to all other requests, by world and organization: a subscription must not learn of other mail. */
  readonly #handlers = new WeakMap<object, Map<string | undefined, McpHttpHandler>>()

  /** `maxSessions` is the most sessions that it keeps at a time. */
  constructor(surface: Surface, maxSessions = 1000) {
    this.#surface = surface
    this.#maxSessions = maxSessions
  }

  /** Responds to a request, whose body is JSON if `parsedBody` is not undefined. */
  async answer(request: Request, parsedBody: unknown): Promise<Response> {
    const parsed = parsedBody === undefined ? {} : { parsedBody }
    const id = request.headers.get('mcp-session-id')
    const session = id === null ? undefined : this.#sessions.get(id)
    if (id !== null && !session) return sessionNotFound()
    // Its stream tells of what the key that opened it may read.
    if (session && request.method === 'GET' && bearerKey(request) !== session.key) return sessionNotFound()
    if (id !== null && session) {
      this.#sessions.delete(id)
      this.#sessions.set(id, session)
      session.leftMs = undefined
      if (request.method === 'GET') {
        session.streams++
        request.signal.addEventListener('abort', () => {
          if (--session.streams === 0) session.leftMs = wallTime()
        })
      }
      return session.transport.handleRequest(request, parsed)
    }
    const opens = isJsonObject(parsedBody) && parsedBody['method'] === 'initialize'
    if (opens && (await isLegacyRequest(request, parsedBody))) {
      this.#endUnused()
      if (this.#sessions.size >= this.#maxSessions) return tooManySessions(this.#maxSessions)
      return (await this.#openSession(bearerKey(request))).handleRequest(request, parsed)
    }
    return (await this.#handlerFor(request)).fetch(request, parsed)
  }

  async #openSession(key: string | undefined): Promise<WebStandardStreamableHTTPServerTransport> {
    const id = uniqueMark()
    const server = createServer(this.#surface, 'legacy', undefined, key)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      enableJsonResponse: true,
      onsessioninitialized: () => void this.#sessions.set(id, { transport, key, streams: 0 }),
      onsessionclosed: () => this.#endSession(id),
    })
    await server.connect(transport)
    return transport
  }

  /**
   * Ends the sessions whose clients have left; if there are too many, also the one without an open stream that was unused
   * for longest.
   */
  #endUnused(): void {
    const now = wallTime()
    for (const [id, { streams, leftMs = now }] of this.#sessions) {
      if (streams === 0 && now - leftMs > graceMs) this.#endSession(id)
    }
    if (this.#sessions.size < this.#maxSessions) return
    const [unused] = [...this.#sessions].find(([, { streams }]) => streams === 0) ?? []
    if (unused !== undefined) this.#endSession(unused)
  }

  #endSession(id: string): void {
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    void session?.transport.close()
  }

  async #handlerFor(request: Request): Promise<McpHttpHandler> {
    const { service } = this.#surface
    const caller = { key: bearerKey(request), base: '', signal: request.signal, header: () => null }
    const mailboxes = await service?.organizationFor(serviceRequest('GET', request.url, caller))
    const { world, organization } = mailboxes ?? {}
    const place = world ?? this.#surface
    const ofPlace = this.#handlers.get(place) ?? new Map<string | undefined, McpHttpHandler>()
    this.#handlers.set(place, ofPlace)
    const known = ofPlace.get(organization?.id)
    if (known) return known
    const create = ({ era, requestInfo }: McpRequestContext) => {
      return createServer(this.#surface, era, undefined, requestInfo && bearerKey(requestInfo))
    }
    const handler = createMcpHandler(create, busOf(mailboxes))
    ofPlace.set(organization?.id, handler)
    // Ends the streams of those who subscribed, once nothing more can happen.
    world?.feed.subscribe(() => void (world.feed.closed && handler.close()))
    return handler
  }
}

/** Returns the option by which a handler tells subscribers of mail that an organization receives. */
function busOf(mailboxes: OwnMailboxes | undefined): object {
  if (!mailboxes) return {}
  const bus = {
    publish: () => undefined,
    subscribe: (listener: (event: { kind: 'resource_updated'; uri: string }) => void) =>
      followMailboxes(mailboxes, (uri) => listener({ kind: 'resource_updated', uri })),
  }
  return { bus }
}

function tooManySessions(maxSessions: number): Response {
  const message = `There are ${maxSessions} sessions with open streams; close one of them.`
  const error = { code: -32_000, message }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 503, headers: { 'retry-after': '1' } })
}

function sessionNotFound(): Response {
  const error = { code: -32_001, message: 'There is no such session; initialize another.' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
