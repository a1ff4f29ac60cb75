import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { once } from '../../base/once.js'
import { isReply, type Served, sentReply } from '../../service/operations/reply.js'
import { isRead } from '../../service/operations/request.js'
import type { Masker } from '../../service/record/masker.js'
import { locate } from '../../service/requests/routes.js'
import type { Service } from '../../service/requests/service.js'
import { stopwatch } from '../../service/time/wall-time.js'
import type { AppOptions } from './app.js'
import { applyConnectionFault, type Connections, dateFor, readRequest } from './connections.js'
import { answerDefect, discardBody, type Guard, sendRejection } from './guards.js'

/** A request with its response. */
export interface AnsweredRequest {
  readonly method: string
  /** Path and query as received, with keys and tokens masked. */
  readonly target: string
  readonly status: number
  readonly durationMs: number
}

/** Options of a request listener. */
interface RequestListenerOptions extends AppOptions {
  readonly guard: Guard
  readonly connections: Connections
  readonly onAnswer: ((request: AnsweredRequest) => void) | undefined
  readonly onDefect: (error: unknown, request: Request) => void
}

/**
 * Creates the listener for every request. The guards run first; then the handlers respond to requests that
 * read the service, and the Express application responds to all others. Express is loaded with the first
 * request that needs it.
 */
export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { guard, connections, onAnswer, onDefect, ...rest } = options
  const { service, masker } = rest.simulator
  const app = once(async () => {
    const { createApp } = await import('./app.js')
    return createApp(rest)
  })
  return (request, response) => {
    const fail = (error: unknown): void => answerDefect(error, request, response, onDefect)
    connections.begin(request, response)
    if (isRead(request)) discardBody(request)
    if (onAnswer) reportAnswer(request, response, onAnswer, masker.keys)
    const rejection = guard(request)
    if (rejection) return sendRejection(response, rejection)
    answerRead(request, response, service)
      .then(async (isAnswered) => {
        if (isAnswered) return
        const answer = await app()
        // Its types ask for what it makes of them itself.
        answer(request as never, response as never, fail)
      })
      .catch(fail)
  }
}

/** Loads what the Express application needs, so that no request has to wait for that. */
export async function preloadApp(): Promise<void> {
  const { loadMiddleware } = await import('./app.js')
  await loadMiddleware()
}

function reportAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  onAnswer: (request: AnsweredRequest) => void,
  masker: Masker,
): void {
  const elapsed = stopwatch()
  const { method = '', url = '' } = request
  const target = masker.forRequest(readRequest(request).headers, /\?.*/.exec(url)?.[0] ?? '').url(url)
  response.once('finish', () => {
    onAnswer({ method, target, status: response.statusCode, durationMs: elapsed() })
  })
}

/**
 * Responds to a request that only reads the service; returns whether it was one. It uses the same service as the
 * middleware, but creates no `Request` and no `Response`: there is no body to read, and the bytes of the
 * response already exist.
 * @see docs/decisions/README.md
 */
async function answerRead(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
): Promise<boolean> {
  if (!isRead(request) || ownTargets.test(request.url ?? '')) return false
  const read = readRequest(request)
  const target = locate(read, service.baseUrl)
  const served = target && (await service.answer(read, target))
  if (served) send(served, response, dateFor(service, read))
  return served !== undefined
}

/** The targets of the control API, the inspector, the start page and the Model Context Protocol. */
const ownTargets = /^\/((_sim|mcp)(\/|\?|$)|\?|$)/

function send(served: Served, response: ServerResponse, date: string): void {
  if (isReply(served)) {
    const { status, headers, bytes } = sentReply(served)
    response.writeHead(status, { ...headers, date }).end(bytes)
  } else {
    response.setHeader('date', date)
    pass(served, response)
  }
}

/** Sends a response that a fault produced, as fast as the fault's stream provides it. */
function pass({ status, headers, body }: Response, response: ServerResponse): void {
  applyConnectionFault(response)
  response.statusCode = status
  headers.forEach((value, name) => void response.appendHeader(name, value))
  if (body) Readable.fromWeb(body as ReadableStream).pipe(response)
  else response.end()
}
