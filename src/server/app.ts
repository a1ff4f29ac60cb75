// The package's main file would load the second Express, version 4, that only its own server needs.
import { createMiddleware } from '@mswjs/http-middleware/lib/middleware.js'
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Router } from 'express'
import type { HttpHandler } from 'msw'
import { likelyMeant } from '../handlers/index.js'
import { obeyEnding } from './endings.js'
import { sendRejection } from './rejection.js'
import { discardBody } from './unread-body.js'

// It is compiled against the CommonJS types of MSW, which TypeScript holds for another class.
const createServiceMiddleware = createMiddleware as unknown as (...handlers: HttpHandler[]) => RequestHandler

/** What an application is made of. */
export interface AppOptions {
  readonly handlers: readonly HttpHandler[]
  /** What answers below `/_sim`. */
  readonly control: Router
  readonly onDefect: (error: unknown, request: Request) => void
}

/** The Express application behind the guards: the control API, then the simulated service. */
export function createApp({ handlers, control, onDefect }: AppOptions): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.enable('case sensitive routing').enable('strict routing')
  app.use('/_sim', control)
  // Before any body parser: the handlers read the body from the request's own stream.
  const service = createServiceMiddleware(...handlers)
  app.use((request, response, next) => {
    if (!belongsToService(request)) return next()
    response.once('finish', () => discardBody(request))
    obeyEnding(response)
    return service(request, response, next)
  })
  app.use(({ method, path }, response) => {
    const meant = likelyMeant(method, path) ?? `Nothing answers ${method} ${path}`
    const message = `${meant}; the service is below /api/v1, the simulator's health at /_sim/health.`
    sendRejection(response, { status: 404, code: 'not_found', message })
  })
  app.use(answerFailure(onDefect))
  return app
}

/** MSW reads the whole body, of whatever size, of a request that none of its handlers takes: it gets no such. */
function belongsToService({ method, path }: { readonly method: string; readonly path: string }): boolean {
  if (/^\/api\/v1(\/|$)/.test(path)) return true
  return path.startsWith('/attachments/') && (method === 'GET' || method === 'HEAD')
}

/** Express recognizes what takes an error by its four parameters. */
function answerFailure(onDefect: AppOptions['onDefect']): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { method, originalUrl, protocol, headers } = request
    onDefect(error, new Request(`${protocol}://${headers.host}${originalUrl}`, { method }))
    if (response.headersSent) return void response.destroy()
    const message = 'The simulator failed; its log has the stack trace. Please report it.'
    sendRejection(response, { status: 500, code: 'simulator_defect', message })
  }
}
