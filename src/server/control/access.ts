import type { RequestHandler } from 'express'
import { type Rejection, sendRejection } from '../rejection.js'

/** To whom the control API answers. */
export interface AccessOptions {
  /** Whether only this machine reaches the server. */
  readonly loopback: boolean
  readonly token: string | undefined
}

/** Whoever is not on this machine, or has been given a token to bring, must bring it. */
export function createAccess({ loopback, token }: AccessOptions): RequestHandler {
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
