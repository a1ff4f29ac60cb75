import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Masker, stopwatch } from '../world/index.js'
import type { Connections } from './connections.js'
import type { Guard } from './guards/guard.js'
import { sendRejection } from './rejection.js'
import { discardBody } from './unread-body.js'

/** A request as it was answered. */
export interface AnsweredRequest {
  readonly method: string
  /** Path and query as they were sent, but for keys and tokens. */
  readonly target: string
  readonly status: number
  readonly durationMs: number
}

/** What a request passes on its way in. */
export interface DoorOptions {
  readonly guards: readonly Guard[]
  readonly connections: Connections
  /** What answers the requests that pass. */
  readonly inside: RequestListener
  readonly onAnswer: ((request: AnsweredRequest) => void) | undefined
  readonly masker: Masker
}

/** Lets requests in that every guard lets pass, and answers the others itself. */
export function createDoor({ guards, connections, inside, onAnswer, masker }: DoorOptions): RequestListener {
  return (request, response) => {
    connections.begin(request, response)
    if (request.method === 'GET' || request.method === 'HEAD') discardBody(request)
    if (onAnswer) report(request, response, onAnswer, masker)
    for (const guard of guards) {
      const rejection = guard(request)
      if (rejection) return sendRejection(response, rejection)
    }
    return inside(request, response)
  }
}

function report(
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
