// The package's main file would load the second Express, version 4, that only its own server needs.
import { createMiddleware } from '@mswjs/http-middleware/lib/middleware.js'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { HttpHandler } from 'msw'
import { likelyMeant } from '../handlers/index.js'
import { type ControlOptions, createControl } from './control/control.js'
import type { AnswerDefect } from './defect.js'
import { obeyEnding } from './endings.js'
import { sendRejection } from './rejection.js'
import { discardBody } from './unread-body.js'

// It is compiled against the CommonJS types of MSW, which TypeScript holds for another class.
const createServiceMiddleware = createMiddleware as unknown as (...handlers: HttpHandler[]) => RequestHandler

/** What an application is made of. */
export interface AppOptions extends ControlOptions {
  readonly answerDefect: AnswerDefect
}

/** The Express application behind the guards: the control API, then what does more to the service than read it. */
export function createApp({ answerDefect, ...control }: AppOptions): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.enable('case sensitive routing').enable('strict routing')
  app.use('/_sim', createControl(control))
  // Before any body parser: the handlers read the body from the request's own stream.
  const service = createServiceMiddleware(...control.simulator.handlers)
  app.use((request, response, next) => {
    // MSW reads the whole body, of whatever size, of a request that none of its handlers takes: it gets no such.
    if (!/^\/api\/v1(\/|$)/.test(request.path)) return next()
    response.once('finish', () => discardBody(request))
    obeyEnding(response)
    return service(request, response, next)
  })
  app.use(({ method, path }, response) => {
    const meant = likelyMeant(method, path) ?? `Nothing answers ${method} ${path}`
    const message = `${meant}; the service is below /api/v1, the simulator's health at /_sim/health.`
    sendRejection(response, { status: 404, code: 'not_found', message })
  })
  // Express recognizes what takes an error by its four parameters.
  app.use(((error, request, response, _next) =>
    answerDefect(error, request, response)) as ErrorRequestHandler)
  return app
}
