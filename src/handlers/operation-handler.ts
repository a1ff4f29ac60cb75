import type { HttpHandler, RequestHandler } from 'msw'
import { isDeliveryRequest } from '../world/index.js'
import { isReply, sentReply } from './reply.js'
import type { Served, Service } from './service.js'
import type { ServiceRequest } from './service-request.js'
import type { Target } from './target.js'

/** Whether a handler takes a request, and what its client gets if it does. */
export type Responder = (request: ServiceRequest, target: Target) => Promise<Served> | undefined

type RunArguments = Parameters<RequestHandler['run']>[0]
type RunResult = Awaited<ReturnType<HttpHandler['run']>>

/** How requests are matched and shown that MSW looks at: its method, and its path in MSW's notation. */
interface Matching {
  readonly method: string | RegExp
  readonly path: string
}

/**
 * A handler of MSW that compares method and path itself. MSW's own class compiles a pattern, parses cookies and clones
 * the request for every handler a request passes, and brings along what that takes; this one has what MSW asks of a
 * handler, and is used, listed and composed like any `http.*` handler. Whatever answers no request, such as logging,
 * is left to a handler of that class, made when somebody asks.
 * @see docs/decisions/0012-handlers-without-the-class-of-msw.md
 */
export class OperationHandler {
  readonly kind = 'request'
  /** The same, as MSW before 2.13 asks for it. */
  readonly __kind = 'RequestHandler'
  readonly info: Matching & { readonly header: string }
  isUsed = false
  readonly #service: Service
  readonly #respond: Responder

  /** `path` is relative to the site, in MSW's notation, for `listHandlers` and `test`. */
  constructor(service: Service, method: string | RegExp, path: string, respond: Responder) {
    const whole = `${service.site.pattern}${path}`
    this.info = { header: `${method} ${whole}`, method, path: whole }
    this.#service = service
    this.#respond = respond
  }

  async run({ request, requestId }: RunArguments): Promise<RunResult> {
    // What the service sends is nothing it is asked, whatever address it goes to.
    const served = isDeliveryRequest(request) ? undefined : this.serve(request)
    if (!served) return null
    return { handler: this as unknown as HttpHandler, request, requestId, response: responseOf(await served) }
  }

  /** What a client gets, before it becomes a `Response`; undefined where the request is not for this handler. */
  serve(request: ServiceRequest): Promise<Served> | undefined {
    const target = this.#service.targets.of(request)
    const served = target && this.#respond(request, target)
    if (served) this.isUsed = true
    return served
  }

  /** Whether method and path fit. */
  async test(asked: Parameters<HttpHandler['test']>[0]): Promise<boolean> {
    return (await likeMsw(this.info)).test(asked)
  }

  /** Writes an answer to the console, as MSW does in browsers. */
  async log(answered: Parameters<HttpHandler['log']>[0]): Promise<void> {
    return (await likeMsw(this.info)).log(answered)
  }
}

function responseOf(served: Served): Response {
  if (!isReply(served)) return served
  const { bytes, ...head } = sentReply(served)
  // The platform's own: in its place an interceptor puts one that goes through all headers again, for how their names
  // were spelt, which it takes from what is there where it does not know.
  const PlatformResponse = Response.prototype.constructor as typeof Response
  return new PlatformResponse(bytes, head)
}

/** A handler of MSW's own class that matches the same requests. */
async function likeMsw({ method, path }: Matching): Promise<HttpHandler> {
  const { http } = await import('msw/core/http')
  const { constructor: MswHandler } = http.all('*', () => undefined)
  return new (MswHandler as typeof HttpHandler)(method, path, () => undefined)
}
