import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express'
import { didYouMean } from '../../contract/nearest.js'
import type { Simulator } from '../../simulator/simulator.js'
import { sendRejection } from '../rejection.js'
import { type AccessOptions, createAccess } from './access.js'
import { readCall } from './call.js'
import { rejectionOf } from './control-error.js'
import { type AnyControlOperation, allowOf, type ControlMethod, methodsOf, type Route } from './route.js'
import { routes } from './routes.js'

/** What the control API serves, and to whom. */
export interface ControlOptions extends AccessOptions {
  readonly simulator: Simulator
}

/** The control API below `/_sim`. */
export function createControl({ simulator, ...access }: ControlOptions): Router {
  const control = express.Router({ caseSensitive: true, strict: true })
  control.use(createAccess(access))
  for (const route of routes) {
    control.all(route.path.replace(/\{(\w+)\}/g, ':$1'), createAnswerer(route, simulator))
  }
  control.use(({ originalUrl }, response) => {
    const path = originalUrl.split('?', 1)[0] as string
    const known = routes.map((route) => `/_sim${route.path}`)
    const hint = didYouMean(path, known) || '.'
    const message = `The control API has no ${path}${hint} GET /_sim/control.json describes what there is.`
    sendRejection(response, { status: 404, code: 'not_found', message })
  })
  return control.use(answerRefusal)
}

function createAnswerer(route: Route, first: Simulator): RequestHandler {
  return async (request, response) => {
    const method = (request.method === 'HEAD' ? 'GET' : request.method) as ControlMethod
    const operation = Object.hasOwn(route.operations, method) ? route.operations[method] : undefined
    if (!operation) {
      const message = `/_sim${route.path} takes ${methodsOf(route)}, not ${method}.`
      const headers = { allow: allowOf(route) }
      return sendRejection(response, { status: 405, code: 'method_not_allowed', message, headers })
    }
    const call = await readCall(operation, request, first)
    if (operation.stream) return operation.stream(call, request, response)
    const answer = await operation.perform?.(call)
    const body = bodyOf(operation, answer)
    const headers = body === '' ? {} : { 'content-type': operation.contentType ?? 'application/json' }
    const length = operation.status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }
    response.writeHead(operation.status ?? 200, { ...headers, ...length }).end(body)
  }
}

function bodyOf({ status, contentType }: AnyControlOperation, answer: unknown): string {
  if (status === 204) return ''
  return contentType !== undefined && typeof answer === 'string' ? answer : JSON.stringify(answer)
}

/** Express recognizes what takes an error by its four parameters. */
const answerRefusal: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const rejection = rejectionOf(error)
  if (rejection) sendRejection(response, rejection)
  else next(error)
}
