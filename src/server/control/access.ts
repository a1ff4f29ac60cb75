import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { type Rejection, sendRejection } from '../rejection.js'

/** The clients that may use the control API. */
export interface AccessOptions {
  /** Whether only this machine reaches the server. */
  readonly loopback: boolean
  readonly token: string | undefined
}

/**
 * Refuses requests of foreign pages, and, where there is a token or other machines reach the server, those without the
 * token; health needs none.
 */
export function createAccessCheck({ loopback, token }: AccessOptions): RequestHandler {
  return (request, response, next) => {
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
    // What watches containers has no token, and learns nothing by this.
    const isHealth = request.path === '/health' && /^(GET|HEAD)$/.test(request.method)
    const allowed = isHealth || (token === undefined ? loopback : given === token)
    if (!allowed) sendRejection(response, token === undefined ? noToken : wrongToken)
    else if (isForeign(request)) sendRejection(response, foreignPage)
    else next()
  }
}

/**
 * Tells whether a page of another origin sent a request. Browsers send `Origin` with everything but a plain GET (`null`
 * where they hide it), newer ones `Sec-Fetch-Site` with every request, and no page can change that. Requests without
 * either come from other programs. Links may lead here from anywhere.
 */
function isForeign({ method, headers }: IncomingMessage): boolean {
  const { origin, host } = headers
  if (origin !== undefined && origin !== `http://${host}`) return true
  const site = headers['sec-fetch-site'] ?? 'none'
  const isRead = method === 'GET' || method === 'HEAD'
  const followsLink = isRead && headers['sec-fetch-mode'] === 'navigate'
  return site !== 'none' && site !== 'same-origin' && !followsLink
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

const foreignPage: Rejection = {
  status: 403,
  code: 'foreign_origin',
  message:
    'Pages of other sites may not use the control API; call it from a program, or from its own address.',
}
