import type { HttpHandler } from 'msw'
import { http } from 'msw/core/http'
import { readMore } from '../../base/help.js'
import { withoutStacks } from '../../base/stack.js'
import { bytesBody, isReply, resetResponse, type Served, sentReply } from '../operations/reply.js'
import { bearerKey, parseRequestUrl } from '../operations/request.js'
import { isDeliveryRequest } from '../webhooks/transport.js'
import { attachmentIdOf, documentedOperations, locate, type RequestTarget } from './routes.js'
import type { Service } from './service.js'
import { isBelowApi, likelyMeant, looksDocumented } from './undocumented.js'

/** A request that MSW passes to handlers, and what it is for. */
interface Arrival {
  readonly requestId: string
  readonly target: RequestTarget | undefined
  served?: Promise<Served | undefined>
}

/** Finds what each request is for, once for all handlers of a service. */
class Arrivals {
  readonly #service: Service
  readonly #latest = new WeakMap<Request, Arrival>()

  constructor(service: Service) {
    this.#service = service
  }

  /**
   * Returns the arrival of a request; a request object that is sent again has another id, and so a new
   * arrival.
   */
  of(request: Request, requestId: string): Arrival {
    const latest = this.#latest.get(request)
    if (latest?.requestId === requestId) return latest
    // The service's own deliveries are not requests to it, even if their address is its own.
    const target = isDeliveryRequest(request) ? undefined : locate(request, this.#service.baseUrl)
    const arrival: Arrival = { requestId, target }
    this.#latest.set(request, arrival)
    return arrival
  }
}

/** The class HttpHandler of MSW, from an instance: only the whole package exports it, which loads 80 ms longer. */
const MswHandler = http.all('*', () => undefined).constructor as typeof HttpHandler

type RunArguments = Parameters<HttpHandler['run']>[0]
type RunResult = ReturnType<HttpHandler['run']>

/**
 * An MSW handler for one operation, for stored files or for everything else below /api/v1. It responds
 * without the copy of the request that MSW would make.
 */
class ServiceHandler extends MswHandler {
  readonly service: Service
  readonly #answers: string
  readonly #arrivals: Arrivals

  constructor(
    service: Service,
    arrivals: Arrivals,
    { method, path, answers }: { method: string | RegExp; path: string; answers: string },
  ) {
    super(method, `${service.baseUrl.pattern}${path}`, () => undefined)
    this.service = service
    this.#answers = answers
    this.#arrivals = arrivals
  }

  override async run({ request, requestId }: RunArguments): RunResult {
    const arrival = this.#arrivals.of(request, requestId)
    const { target } = arrival
    if (target?.handler !== this.#answers) return null
    // MSW runs a request once for each server that listens; it must not be performed more than once.
    const isRepeated = arrival.served !== undefined
    arrival.served ??= this.service.answer(request, target)
    const served = await arrival.served
    if (!served) return null
    this.isUsed = true
    const response = responseOf(isRepeated && !isReply(served) ? copyOf(served) : served, request)
    return { handler: this, request, requestId, response }
  }

  /** Releases nothing; MSW 3 calls this when the handler leaves a server. */
  dispose(): void {}
}

/** Copies a response, without its body if the client is already reading that. */
function copyOf(response: Response): Response {
  return response.body?.locked ? new Response(null, response) : response.clone()
}

function responseOf(served: Served, request: Request): Response {
  if (!isReply(served)) return served.type === 'error' ? resetResponse(served, request) : served
  const { bytes, ...head } = sentReply(served)
  // The platform's own class. An interceptor replaces the global one with a class that copies all headers
  // once more, to retain the spelling of their names.
  const PlatformResponse = Response.prototype.constructor as typeof Response
  return new PlatformResponse(bytes === null || request.method === 'HEAD' ? null : bytesBody(bytes), head)
}

/** The path of the tools, below the base URL of a service. */
const toolsPath = /^\/mcp\/?$/

/**
 * Creates the MSW handlers of a service: one for each operation, for stored files, for its tools, and for everything else. A
 * service at any origin has no tools, since other servers have theirs at the same path.
 */
export function createHandlers(
  service: Service,
  answerTools?: (request: Request) => Promise<Response>,
): HttpHandler[] {
  // MSW notes where each handler was made.
  return withoutStacks(() => handlersOf(service, answerTools))
}

function handlersOf(service: Service, answerTools?: (request: Request) => Promise<Response>): HttpHandler[] {
  const arrivals = new Arrivals(service)
  const handled = [
    ...documentedOperations.map(({ id, method, path }) => {
      return { method, path: path.replaceAll(/\{(\w+)\}/g, ':$1'), answers: id }
    }),
    { method: /.+/, path: '/attachments/:id/:filename', answers: 'file' },
    { method: /.+/, path: '/api/v1/*', answers: 'other' },
  ]
  const own = handled.map((one) => new ServiceHandler(service, arrivals, one))
  const { origin, pattern } = service.baseUrl
  if (!answerTools || origin === undefined) return own
  const tools = ['/mcp', '/mcp/'].map((path) => {
    const handler = http.all(`${pattern}${path}`, ({ request }) => answerTools(request))
    // A copy of MSW 3 beside this one calls it.
    return Object.assign(handler, { dispose: () => undefined })
  })
  return [...own, ...tools]
}

/** Returns whether the service of any of the handlers may respond at a URL. */
export function isForService(handlers: readonly object[], url: string): boolean {
  return servicesOf(handlers).some(({ baseUrl }) => {
    const { path = '' } = parseRequestUrl(url, baseUrl) ?? {}
    const isForTools = baseUrl.origin !== undefined && toolsPath.test(path)
    return isBelowApi(path) || attachmentIdOf(path) !== undefined || isForTools
  })
}

/**
 * Explains an unhandled request that looks like one to the service with another path or at another address, and records the
 * latter as a near miss; undefined for any other request.
 */
export function noteStray(handlers: readonly object[], request: Request): string | undefined {
  const [service] = servicesOf(handlers)
  if (!service || isDeliveryRequest(request)) return undefined
  const { worlds, baseUrl } = service
  const { method, headers } = request
  const { origin: base, pathname: path, search } = new URL(request.url)
  if (baseUrl.origin === undefined) return undefined
  const within = parseRequestUrl(request.url, baseUrl)
  // The service has recorded it.
  if (within) return likelyMeant(method, within.path) ?? undefined
  if (!looksDocumented(path)) return undefined
  const hint = `${method} ${base}${path} is outside the base URL; the service is simulated at ${baseUrl.pattern}.${readMore('another-base-url')}`
  service.recordUnanswered(request, { base, path, search }, hint)
  const { world } = worlds.find(bearerKey(request))
  return world.masker.forRequest(headers, search).text(hint)
}

function servicesOf(handlers: readonly object[]): Service[] {
  return handlers.flatMap((handler) => (handler instanceof ServiceHandler ? [handler.service] : []))
}
