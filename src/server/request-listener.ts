import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { once } from '../contract/once.js'
import type { Simulator } from '../simulator/simulator.js'
import { type Masker, stopwatch } from '../world/index.js'
import type { Connections } from './connections.js'
import type { AccessOptions, Guard } from './guards.js'
import { createReadListener } from './read-listener.js'
import { createAnswerDefect, discardBody, sendRejection } from './rejection.js'

/** An answered request. */
export interface AnsweredRequest {
  readonly method: string
  /** Path and query as they were sent, with keys and tokens masked. */
  readonly target: string
  readonly status: number
  readonly durationMs: number
}

/** The parts of a server that answer requests. */
export interface RequestListenerOptions extends AccessOptions {
  readonly simulator: Simulator
  readonly guards: readonly Guard[]
  readonly connections: Connections
  readonly onAnswer: ((request: AnsweredRequest) => void) | undefined
  readonly onDefect: (error: unknown, request: Request) => void
}

/**
 * Creates the listener to every request: guards first, then the handlers for what reads the service, and the Express
 * application for everything else. Express is loaded for the first request that needs it.
 */
export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { simulator, guards, connections, onAnswer, onDefect, ...access } = options
  const answerDefect = createAnswerDefect(onDefect)
  const answerRead = createReadListener(simulator.handlers, answerDefect)
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
    if (request.method === 'GET' || request.method === 'HEAD') discardBody(request)
    if (onAnswer) reportAnswer(request, response, onAnswer, simulator.masker)
    for (const guard of guards) {
      const rejection = guard(request)
      if (rejection) return sendRejection(response, rejection)
    }
    if (answerRead(request, response)) return
    answerInApp(request, response).catch((error) => answerDefect(error, request, response))
  }
}

function reportAnswer(
  { method = '', url = '', headersDistinct }: IncomingMessage,
  response: ServerResponse,
  onAnswer: (request: AnsweredRequest) => void,
  masker: Masker,
): void {
  const elapsed = stopwatch()
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) => {
    return values.map((value) => [name, value] as const)
  })
  const search = /\?.*/.exec(url)?.[0] ?? ''
  const target = masker.forRequest(headers, search).url(url)
  response.once('finish', () => {
    onAnswer({ method, target, status: response.statusCode, durationMs: elapsed() })
  })
}
