import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express'
import type { Simulator } from '../../simulator/simulator.js'
import { sendRejection } from '../rejection.js'
import { type AccessOptions, createAccess } from './access.js'
import { rejectionOf } from './control-error.js'
import { healthRoute } from './health.js'
import { readJson } from './json-body.js'
import { openApiRoute } from './openapi.js'
import { readingsRoute } from './readings.js'
import { reliancesRoute } from './reliances.js'
import { allowOf, type ControlMethod, methodsOf, type Route } from './route.js'

/** What the control API serves, and to whom. */
export interface ControlOptions extends AccessOptions {
  readonly simulator: Simulator
}

/** All there is below `/_sim`. */
const routes: readonly Route[] = [healthRoute, openApiRoute, readingsRoute, reliancesRoute]

/** The control API below `/_sim`. */
export function createControl({ simulator, ...access }: ControlOptions): Router {
  const control = express.Router({ caseSensitive: true, strict: true })
  control.use(createAccess(access))
  for (const route of routes) control.all(route.path, createAnswerer(route, simulator))
  control.use(({ originalUrl }, response) => {
    const there = routes.map((route) => `${methodsOf(route)} /_sim${route.path}`).join(', ')
    const message = `The control API has no ${originalUrl.split('?')[0]}; there is ${there}.`
    sendRejection(response, { status: 404, code: 'not_found', message })
  })
  return control.use(answerRefusal)
}

function createAnswerer(route: Route, simulator: Simulator): RequestHandler {
  return async (request, response) => {
    const method = (request.method === 'HEAD' ? 'GET' : request.method) as ControlMethod
    const answer = Object.hasOwn(route.answers, method) ? route.answers[method] : undefined
    if (!answer) {
      const message = `/_sim${route.path} takes ${methodsOf(route)}, not ${method}.`
      const headers = { allow: allowOf(route) }
      return sendRejection(response, { status: 405, code: 'method_not_allowed', message, headers })
    }
    const body = method === 'GET' ? undefined : await readJson(request)
    const text = JSON.stringify(await answer(simulator, body))
    const length = Buffer.byteLength(text)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length }).end(text)
  }
}

/** Express recognizes what takes an error by its four parameters. */
const answerRefusal: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const rejection = rejectionOf(error)
  if (rejection) sendRejection(response, rejection)
  else next(error)
}
