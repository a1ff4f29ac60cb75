import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { fileURLToPath } from 'node:url'
import express, { type Express, type RequestHandler, Router } from 'express'
import type { HttpHandler } from 'msw'
import { once } from '../../base/once.js'
import { builtFolder } from '../../base/package.js'
import { bearerKey, isRead, parseBaseUrl, parseRequestUrl } from '../../service/operations/request.js'
import type { Service } from '../../service/requests/service.js'
import { likelyMeant } from '../../service/requests/undocumented.js'
import { rejectionOf } from '../controls/errors.js'
import type { ToolOptions } from '../mcp/tool.js'
import { Tools } from '../mcp/tools.js'
import { applyConnectionFault, dateFor, isAwaited, readRequest } from './connections.js'
import { type ControlOptions, createControlApi } from './control-api.js'
import { discardBody, rejectAccess, sendRejection } from './guards.js'

/** Loads MSW and the middleware that responds with its handlers; the control API needs neither. */
export async function loadMiddleware() {
  // First: the middleware loads MSW with require(), which fails while an import of it in this process is unfinished.
  const { createHandlers } = await import('../../service/requests/request-handler.js')
  // The package's main file would load a second Express, version 4, for its own server.
  const { createMiddleware } = await import('@mswjs/http-middleware/lib/middleware.js')
  return { createHandlers, createMiddleware }
}

async function createServiceMiddleware(service: Service): Promise<RequestHandler> {
  const { createHandlers, createMiddleware } = await loadMiddleware()
  // It is compiled against the CommonJS types of MSW, which TypeScript treats as a different class.
  return (createMiddleware as unknown as (...all: readonly HttpHandler[]) => RequestHandler)(
    ...createHandlers(service),
  )
}

/** Options of the application. */
export interface AppOptions extends ControlOptions {
  /** Which tools agents are offered. */
  readonly toolOptions: ToolOptions
}

/** Creates the Express application behind the guards: the control API, and requests that write to the service. */
export function createApp({ toolOptions, ...control }: AppOptions): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.enable('case sensitive routing').enable('strict routing')
  app.get(['/', '/_sim'], (request, response) => {
    // Browsers accept HTML explicitly; curl accepts anything.
    if (request.path === '/' && request.accepts(['json', 'html']) !== 'html') {
      response.json({ service: '/api/v1', mcp: '/mcp', control: '/_sim', inspector: '/_sim/' })
    } else response.redirect(`${prefixOf(request)}_sim/`)
  })
  app.use('/_sim', createInspector())
  app.use('/_sim', createControlApi(control))
  app.use(createMcp(control.simulator.service, toolOptions))
  // Before any body parser: the handlers read the body from the request's own stream.
  const service = once(() => createServiceMiddleware(control.simulator.service))
  app.use(async (request, response, next) => {
    const { persistence, service: answering } = control.simulator
    const read = readRequest(request)
    if (persistence) {
      // Here, because only the connection shows whether the client may have gone to another server.
      const isHere = (): boolean => isAwaited(request)
      const refused = await persistence.admit(bearerKey(read), isHere)?.then(() => undefined, rejectionOf)
      if (refused) return sendRejection(response, refused)
    }
    // MSW reads the whole body, regardless of its size, of a request that no handler matches.
    if (!answering.isFor(read)) return next()
    response.once('finish', () => discardBody(request))
    response.setHeader('date', dateFor(answering, read))
    applyConnectionFault(response)
    const answer = await service()
    return answer(request, response, next)
  })
  app.use((request, response) => {
    const { method, path } = request
    const meant = likelyMeant(method, path)
    if (meant !== null) {
      const { service: answering } = control.simulator
      const url = parseRequestUrl(readRequest(request).url, parseBaseUrl('*'))
      // Whoever asks what came must see that it came to this path.
      if (url) answering.recordUnanswered(readRequest(request), url, meant, 404)
    }
    const message = `${meant ?? `Nothing responds to ${method} ${path}.`} The service is below /api/v1, the simulator's health at /_sim/health.`
    sendRejection(response, { status: 404, code: 'not_found', message })
  })
  return app
}

/** Returns the address of this server as a browser knows it, below the path of a proxy. */
function prefixOf({ headers }: IncomingMessage): string {
  const [prefix = ''] = [headers['x-forwarded-prefix'] ?? ''].flat()
  // One that is a path; relative to the page where no proxy says.
  return /^(\/[\w.~-]+)+\/?$/.test(prefix) ? `${prefix.replace(/\/$/, '')}/` : './'
}

/** Inline styles are for mail in its frame, which has a stricter policy and a sandbox; scripts are only the page's own. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  'img-src data:',
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves the inspector's page and its files. */
function createInspector(): RequestHandler {
  return express.static(fileURLToPath(new URL('inspector', builtFolder())), {
    redirect: false,
    etag: false,
    lastModified: false,
    setHeaders(response) {
      response.setHeader('content-security-policy', policy)
      response.setHeader('x-content-type-options', 'nosniff')
      response.setHeader('referrer-policy', 'no-referrer')
      response.setHeader('cache-control', 'no-cache')
    },
  })
}

/** Creates the router of the Model Context Protocol, `/mcp`; loads the protocol with the first request. */
function createMcp(service: Service, options: ToolOptions): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const answerer = once(async () => {
    const { createHttpAnswer } = await import('../mcp/connection.js')
    return createHttpAnswer(new Tools(service, options))
  })
  return router.all(['/mcp', '/mcp/'], async (request, response) => {
    const rejection = rejectAccess(request, { token: undefined })
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
