import express, { type RequestHandler, type Router } from 'express'
import type { Simulator } from '../simulator/simulator.js'
import { type Rejection, sendRejection } from './rejection.js'
import { version } from './version.js'

/** What the control API serves, and to whom. */
export interface ControlOptions {
  readonly simulator: Simulator
  /** Whether only this machine reaches the server. */
  readonly loopback: boolean
  readonly token: string | undefined
}

/** The control API below `/_sim`. */
export function createControl({ simulator, ...access }: ControlOptions): Router {
  const control = express.Router({ caseSensitive: true, strict: true })
  control.use(createAccess(access))
  control.get('/health', (_request, response) => {
    const { scenario, clock } = simulator
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ status: 'ok', version, scenario, now: clock.now() }))
  })
  control.all('/health', ({ method }, response) => {
    const message = `/_sim/health takes GET, not ${method}.`
    const headers = { allow: 'GET, HEAD' }
    sendRejection(response, { status: 405, code: 'method_not_allowed', message, headers })
  })
  control.use(({ originalUrl }, response) => {
    const message = `The control API has no ${originalUrl.split('?')[0]}; there is GET /_sim/health.`
    sendRejection(response, { status: 404, code: 'not_found', message })
  })
  return control
}

/** Whoever is not on this machine, or has been given a token to bring, must bring it. */
function createAccess({ loopback, token }: Omit<ControlOptions, 'simulator'>): RequestHandler {
  return ({ headers }, response, next) => {
    const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
    const allowed = token === undefined ? loopback : given === token
    if (allowed) next()
    else sendRejection(response, token === undefined ? noToken : wrongToken)
  }
}

const noToken: Rejection = {
  status: 403,
  code: 'forbidden',
  message:
    'Other machines reach this server, so its control API needs a token; start it with --control-token TOKEN.',
}

const wrongToken: Rejection = {
  status: 403,
  code: 'forbidden',
  message:
    'The control API needs the header Authorization: Bearer <token>, with the token of --control-token.',
}
