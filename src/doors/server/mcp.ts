import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type RequestHandler, Router } from 'express'
import { parseJson } from '../../base/json.js'
import { once } from '../../base/once.js'
import { createSurface, type Surface } from '../mcp/surface.js'
import { maxMessageBytes } from '../mcp/tool.js'
import type { Simulator } from '../simulator/simulator.js'
import { rejectionOf } from './control/control-error.js'
import { readRequestBytes } from './control/request.js'
import { createControlSurface } from './control/tools.js'
import { type AccessOptions, createAccessCheck, sendRejection } from './guards.js'

/** The simulator whose operations are tools, and which clients may use its controls. */
export interface McpOptions extends AccessOptions {
  readonly simulator: Simulator
  /** Whether the controls are tools, too. */
  readonly mcpControls: boolean
}

/** Creates the router of the Model Context Protocol: `/mcp` for agents, and `/mcp/controls` for those who test them. */
export function createMcp({ simulator, mcpControls, ...access }: McpOptions): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const anybody = createAccessCheck({ token: undefined, isChosen: false })
  router.all('/mcp', anybody, serve(createSurface(simulator.service)))
  if (!mcpControls) return router
  return router.all('/mcp/controls', createAccessCheck(access), serve(createControlSurface(simulator)))
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
    const bytes = await readBody(request).catch((error: unknown) => {
      const rejection = rejectionOf(error)
      if (!rejection) throw error
      sendRejection(response, rejection)
    })
    if (!bytes) return
    const parsed = bytes.length === 0 ? undefined : parseJson(new TextDecoder().decode(bytes))
    const answer = await (await endpoint()).answer(asRequest(request, bytes, left.signal), parsed)
    await send(answer, response)
  }
}

/** Reads the body of a request; that of one that only reads was discarded before. @throws ControlError */
async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead ? new Uint8Array() : readRequestBytes(request, maxMessageBytes)
}

function asRequest(
  { method = 'GET', headers, originalUrl }: IncomingMessage & { readonly originalUrl: string },
  bytes: Uint8Array,
  signal: AbortSignal,
): Request {
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const body = method === 'GET' || method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>)
  return new Request(`http://${headers.host}${originalUrl}`, { method, headers: fields, body, signal })
}

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.statusCode = status
  response.setHeaders(headers)
  if (!body) return void response.end()
  // A stream may have nothing to send for long.
  response.flushHeaders()
  // A client that disconnects is not a defect of the simulator.
  await pipeline(Readable.fromWeb(body as ReadableStream), response).catch(() => undefined)
}
