import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { type Rejection, sendRejection } from '../rejection.js'

/** To whom the control API answers. */
export interface AccessOptions {
  /** Whether only this machine reaches the server. */
  readonly loopback: boolean
  readonly token: string | undefined
}

/**
 * Whoever is not on this machine, or has been given a token to bring, must bring it; and a browser must not be
 * there on behalf of another site's page.
 */
export function createAccess({ loopback, token }: AccessOptions): RequestHandler {
  return (request, response, next) => {
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
    const allowed = token === undefined ? loopback : given === token
    if (!allowed) sendRejection(response, token === undefined ? noToken : wrongToken)
    else if (isForeign(request)) sendRejection(response, foreignPage)
    else next()
  }
}

/**
 * Whether a page of another origin is behind a request. Browsers name its origin with every request that is no
 * plain GET, `null` where they keep it to themselves, and newer ones say with all of them how near it is; no
 * page can have them say otherwise. What does not speak of it is no browser. A link may lead here from anywhere.
 */
function isForeign({ method, headers }: IncomingMessage): boolean {
  const { origin, host } = headers
  if (origin !== undefined && origin !== `http://${host}`) return true
  const site = headers['sec-fetch-site'] ?? 'none'
  const reading = method === 'GET' || method === 'HEAD'
  const followsLink = reading && headers['sec-fetch-mode'] === 'navigate'
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
  message: 'The control API is not for pages of other sites; ask it from a program, or from its own address.',
}
