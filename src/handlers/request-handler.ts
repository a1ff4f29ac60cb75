import type { HttpHandler, RequestHandler } from 'msw'
import { isDeliveryRequest, type Receiver } from '../world/index.js'
import { bearerKey } from './authentication.js'
import { matchPath, type Operation, performOperation } from './operation.js'
import { resetResponse, sentReply } from './reply.js'
import { parseRequestUrl, type RequestUrl, type Resolver, type ServiceRequest } from './request.js'
import { documentedOperations } from './routes.js'
import { type Served, Service, type ServiceOptions } from './service.js'
import { attachmentIdOf, storedFile } from './stored-file.js'
import { answerUnmatched, likelyMeant, looksDocumented } from './undocumented.js'

/** One kind of request that the service answers. */
interface Endpoint {
  readonly method: string | RegExp
  /** Below the base URL, in MSW's notation, for `listHandlers` and `test`. */
  readonly path: string
  /** Finds what answers a request; undefined where the request is for another endpoint. */
  resolve(request: ServiceRequest, url: RequestUrl): Resolver | undefined
}

type RunArguments = Parameters<RequestHandler['run']>[0]
type RunResult = Awaited<ReturnType<HttpHandler['run']>>

/**
 * A handler of MSW that compares method and path itself. It has what MSW asks of a handler, and is used, listed and
 * composed like any `http.*` handler, but does not extend MSW's class, since that would have to be imported first:
 * that takes longer than all of this library.
 * @see docs/decisions/0012-handlers-without-the-class-of-msw.md
 */
class ServiceHandler {
  readonly kind = 'request'
  /** The same, as MSW before 2.13 asks for it. */
  readonly __kind = 'RequestHandler'
  readonly info: { readonly header: string; readonly method: string | RegExp; readonly path: string }
  isUsed = false
  readonly #service: Service
  readonly #endpoint: Endpoint

  constructor(service: Service, endpoint: Endpoint) {
    const { method } = endpoint
    const path = `${service.baseUrl.pattern}${endpoint.path}`
    this.info = { header: `${method} ${path}`, method, path }
    this.#service = service
    this.#endpoint = endpoint
  }

  async run({ request, requestId }: RunArguments): Promise<RunResult> {
    // A delivery that the service sends is no request to it, whatever address it goes to.
    const served = isDeliveryRequest(request) ? undefined : this.serve(request)
    if (!served) return null
    const response = responseOf(await served, request)
    return { handler: this as unknown as HttpHandler, request, requestId, response }
  }

  /** Whether an address is one at which the service may answer. */
  isAt(url: string): boolean {
    const { path = '' } = parseRequestUrl(url, this.#service.baseUrl) ?? {}
    return /^\/api\/v1(\/|$)/.test(path) || attachmentIdOf(path) !== undefined
  }

  /** What a client gets, before it becomes a `Response`; undefined where the request is not for this handler. */
  serve(request: ServiceRequest): Promise<Served> | undefined {
    const url = parseRequestUrl(request.url, this.#service.baseUrl)
    const resolver = url && this.#endpoint.resolve(request, url)
    if (!resolver) return undefined
    this.isUsed = true
    return this.#service.answer(request, url, resolver)
  }

  /**
   * Explains a request that nobody answered, where it looks like one to the service at another address, and records it
   * in the journal; undefined for any other request.
   */
  noteStray(request: Request): string | undefined {
    const { worlds, baseUrl } = this.#service
    const { method, headers } = request
    const { origin: base, pathname: path, search } = new URL(request.url)
    const isStray = baseUrl.origin !== undefined && !parseRequestUrl(request.url, baseUrl)
    if (!isStray || isDeliveryRequest(request) || !looksDocumented(path)) return undefined
    const hint = `${method} ${base}${path} is outside the base URL; the service is simulated at ${baseUrl.pattern}.`
    this.#service.recordUnanswered(request, { base, path, search }, hint)
    const { world } = worlds.find(bearerKey(request))
    return world.masker.forRequest(headers, search).text(hint)
  }

  /** Whether method and path fit. */
  async test(args: Parameters<HttpHandler['test']>[0]): Promise<boolean> {
    return (await this.#httpHandler()).test(args)
  }

  /** Writes an answer to the console, as MSW does in browsers. */
  async log(args: Parameters<HttpHandler['log']>[0]): Promise<void> {
    return (await this.#httpHandler()).log(args)
  }

  /** A handler of MSW's own class that matches the same requests. */
  async #httpHandler(): Promise<HttpHandler> {
    const { http } = await import('msw/core/http')
    const { constructor: MswHandler } = http.all('*', () => undefined)
    return new (MswHandler as typeof HttpHandler)(this.info.method, this.info.path, () => undefined)
  }
}

/** Whether what a client gets is a reply. Not by `instanceof`: a process that has no `Response` yet need not load it. */
export function isReply(served: Served): served is Exclude<Served, Response> {
  return !('ok' in served)
}

function responseOf(served: Served, request: Request): Response {
  if (!isReply(served)) return served.type === 'error' ? resetResponse(served, request) : served
  const { bytes, ...head } = sentReply(served)
  // The platform's own: in its place an interceptor puts one that goes through all headers again, for how their names
  // were spelt, which it takes from what is there where it does not know.
  const PlatformResponse = Response.prototype.constructor as typeof Response
  return new PlatformResponse(bytes, head)
}

/** A handler as MSW lists it, of which some take no requests at all. */
type ListedHandler = RequestHandler | { readonly kind: string }

/**
 * Has deliveries go to handlers of MSW, those there are when each of them comes. The service's own take none, since
 * a delivery is no request to it.
 * @throws whatever a handler throws
 */
export function createHandlersReceiver(listed: () => readonly ListedHandler[]): Receiver {
  return async (request) => {
    // Whoever has handlers has loaded MSW; whoever has none need not.
    const { getResponse } = await import('msw')
    return getResponse(listed().filter(takesRequests), request)
  }
}

function takesRequests(handler: ListedHandler): handler is RequestHandler {
  return !('kind' in handler && handler.kind === 'websocket')
}

/** Has what a receiver passes through, as `passthrough()` of MSW does, go nowhere: no delivery leaves the process. */
export function withoutPassthrough(receiver: Receiver): Receiver {
  return async (request) => {
    const response = await receiver(request)
    return response && !isPassthrough(response) ? response : undefined
  }
}

function isPassthrough({ status, headers }: Response): boolean {
  return status === 302 && headers.get('x-msw-intention') === 'passthrough'
}

/** Loads MSW as a whole, for CommonJS that requires it next: Node cannot give that what is still being imported. */
export async function loadMsw(): Promise<void> {
  await import('msw')
}

/** The MSW handlers of the whole service: the operations, the stored files, and everything else below /api/v1. */
export function createHandlers(options: ServiceOptions): HttpHandler[] {
  const service = new Service(options)
  const endpoints = [
    ...documentedOperations.map((operation) => operationEndpoint(operation, service)),
    fileEndpoint(service),
    extensionEndpoint(service),
    otherEndpoint(service),
  ]
  // TypeScript compares the private members of classes, too.
  return endpoints.map((endpoint) => new ServiceHandler(service, endpoint)) as unknown as HttpHandler[]
}

/**
 * Gives a client what the service's handlers answer, without the `Response` and its stream that MSW would carry it in;
 * undefined where no handler is the service's, or takes the request.
 */
export function serve(
  handlers: readonly (HttpHandler | ServiceHandler)[],
  request: ServiceRequest,
): Promise<Served> | undefined {
  for (const handler of handlers) {
    const served = handler instanceof ServiceHandler ? handler.serve(request) : undefined
    if (served) return served
  }
  return undefined
}

/** Whether the service of one of the handlers may answer at an address. */
export function isForService(handlers: readonly object[], url: string): boolean {
  return handlers.some((handler) => handler instanceof ServiceHandler && handler.isAt(url))
}

/**
 * Explains a request that no handler took, where it looks like one to the service at another address, and records it as
 * a near miss; undefined for any other request.
 */
export function noteStray(handlers: readonly object[], request: Request): string | undefined {
  return handlers.find((handler) => handler instanceof ServiceHandler)?.noteStray(request)
}

function operationEndpoint(operation: Operation, service: Service): Endpoint {
  const { method } = operation
  return {
    method,
    path: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    resolve(request, { path }) {
      const params = request.method === method ? matchPath(operation.path, path) : undefined
      if (!params) return undefined
      return (context) => {
        const { replacing } = service.routesIn(context.selected.world)
        return performOperation(replacing.get(operation.id) ?? operation, params, context)
      }
    },
  }
}

function fileEndpoint({ worlds }: Service): Endpoint {
  return {
    method: /^(GET|HEAD)$/,
    path: '/attachments/:id/:filename',
    resolve({ method }, { path }) {
      const id = /^(GET|HEAD)$/.test(method) ? attachmentIdOf(path) : undefined
      return id === undefined ? undefined : (context) => storedFile(id, worlds, context)
    },
  }
}

/** Operations of extensions; a request that none of them takes is for the next endpoint. */
function extensionEndpoint(service: Service): Endpoint {
  return {
    method: /.+/,
    path: '/api/v1/*',
    resolve(request, { path }) {
      const route = service.routesFor(request).find(request.method, path)
      return route && ((context) => performOperation(route.operation, route.params, context))
    },
  }
}

function otherEndpoint(service: Service): Endpoint {
  return {
    method: /.+/,
    path: '/api/v1/*',
    resolve(request, url) {
      if (/^\/api\/v1(\/|$)/.test(url.path))
        return (context) => answerUnmatched(context, service.routesIn(context.selected.world))
      // Below a base URL of its own, it may be a slip; at any origin, there is too much else.
      const meant = service.baseUrl.origin === undefined ? null : likelyMeant(request.method, url.path)
      if (meant !== null) service.recordUnanswered(request, url, meant)
      return undefined
    },
  }
}
