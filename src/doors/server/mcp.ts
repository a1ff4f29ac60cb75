import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type RequestHandler, Router } from 'express'
import { JsonReadingError } from '../../base/json-reader.js'
import { once } from '../../base/once.js'
import { isRead } from '../../service/operations/request.js'
import { acceptedBy, parseMessage } from '../mcp/http-answer.js'
import { createSurface, type Surface } from '../mcp/surface.js'
import { maxMessageBytes } from '../mcp/tool.js'
import type { ToolOptions } from '../mcp/tool-options.js'
import type { Simulator } from '../simulator/simulator.js'
import { ControlError, rejectionOf } from './control/control-error.js'
import { readRequestBytes } from './control/request.js'
import { createControlSurface } from './control/tools.js'
import { type AccessOptions, createAccessCheck, sendRejection } from './guards.js'

/** The simulator whose operations are tools, and which clients may use its controls. */
export interface McpOptions extends AccessOptions {
  readonly simulator: Simulator
  /** Whether the controls are tools, too. */
  readonly mcpControls: boolean
  /** Which tools agents are offered. */
  readonly toolOptions: ToolOptions
}

/** Creates the router of the Model Context Protocol: `/mcp` for agents, and `/mcp/controls` for those who test them. */
export function createMcp({ simulator, mcpControls, toolOptions, ...access }: McpOptions): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const anybody = createAccessCheck({ token: undefined, isChosen: false })
  router.all(['/mcp', '/mcp/'], anybody, serve(createSurface(simulator.service, toolOptions)))
  if (!mcpControls) return router
  return router.all(
    ['/mcp/controls', '/mcp/controls/'],
    createAccessCheck(access),
    serve(createControlSurface(simulator)),
  )
}

/** Serves a surface; loads the protocol with the first request. */
function serve(surface: Surface): RequestHandler {
  const endpoint = once(async () => {
    const { HttpEndpoint } = await import('../mcp/http.js')
    return new HttpEndpoint(surface)
  })
  return async (request, response) => {
    const left = new AbortController()
    response.once('close', () => left.abort())
    const body = await readBody(request).catch((error: unknown) => {
      const rejection = rejectionOf(error)
      if (!rejection) throw error
      sendRejection(response, rejection)
    })
    if (!body) return
    const answer = await (await endpoint()).answer(asRequest(request, body.bytes, left.signal), body.value)
    await send(answer, response)
  }
}

/** The body of a request, and its value if it is JSON. */
interface MessageBody {
  readonly bytes: Uint8Array
  readonly value: unknown
}

/** Reads the body of a request; that of one that only reads was discarded before. @throws ControlError */
async function readBody(request: IncomingMessage): Promise<MessageBody> {
  if (isRead(request)) return { bytes: new Uint8Array(), value: undefined }
  const bytes = await readRequestBytes(request, maxMessageBytes)
  try {
    return { bytes, value: parseMessage(bytes) }
  } catch (error) {
    if (!(error instanceof JsonReadingError)) throw error
    throw new ControlError('content_too_large', `The message was not read: ${error.message}.`)
  }
}

function asRequest(
  { method = 'GET', headers, originalUrl }: IncomingMessage & { readonly originalUrl: string },
  bytes: Uint8Array,
  signal: AbortSignal,
): Request {
  const all = { ...headers, accept: acceptedBy(method, headers.accept) }
  const fields = Object.entries(all).map(([name, value]): [string, string] => [name, String(value)])
  const body = isRead({ method }) ? null : (bytes as Uint8Array<ArrayBuffer>)
  return new Request(`http://${headers.host}${originalUrl}`, { method, headers: fields, body, signal })
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
