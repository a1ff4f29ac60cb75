import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'

/** An answer of the server itself, before or beside the simulated service. */
export interface Rejection {
  readonly status: number
  /** The stable name of the problem, e.g. `invalid_host`. */
  readonly code: string
  /** The problem and its remedy. */
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers a request with a rejection. */
export function sendRejection(response: ServerResponse, rejection: Rejection): void {
  discardBody(response.req)
  const body = bodyOf(rejection)
  response.writeHead(rejection.status, headersOf(rejection, body)).end(body)
}

/** Formats a rejection as a whole HTTP answer, for a connection that has no response to write to. */
export function formatRejection(rejection: Rejection, reason: string): string {
  const body = bodyOf(rejection)
  const headers = { ...headersOf(rejection, body), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${rejection.status} ${reason}\r\n${lines.join('')}\r\n${body}`
}

/** Answers a request on which the simulator itself failed. */
export type AnswerDefect = (error: unknown, request: IncomingMessage, response: ServerResponse) => void

/** Creates what answers such requests and reports the error to `onDefect`. */
export function createAnswerDefect(onDefect: (error: unknown, request: Request) => void): AnswerDefect {
  return (error, { method = 'GET', url, headers }, response) => {
    onDefect(error, new Request(`http://${headers.host}${url}`, { method }))
    if (response.headersSent) return void response.destroy()
    const message = 'The simulator failed; its log has the stack trace. Please report it.'
    sendRejection(response, { status: 500, code: 'simulator_defect', message })
  }
}

/** Bytes of an unwanted body that are read: clients often read no answer before they have sent everything. */
const maxDiscarded = 4_194_304

/** Reads and drops the rest of a request's body; destroys the connection of one that goes on. */
export function discardBody(request: IncomingMessage): void {
  let left = maxDiscarded
  // An earlier reader that gave up would hold the rest back if it stayed attached.
  request.removeAllListeners('data')
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.socket.destroy()
  })
  request.resume()
}

function bodyOf({ code, message }: Rejection): string {
  return JSON.stringify({ error: { code, message } })
}

function headersOf({ headers }: Rejection, body: string): Record<string, string> {
  const length = String(Buffer.byteLength(body))
  return { 'content-type': 'application/json', 'content-length': length, ...headers }
}

/** Checks a request before anything else sees it; returns the answer to one that is refused. */
export type Guard = (request: IncomingMessage) => Rejection | undefined

/** Returns the guards of every request, in order; see docs/decisions/0004. */
export function createGuards(names: HostNames): readonly Guard[] {
  return [guardMethod, createHostGuard(names), createTargetGuard(names), removePassthroughMark]
}

/** Returns the answer to a method that no part of the server takes. */
export function methodRejection(method: string): Rejection {
  return {
    status: 405,
    code: 'method_not_allowed',
    message: `${method} is not allowed here; the service takes GET and PATCH.`,
    headers: { allow: 'GET, PATCH' },
  }
}

/** Refuses TRACE, for which no `Request` can be created. */
const guardMethod: Guard = ({ method }) => (method === 'TRACE' ? methodRejection('TRACE') : undefined)

const hostForm = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d*)?$/i

/** Returns the name in a `Host` field, in lower case and without the port; undefined when it is malformed. */
export function parseHost(field: string): string | undefined {
  if (!hostForm.test(field) || !URL.canParse(`http://${field}`)) return undefined
  return new URL(`http://${field}`).hostname
}

/** The names of a server: a request for another name was led here by DNS rebinding. */
export class HostNames {
  readonly #names: ReadonlySet<string>

  /** `names` are allowed besides those of the loopback interface; ports are ignored. */
  constructor(names: readonly string[]) {
    this.#names = new Set(['localhost', '127.0.0.1', '[::1]', ...names])
  }

  /** Returns the answer to a request for a name that is not one of these. */
  reject(name: string): Rejection | undefined {
    if (this.#names.has(name)) return undefined
    const names = [...this.#names].join(', ')
    return {
      status: 421,
      code: 'misdirected_request',
      message: `This server is not ${name}, but one of ${names}; --allow-host ${name} adds it.`,
    }
  }
}

/** Refuses requests whose `Host` is missing, malformed or not one of the names. */
function createHostGuard(names: HostNames): Guard {
  return ({ headersDistinct }) => {
    const [field, ...further] = headersDistinct['host'] ?? []
    const name = field === undefined || further.length > 0 ? undefined : parseHost(field)
    if (name !== undefined) return names.reject(name)
    return { status: 400, code: 'invalid_host', message: 'The request needs one well-formed Host header.' }
  }
}

/**
 * Normalizes the target of a request to `/path?query`, so that everything after it sees the same path; refuses targets
 * that lead elsewhere. Runs after the guard of the `Host` header.
 */
function createTargetGuard(names: HostNames): Guard {
  return (request) => {
    const url = parseTarget(request.url ?? '', request.headers.host ?? '')
    if (!url) {
      const message = 'The request target must be a path such as /api/v1/webhooks.'
      return { status: 400, code: 'invalid_target', message }
    }
    const rejection = names.reject(url.hostname)
    if (rejection) return rejection
    request.headers.host = url.host
    request.url = `${url.pathname}${url.search}`
    return undefined
  }
}

/** Returns the URL of a target in origin form (`/path`) or absolute form (`http://host/path`). */
function parseTarget(target: string, host: string): URL | undefined {
  const whole = target.startsWith('/') ? `http://${host}${target}` : target
  if (!/^http:\/\//i.test(whole) || !URL.canParse(whole)) return undefined
  const url = new URL(whole)
  const credentials = url.username !== '' || url.password !== ''
  // A path that begins with two slashes would be read as the name of another host.
  return credentials || url.pathname.startsWith('//') ? undefined : url
}

const passthroughMark = 'msw/passthrough'

/**
 * Removes the mark with which MSW in a client's process lets a request through: it has arrived, and the middleware
 * here would not answer it.
 */
const removePassthroughMark: Guard = ({ headers }) => {
  const { accept } = headers
  if (!accept?.includes(passthroughMark)) return undefined
  const types = accept.split(',').filter((type) => !type.includes(passthroughMark))
  if (types.length > 0) headers.accept = types.join(',').trim()
  else delete headers.accept
  return undefined
}

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
