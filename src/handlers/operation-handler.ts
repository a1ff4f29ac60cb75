import { HttpHandler, type RequestHandler } from 'msw'
import { DeliveryRequest } from '../world/index.js'
import { sentReply } from './reply.js'
import type { Served, Service } from './service.js'
import type { ServiceRequest } from './service-request.js'
import type { Target } from './target.js'

/** Whether a handler takes a request, and what its client gets if it does. */
export type Responder = (request: ServiceRequest, target: Target) => Promise<Served> | undefined

type RunArguments = Parameters<RequestHandler['run']>[0]
type RunResult = Awaited<ReturnType<HttpHandler['run']>>

/**
 * An MSW handler that compares method and path itself. MSW's own matching compiles a pattern, parses cookies
 * and clones the request for every handler a request passes; this one does none of it, and is otherwise used,
 * listed and composed like any `http.*` handler.
 */
export class OperationHandler extends HttpHandler {
  readonly #service: Service
  readonly #respond: Responder

  /** `path` is relative to the site, in MSW's notation, for `listHandlers` and `test`. */
  constructor(service: Service, method: string | RegExp, path: string, respond: Responder) {
    super(method, `${service.site.pattern}${path}`, () => undefined)
    this.#service = service
    this.#respond = respond
  }

  override async run({ request, requestId }: RunArguments): Promise<RunResult> {
    // What the service sends is nothing it is asked, whatever address it goes to.
    const served = DeliveryRequest.is(request) ? undefined : this.serve(request)
    if (!served) return null
    return { handler: this, request, requestId, response: responseOf(await served) }
  }

  /** What a client gets, before it becomes a `Response`; undefined where the request is not for this handler. */
  serve(request: ServiceRequest): Promise<Served> | undefined {
    const target = this.#service.targets.of(request)
    const served = target && this.#respond(request, target)
    if (served) this.isUsed = true
    return served
  }
}

function responseOf(served: Served): Response {
  if (served instanceof Response) return served
  const { bytes, ...head } = sentReply(served)
  return new Response(bytes, head)
}
