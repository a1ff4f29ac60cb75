import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { readMore } from '../../base/help.js'
import { isRead } from '../../service/operations/request.js'
import { uniqueMark } from '../../service/time/wall-time.js'
import type { ControlRoute, RequestInput } from '../controls/control.js'
import type { Rejection } from '../controls/errors.js'

/** Responds to a request with a rejection. */
export function sendRejection(response: ServerResponse, rejection: Rejection): void {
  discardBody(response.req)
  const body = bodyOf(rejection)
  response.writeHead(rejection.status, headersOf(rejection, body)).end(body)
}

/** Formats a rejection as a complete HTTP response, for a connection that has no response to write to. */
export function formatRejection(rejection: Rejection): string {
  const body = bodyOf(rejection)
  const headers = { ...headersOf(rejection, body), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${rejection.status} ${STATUS_CODES[rejection.status]}\r\n${lines.join('')}\r\n${body}`
}

/** Responds with 500 after a defect of the simulator, and reports the error to `onDefect`. */
export function answerDefect(
  error: unknown,
  { method = 'GET', url, headers }: IncomingMessage,
  response: ServerResponse,
  onDefect: (error: unknown, request: Request) => void,
): void {
  onDefect(error, new Request(`http://${headers.host}${url}`, { method }))
  if (response.headersSent) return void response.destroy()
  const message = 'The simulator failed; its log has the stack trace. Please report it.'
  sendRejection(response, { status: 500, code: 'simulator_defect', message })
}

/**
 * The maximum number of bytes of an unused body that are read: many clients read the response only after
 * sending the whole body.
 */
const maxDiscarded = 4_194_304

/** Reads and drops the rest of a request's body; destroys the connection if the body is too long. */
export function discardBody(request: IncomingMessage): void {
  let left = maxDiscarded
  // An earlier reader that has given up would retain the rest in memory if it stayed attached.
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

/** Checks a request before anything else handles it; returns a response if the request is refused. */
export type Guard = (request: IncomingMessage) => Rejection | undefined

/** The names of the loopback interface; a request for a name that no server has may have been sent here by DNS rebinding. */
const ownNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Creates the guard of every request: of its method, its `Host` and its target; see docs/decisions/README.md. `names` are the allowed
 * hosts in addition to those of the loopback interface; ports are ignored.
 */
export function createGuard(names: readonly string[]): Guard {
  const hosts = [...new Set([...ownNames, ...names])]
  return (request) => {
    // A `Request` cannot be created with it.
    if (request.method === 'TRACE') return methodRejection('TRACE')
    removePassthroughMark(request)
    return rejectHostField(request, hosts) ?? rejectTarget(request, hosts)
  }
}

/** Returns the response to a method that no part of the server supports. */
export function methodRejection(method: string): Rejection {
  return {
    status: 405,
    code: 'method_not_allowed',
    message: `${method} is not allowed here; the service supports GET and PATCH.`,
    headers: { allow: 'GET, PATCH' },
  }
}

const hostForm = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d*)?$/i

/** Returns the name in a `Host` field, in lower case and without the port; undefined if the field is malformed. */
export function parseHost(field: string): string | undefined {
  if (!hostForm.test(field) || !URL.canParse(`http://${field}`)) return undefined
  return new URL(`http://${field}`).hostname
}

/**
 * Returns a response if a request is for a host other than the allowed ones: names in lower case, or IPv6 addresses in brackets;
 * before a name, a dot stands for all names below it, too.
 */
function rejectHost(name: string, hosts: readonly string[]): Rejection | undefined {
  if (hosts.some((host) => host === name || (host.startsWith('.') && `.${name}`.endsWith(host))))
    return undefined
  return {
    status: 421,
    code: 'misdirected_request',
    message: `This server does not respond to the host ${name}, only to ${hosts.join(', ')}; --allow-host ${name} allows it.${readMore('misdirected-request')}`,
  }
}

/**
 * Refuses a request whose `Host` is missing, malformed or not an allowed one. Health checks come from load balancers, which name the
 * address of a machine or nothing; the response reveals nothing.
 */
function rejectHostField(
  { method = '', url = '', headers, headersDistinct }: IncomingMessage,
  hosts: readonly string[],
): Rejection | undefined {
  if (/^(GET|HEAD)$/.test(method) && /^\/_sim\/health(\?|$)/.test(url)) {
    headers.host = 'localhost'
    return undefined
  }
  const [field, ...further] = headersDistinct['host'] ?? []
  const name = field === undefined || further.length > 0 ? undefined : parseHost(field)
  if (name !== undefined) return rejectHost(name, hosts)
  return { status: 400, code: 'invalid_host', message: 'The request needs one well-formed Host header.' }
}

/**
 * Normalizes the target of a request to `/path?query`, so that all later code sees the same path, and refuses targets on other hosts.
 * The `Host` header has been checked.
 */
function rejectTarget(request: IncomingMessage, hosts: readonly string[]): Rejection | undefined {
  const url = parseTarget(request.url ?? '', request.headers.host ?? '')
  // The path could later be parsed as the name of another host.
  if (!url || url.pathname.startsWith('//')) {
    const message = url
      ? `The path begins with two slashes. Remove the trailing slash from the base URL.${readMore('wrong-path')}`
      : 'The request target must be a path such as /api/v1/webhooks.'
    return { status: 400, code: 'invalid_target', message }
  }
  const rejection = rejectHost(url.hostname, hosts)
  if (rejection) return rejection
  request.headers.host = url.host
  request.url = `${url.pathname}${url.search}`
  return undefined
}

/** Parses a target in origin form (`/path`) or absolute form (`http://host/path`); undefined if it is neither. */
function parseTarget(target: string, host: string): URL | undefined {
  const whole = target.startsWith('/') ? `http://${host}${target}` : target
  if (!/^http:\/\//i.test(whole) || !URL.canParse(whole)) return undefined
  const url = new URL(whole)
  const credentials = url.username !== '' || url.password !== ''
  return credentials ? undefined : url
}

const passthroughMark = 'msw/passthrough'

/**
 * Removes the mark that MSW adds in a client's process to a request that it lets through. The middleware here
 * would not respond to a request with this mark.
 */
function removePassthroughMark({ headers }: IncomingMessage): void {
  const { accept } = headers
  if (!accept?.includes(passthroughMark)) return
  const types = accept.split(',').filter((type) => !type.includes(passthroughMark))
  if (types.length > 0) headers.accept = types.join(',').trim()
  else delete headers.accept
}

/** Which clients may use the control API. */
export interface AccessOptions {
  /** The token that requests need; undefined if they need none. */
  readonly token: string | undefined
  /** What is left to an agent, and to programs without a token where none is needed; undefined if none is judged. */
  readonly agent?: AgentAccess | undefined
}

/** Returns whether a request has the token of the one who started the server. */
export function isOwner({ headers }: IncomingMessage, { token }: AccessOptions): boolean {
  return token !== undefined && tokenIn(headers) === token
}

function tokenIn({ authorization = '' }: IncomingMessage['headers']): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
}

/**
 * Returns the response to a request from a page of another site or, if there is a token, without it; health checks need
 * none. Undefined if it is allowed.
 */
export function rejectAccess(
  request: IncomingMessage & { readonly path: string; readonly method: string },
  options: AccessOptions,
): Rejection | undefined {
  const { token, agent } = options
  // Container health checks have no token, and the response reveals nothing.
  const isHealth = request.path === '/health' && /^(GET|HEAD)$/.test(request.method)
  const isAgent = agent !== undefined && tokenIn(request.headers) === agent.token
  const isAllowed = token === undefined || isHealth || isAgent || isOwner(request, options)
  if (!isAllowed) return noToken
  return isForeign(request) ? foreignPage : undefined
}

/**
 * Returns whether a page of another origin sent a request. Browsers send `Origin` with every request except a plain GET
 * (`null` if they hide it), and newer browsers send `Sec-Fetch-Site` with every request; no page can change that. Requests
 * without either header come from other programs. Links from any page are allowed.
 */
function isForeign({ method, headers }: IncomingMessage): boolean {
  const { origin, host } = headers
  // A proxy may have ended TLS.
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) return true
  const site = headers['sec-fetch-site'] ?? 'none'
  const followsLink = isRead({ method }) && headers['sec-fetch-mode'] === 'navigate'
  return site !== 'none' && site !== 'same-origin' && !followsLink
}

const noToken: Rejection = {
  status: 403,
  code: 'forbidden',
  message: `The control API needs the header Authorization: Bearer <token>, with the token of --control-token, which a server that other machines reach must be given.${readMore('control-token')}`,
}

const foreignPage: Rejection = {
  status: 403,
  code: 'foreign_origin',
  message:
    'Pages of other sites may not use the control API; call it from a program, or from a page of this server.',
}

/** What an agent that is judged may do with the control API: everything; what controls leave to agents; or nothing but ask its health. */
export type AgentControls = 'all' | 'some' | 'none'

/** The most different requests that are remembered as refused. */
const maxRefused = 100

/** The part of the control API that is left to an agent, which has a token of its own. */
export class AgentAccess {
  readonly token = uniqueMark()
  #controls: AgentControls
  readonly #refused = new Set<string>()

  constructor(controls: AgentControls) {
    this.#controls = controls
  }

  /** The requests that were refused, each once, such as `POST /_sim/reset`. */
  get refused(): readonly string[] {
    return [...this.#refused]
  }

  /** Leaves everything to everybody from now on: the agent has been judged. */
  end(): void {
    this.#controls = 'all'
  }

  /** Returns the response to a request for a control, or with an input, that is not left to the agent; undefined if it is. */
  refuse({ route, agents }: Pick<ControlRoute<never>, 'route' | 'agents'>, input?: RequestInput) {
    if (this.#controls === 'all' || route === 'GET /health') return undefined
    const isLeft = typeof agents === 'function' && input ? agents(input) : agents !== undefined
    if (this.#controls === 'some' && isLeft) return undefined
    const request = route.replace(' ', ' /_sim')
    if (this.#refused.size < maxRefused) this.#refused.add(request)
    const what = input && isLeft === false ? `${request} with this body` : request
    const message = `${what} is not left to the agent that is judged; --agent-controls all allows it.`
    return { status: 403, code: 'not_for_agents', message } satisfies Rejection
  }
}
