import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express'
import { encodeJson } from '../../../base/json.js'
import { didYouMean } from '../../../base/text.js'
import type { Simulator } from '../../simulator/simulator.js'
import { type AccessOptions, createAccessCheck, sendRejection } from '../guards.js'
import { assumptionRoutes } from './assumptions.js'
import { ControlCalls } from './calls.js'
import { clockRoutes } from './clock.js'
import { rejectionOf } from './control-error.js'
import { createAboutRoutes } from './document.js'
import { eventRoutes } from './events.js'
import { expectationRoutes } from './expectations.js'
import { faultRoutes } from './faults.js'
import { journalRoutes } from './journal.js'
import { mailRoutes } from './mail.js'
import { identityRoutes, mailboxRoutes } from './mailbox.js'
import { routeRequest } from './request.js'
import type { ControlRoute } from './route.js'
import { sentRoutes } from './sent.js'
import { webhookRoutes } from './webhooks.js'
import { worldRoutes } from './worlds.js'

/** The simulator that the control API controls, and which clients may use it. */
export interface ControlOptions extends AccessOptions {
  readonly simulator: Simulator
}

/** Every route below `/_sim`, in the order of the documentation. */
export const routes: readonly ControlRoute[] = [
  ...createAboutRoutes(() => routes),
  ...worldRoutes,
  ...mailRoutes,
  ...mailboxRoutes,
  ...sentRoutes,
  ...identityRoutes,
  ...webhookRoutes,
  ...clockRoutes,
  ...expectationRoutes,
  ...faultRoutes,
  ...journalRoutes,
  ...eventRoutes,
  ...assumptionRoutes,
]

/** Creates the router of the control API, for use below `/_sim`. */
export function createControl({ simulator, ...access }: ControlOptions): Router {
  const control = express.Router({ caseSensitive: true, strict: true })
  control.use(createAccessCheck(access))
  const calls = new ControlCalls(simulator)
  const paths = [...new Set(routes.map(({ path }) => path))]
  for (const path of paths) {
    const atPath = routes.filter((route) => route.path === path)
    control.all(path.replace(/\{(\w+)\}/g, ':$1'), createHandler(path, atPath, calls))
  }
  control.use(({ originalUrl }, response) => {
    const path = originalUrl.split('?', 1)[0] as string
    const known = paths.map((one) => `/_sim${one}`)
    const hint = didYouMean(path, known) || '.'
    const message = `The control API has no ${path}${hint} GET /_sim/control.json describes all routes.`
    sendRejection(response, { status: 404, code: 'not_found', message })
  })
  return control.use(answerError)
}

function createHandler(path: string, atPath: readonly ControlRoute[], calls: ControlCalls): RequestHandler {
  const methods = atPath.map(({ method }) => method)
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  return async (request, response) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = atPath.find((one) => one.method === method)
    if (!route) {
      const message = `/_sim${path} supports ${methods.join(' and ')}, not ${method}.`
      const rejection = { status: 405, code: 'method_not_allowed', message, headers: { allow } }
      return sendRejection(response, rejection)
    }
    const call = await calls.prepare(route, routeRequest(route, request))
    if (route.stream) return route.stream(call, request, response)
    const answer = await calls.perform(route, call)
    if (route.status === 204) return void response.writeHead(204).end()
    const { contentType = 'application/json' } = route
    const text = ArrayBuffer.isView(answer) ? answer : String(answer)
    const body = route.contentType ? Buffer.from(text as string) : encodeJson(Object(answer))
    const headers = { 'content-type': contentType, 'content-length': body.length }
    response.writeHead(route.status ?? 200, headers).end(body)
  }
}

/** Express recognizes an error handler by its four parameters. */
const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const rejection = rejectionOf(error)
  if (rejection) sendRejection(response, rejection)
  else next(error)
}
