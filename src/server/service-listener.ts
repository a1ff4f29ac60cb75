import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { HttpHandler } from 'msw'
import { isReply, type SentReply, type Served, sentReply, serve } from '../handlers/index.js'
import { BodilessRequest } from './bodiless-request.js'
import type { AnswerDefect } from './defect.js'
import { obeyEnding } from './endings.js'

/** Answers a request where it is one for it, and tells whether it is. */
export type PartialListener = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Answers what only reads the service, from the same handlers as the middleware does. There is no body to be read, and
 * the bytes of the answer are at hand, so neither is made a stream of.
 * @see docs/decisions/0011-ways-through-the-server.md
 */
export function createServiceListener(
  handlers: readonly HttpHandler[],
  answerDefect: AnswerDefect,
): PartialListener {
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    try {
      const served = serve(handlers, new BodilessRequest(request))
      if (!served) return false
      served.then((answer) => send(answer, response)).catch((error) => answerDefect(error, request, response))
    } catch (error) {
      answerDefect(error, request, response)
    }
    return true
  }
}

function send(served: Served, response: ServerResponse): void {
  if (isReply(served)) write(sentReply(served), response)
  else pass(served, response)
}

function write({ status, headers, bytes }: SentReply, response: ServerResponse): void {
  response.writeHead(status, headers).end(bytes)
}

/** Passes on what a fault made of an answer, in its time. */
function pass({ status, headers, body }: Response, response: ServerResponse): void {
  obeyEnding(response)
  response.statusCode = status
  headers.forEach((value, name) => void response.appendHeader(name, value))
  if (body) Readable.fromWeb(body as ReadableStream).pipe(response)
  else response.end()
}
