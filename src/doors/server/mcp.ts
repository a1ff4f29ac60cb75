import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { Router } from 'express'
import { once } from '../../base/once.js'
import { isRead } from '../../service/operations/request.js'
import type { Service } from '../../service/requests/service.js'
import type { ToolOptions } from '../mcp/tool-options.js'
import { Tools } from '../mcp/tools.js'
import { discardBody, rejectAccess, sendRejection } from './guards.js'

/** Creates the router of the Model Context Protocol, `/mcp`; loads the protocol with the first request. */
export function createMcp(service: Service, options: ToolOptions): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const answerer = once(async () => {
    const { createHttpAnswer } = await import('../mcp/connection.js')
    return createHttpAnswer(new Tools(service, options))
  })
  return router.all(['/mcp', '/mcp/'], async (request, response) => {
    const rejection = rejectAccess(request, { token: undefined, isChosen: false })
    if (rejection) return sendRejection(response, rejection)
    const left = new AbortController()
    response.once('close', () => left.abort())
    // Of a message that is too large, the rest is still to come.
    response.once('finish', () => discardBody(request))
    const answer = await answerer()
    await send(await answer(asRequest(request, left.signal)), response)
  })
}

function asRequest(
  request: IncomingMessage & { readonly originalUrl: string },
  signal: AbortSignal,
): Request {
  const { method = 'GET', headers, originalUrl } = request
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const body = isRead({ method }) ? null : (Readable.toWeb(request) as globalThis.ReadableStream)
  const init = { method, headers: fields, body, signal, duplex: 'half' }
  return new Request(`http://${headers.host}${originalUrl}`, init)
}

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.statusCode = status
  response.setHeaders(headers)
  if (headers.get('content-type')?.startsWith('text/event-stream')) {
    response.setHeader('x-accel-buffering', 'no')
  }
  if (!body) return void response.end()
  // A stream may have nothing to send for long.
  response.flushHeaders()
  // A client that disconnects is not a defect of the simulator.
  await pipeline(Readable.fromWeb(body as ReadableStream), response).catch(() => undefined)
}
