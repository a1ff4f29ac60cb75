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
import type { ToolOptions } from '../mcp/tool.js'
import type { Simulator } from '../simulator/simulator.js'
import { applyConnectionFault, type Connections, dateFor, readRequest } from './connections.js'
import { type AccessOptions, createAnswerDefect, discardBody, type Guard, sendRejection } from './guards.js'

/** A request with its response. */
export interface AnsweredRequest {
  readonly method: string
  /** Path and query as received, with keys and tokens masked. */
  readonly target: string
  readonly status: number
  readonly durationMs: number
}

/** Options of a request listener. */
interface RequestListenerOptions extends AccessOptions {
  readonly simulator: Simulator
  readonly guard: Guard
  readonly connections: Connections
  readonly onAnswer: ((request: AnsweredRequest) => void) | undefined
  readonly onDefect: (error: unknown, request: Request) => void
  /** Which tools agents are offered. */
  readonly toolOptions: ToolOptions
}

/**
 * Creates the listener for every request. The guards run first; then the handlers respond to requests that
 * read the service, and the Express application responds to all others. Express is loaded with the first
 * request that needs it.
 */
export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { simulator, guard, connections, onAnswer, onDefect, ...access } = options
  const answerDefect = createAnswerDefect(onDefect)
  const answerRead = createReadListener(simulator.service)
  const app = once(async (): Promise<RequestListener> => {
    const { createApp } = await import('./app.js')
    return createApp({ simulator, answerDefect, ...access })
  })
  const answerInApp = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await app()
    answer(request, response)
  }
  return (request, response) => {
    connections.begin(request, response)
    if (isRead(request)) discardBody(request)
    if (onAnswer) reportAnswer(request, response, onAnswer, simulator.masker.keys)
    const rejection = guard(request)
    if (rejection) return sendRejection(response, rejection)
    answerRead(request, response)
      .then((isAnswered) => (isAnswered ? undefined : answerInApp(request, response)))
      .catch((error) => answerDefect(error, request, response))
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

/** Responds to the requests that it can handle; returns whether it handles this one. */
type PartialListener = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/**
 * Creates a listener that responds to requests that only read the service. It uses the same service as the
 * middleware, but creates no `Request` and no `Response`: there is no body to read, and the bytes of the
 * response already exist.
 * @see docs/decisions/README.md
 */
function createReadListener(service: Service): PartialListener {
  return async (request, response) => {
    const { method, url = '' } = request
    if ((method !== 'GET' && method !== 'HEAD') || isForControl(url)) return false
    const read = readRequest(request)
    const target = locate(read, service.baseUrl)
    const served = target && (await service.answer(read, target))
    if (served) send(served, response, dateFor(service, read))
    return served !== undefined
  }
}

/** Returns whether a request is for the control API, the inspector, the start page or the Model Context Protocol. */
function isForControl(target: string): boolean {
  return /^\/((_sim|mcp)(\/|\?|$)|\?|$)/.test(target)
}

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
