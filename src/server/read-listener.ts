import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { HttpHandler } from 'msw'
import { isReply, type Served, type ServiceRequest, sentReply, serve } from '../handlers/index.js'
import type { HeaderFields } from '../world/index.js'
import { applyConnectionFault, isAwaited } from './connections.js'
import type { AnswerDefect } from './rejection.js'

/** Answers a request that it takes; returns whether it does. */
export type PartialListener = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Answers requests that only read the service, with the same handlers as the middleware, but without a `Request` and a
 * `Response`: there is no body to read, and the bytes of the answer are at hand.
 * @see docs/decisions/0011-ways-through-the-server.md
 */
export function createReadListener(
  handlers: readonly HttpHandler[],
  answerDefect: AnswerDefect,
): PartialListener {
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    try {
      const served = serve(handlers, readRequest(request))
      if (!served) return false
      served.then((answer) => send(answer, response)).catch((error) => answerDefect(error, request, response))
    } catch (error) {
      answerDefect(error, request, response)
    }
    return true
  }
}

/** Returns a request without a body as the handlers see it; the guards have left it a `Host` and a path. */
function readRequest(request: IncomingMessage): ServiceRequest {
  const { method = 'GET', url, headers } = request
  return {
    method,
    url: `http://${headers.host}${url}`,
    headers: fieldsOf(headers),
    // As it is when somebody asks: an answer to a client that disconnects later is dropped.
    get signal() {
      return isAwaited(request) ? new AbortController().signal : AbortSignal.abort()
    },
    clone: () => ({ body: null }),
  }
}

/** Returns header fields as `Headers` would; creating one costs more than all look-ups in it. */
function fieldsOf(headers: IncomingHttpHeaders): HeaderFields {
  return {
    get(name) {
      const value = headers[name.toLowerCase()]
      return value === undefined ? null : String(value)
    },
    has: (name) => headers[name.toLowerCase()] !== undefined,
    *[Symbol.iterator]() {
      for (const name of Object.keys(headers).sort()) yield [name, String(headers[name])]
    },
  }
}

function send(served: Served, response: ServerResponse): void {
  if (isReply(served)) {
    const { status, headers, bytes } = sentReply(served)
    response.writeHead(status, headers).end(bytes)
  } else {
    pass(served, response)
  }
}

/** Sends the answer that a fault produced, at the fault's pace. */
function pass({ status, headers, body }: Response, response: ServerResponse): void {
  applyConnectionFault(response)
  response.statusCode = status
  headers.forEach((value, name) => void response.appendHeader(name, value))
  if (body) Readable.fromWeb(body as ReadableStream).pipe(response)
  else response.end()
}
