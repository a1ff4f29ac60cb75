import type { HttpHandler, RequestHandler } from 'msw'
import { isDeliveryRequest, type Receiver } from '../world/index.js'
import { matchPath, type Operation, performOperation } from './operation.js'
import { resetResponse, sentReply } from './reply.js'
import { bearerKey, parseRequestUrl, type RequestUrl, type Resolver, type ServiceRequest } from './request.js'
import { documentedOperations } from './routes.js'
import { type Served, Service, type ServiceOptions } from './service.js'
import { attachmentIdOf, storedFile } from './stored-file.js'
import { answerUnmatched, likelyMeant, looksDocumented } from './undocumented.js'

/** One kind of request that the service answers. */
interface Endpoint {
  readonly method: string | RegExp
  /** The path below the base URL, in MSW's notation, for `listHandlers` and `test`. */
  readonly path: string
  /** Returns the resolver of a request; undefined when the request is for another endpoint. */
  resolve(request: ServiceRequest, url: RequestUrl): Resolver | undefined
}

type RunArguments = Parameters<RequestHandler['run']>[0]
type RunResult = Awaited<ReturnType<HttpHandler['run']>>

/**
 * An MSW handler that compares method and path itself. It has the members that MSW needs and is used, listed and composed
 * like any `http.*` handler, but does not extend MSW's class: importing that takes longer than importing this library.
 * @see docs/decisions/0012-handlers-without-the-class-of-msw.md
 */
class ServiceHandler {
  readonly kind = 'request'
  /** The name of `kind` in MSW before 2.13. */
  readonly __kind = 'RequestHandler'
  readonly info: { readonly header: string; readonly method: string | RegExp; readonly path: string }
  isUsed = false
  readonly #service: Service
  readonly #endpoint: Endpoint
  readonly #served = new WeakMap<Request, { readonly requestId: string; readonly answer: Promise<Served> }>()

  constructor(service: Service, endpoint: Endpoint) {
    const { method } = endpoint
    const path = `${service.baseUrl.pattern}${endpoint.path}`
    this.info = { header: `${method} ${path}`, method, path }
    this.#service = service
    this.#endpoint = endpoint
  }

  async run({ request, requestId }: RunArguments): Promise<RunResult> {
    // The service's own deliveries are not requests to it, even if their address is its own.
    if (isDeliveryRequest(request)) return null
    // MSW runs a request once for each server that listens; it must not be performed more than once.
    const latest = this.#served.get(request)
    const earlier = latest?.requestId === requestId ? latest?.answer : undefined
    const answer = earlier ?? this.serve(request)
    if (!answer) return null
    this.#served.set(request, { requestId, answer })
    const served = await answer
    const response = responseOf(earlier && !isReply(served) ? copyOf(served) : served, request)
    return { handler: this as unknown as HttpHandler, request, requestId, response }
  }

  /** Returns whether the service may answer at a URL. */
  isAt(url: string): boolean {
    const { path = '' } = parseRequestUrl(url, this.#service.baseUrl) ?? {}
    return /^\/api\/v1(\/|$)/.test(path) || attachmentIdOf(path) !== undefined
  }

  /** Answers a request, without creating a `Response`; undefined when the request is for another handler. */
  serve(request: ServiceRequest): Promise<Served> | undefined {
    const url = parseRequestUrl(request.url, this.#service.baseUrl)
    const resolver = url && this.#endpoint.resolve(request, url)
    if (!resolver) return undefined
    this.isUsed = true
    return this.#service.answer(request, url, resolver)
  }

  /**
   * Explains an unanswered request that looks like one to the service at another address, and records it in the journal;
   * undefined for any other request.
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

  /** Returns whether method and path match. */
  async test(args: Parameters<HttpHandler['test']>[0]): Promise<boolean> {
    return (await this.#httpHandler()).test(args)
  }

  /** Logs an answer to the console, as MSW does in browsers. */
  async log(args: Parameters<HttpHandler['log']>[0]): Promise<void> {
    return (await this.#httpHandler()).log(args)
  }

  /** Creates a handler of MSW's own class that matches the same requests. */
  async #httpHandler(): Promise<HttpHandler> {
    const { http } = await import('msw/core/http')
    const { constructor: MswHandler } = http.all('*', () => undefined)
    return new (MswHandler as typeof HttpHandler)(this.info.method, this.info.path, () => undefined)
  }
}

/** Returns whether a result is a reply. Avoids `instanceof`, which would make Node load `Response` when it is not used. */
export function isReply(served: Served): served is Exclude<Served, Response> {
  return !('ok' in served)
}

/** Copies a response, without its body if the client is reading that already. */
function copyOf(response: Response): Response {
  return response.body?.locked ? new Response(null, response) : response.clone()
}

function responseOf(served: Served, request: Request): Response {
  if (!isReply(served)) return served.type === 'error' ? resetResponse(served, request) : served
  const { bytes, ...head } = sentReply(served)
  // The platform's own class. An interceptor replaces the global one by a class that copies all headers once more, to
  // retain the spelling of their names.
  const PlatformResponse = Response.prototype.constructor as typeof Response
  return new PlatformResponse(request.method === 'HEAD' ? null : bytes, head)
}

/** A handler as MSW lists it; some kinds do not handle requests. */
type ListedHandler = RequestHandler | { readonly kind: string }

/**
 * Creates a receiver that passes each delivery to the MSW handlers of that moment. The service's own handlers ignore
 * deliveries.
 * @throws any error of a handler
 */
export function createHandlersReceiver(listed: () => readonly ListedHandler[]): Receiver {
  return async (request) => {
    // Loaded on use: programs without handlers need not load MSW.
    const { getResponse } = await import('msw')
    return getResponse(listed().filter(handlesRequests), request)
  }
}

function handlesRequests(handler: ListedHandler): handler is RequestHandler {
  return !('kind' in handler && handler.kind === 'websocket')
}

/** Wraps a receiver so that MSW's `passthrough()` counts as no answer: no delivery may leave the process. */
export function withoutPassthrough(receiver: Receiver): Receiver {
  return async (request) => {
    const response = await receiver(request)
    return response && !isPassthrough(response) ? response : undefined
  }
}

function isPassthrough({ status, headers }: Response): boolean {
  return status === 302 && headers.get('x-msw-intention') === 'passthrough'
}

/** Loads all of MSW, for CommonJS that requires it next: Node cannot `require` a module that is still being imported. */
export async function loadMsw(): Promise<void> {
  await import('msw')
}

/** Creates the MSW handlers of the service: operations, stored files, and everything else below /api/v1. */
export function createHandlers(options: ServiceOptions): HttpHandler[] {
  const service = new Service(options)
  const endpoints = [
    ...documentedOperations.map((operation) => operationEndpoint(operation, service)),
    fileEndpoint(service),
    extensionEndpoint(service),
    otherEndpoint(service),
  ]
  // TypeScript also compares the private members of classes.
  return endpoints.map((endpoint) => new ServiceHandler(service, endpoint)) as unknown as HttpHandler[]
}

/**
 * Answers a request by the service's handlers, without the `Response` and stream that MSW would create; undefined when
 * none of the handlers is the service's or matches the request.
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

/** Returns whether the service of any of the handlers may answer at a URL. */
export function isForService(handlers: readonly object[], url: string): boolean {
  return handlers.some((handler) => handler instanceof ServiceHandler && handler.isAt(url))
}

/**
 * Explains an unhandled request that looks like one to the service at another address, and records it as a near miss;
 * undefined for any other request.
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

/** Creates the endpoint of extensions' operations; unmatched requests are left to the next endpoint. */
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
      // With a base URL it may be a typo; with any origin, too many other requests come by.
      const meant = service.baseUrl.origin === undefined ? null : likelyMeant(request.method, url.path)
      if (meant !== null) service.recordUnanswered(request, url, meant)
      return undefined
    },
  }
}
