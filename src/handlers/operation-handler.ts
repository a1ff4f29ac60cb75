import { HttpHandler, type RequestHandler } from 'msw'
import { DeliveryRequest } from '../world/index.js'
import type { Service } from './service.js'
import type { Target } from './target.js'

/** Whether a handler takes a request, and its answer if it does. */
export type Responder = (request: Request, target: Target) => Promise<Response> | undefined

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
    if (DeliveryRequest.is(request)) return null
    const target = this.#service.targets.of(request)
    const response = target && this.#respond(request, target)
    if (!response) return null
    this.isUsed = true
    return { handler: this, request, requestId, response: await response }
  }
}
