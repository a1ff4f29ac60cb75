import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { bearerKey, type ServiceRequest } from '../../service/operations/request.js'
import { endingHeader } from '../../service/requests/faults.js'
import type { Service } from '../../service/requests/service.js'
import { formatHttpDate } from '../../service/time/time.js'
import { startPause } from '../../service/time/wall-time.js'
import type { HeaderFields } from '../../service/world/exchange.js'
import type { Rejection } from '../controls/errors.js'
import { formatRejection, methodRejection } from './guards.js'

/** The requests in progress on a server; responds to what is no request. */
export class Connections {
  readonly #server: Server
  /** The responses that are not complete. */
  readonly #open = new Set<ServerResponse>()
  /** The most recent response on each connection. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>()

  constructor(server: Server) {
    this.#server = server
    // Without it, Node ends a connection when the client has ended its side, before the response. Missing in
    // Node's types.
    Object.assign(server, { httpAllowHalfOpen: true })
    server.on('clientError', (error, socket) => this.#refuseBroken(error, socket))
    server.on('connect', ({ method }, socket) => refuseTunnel(method ?? 'CONNECT', socket))
  }

  /** Records that a request is in progress. */
  begin({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#answers.set(socket, response)
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
  }

  /** The number of requests in progress, without event streams. */
  get answering(): number {
    return this.#unfinished().length
  }

  /**
   * Refuses new connections, and ends idle ones. Resolves when every request that has arrived has got its response, or after
   * `timeoutMs`. Event streams are not waited for.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.#server.close()
    const limit = startPause(timeoutMs)
    const unfinished = this.#unfinished()
    for (const answer of unfinished) answer.shouldKeepAlive = false
    await Promise.race([Promise.all(unfinished.map((answer) => once(answer, 'close'))), limit.over])
    limit.end()
  }

  #unfinished(): ServerResponse[] {
    return [...this.#open].filter((answer) => {
      return !answer.writableFinished && answer.getHeader('content-type') !== 'text/event-stream'
    })
  }

  /**
   * Responds to a request that cannot be parsed, once and after the responses to earlier complete requests.
   */
  #refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
    const answer = this.#answers.get(socket)
    const complete = answer?.req.complete ?? true
    if (!socket.writable || (answer?.headersSent && !complete)) {
      socket.destroy()
      return
    }
    const refuse = (): void => void socket.end(formatRejection(rejectionOf(error)))
    if (answer && complete && !answer.writableFinished) answer.once('finish', refuse)
    else refuse()
  }
}

/**
 * Returns whether the client is certainly waiting for the response: a client that has ended its side of the
 * connection may still be reading, or may be gone.
 */
export function isAwaited({ socket }: IncomingMessage): boolean {
  return !socket.destroyed && !socket.readableEnded
}

function refuseTunnel(method: string, socket: Duplex): void {
  socket.on('error', () => undefined)
  socket.end(formatRejection(methodRejection(method)), () => socket.destroy())
}

function rejectionOf({ code }: NodeJS.ErrnoException): Rejection {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = 'The target and the headers of the request are too large.'
    return { status: 431, code: 'request_header_fields_too_large', message }
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, code: 'request_timeout', message: 'The request was not complete in time.' }
  }
  return { status: 400, code: 'malformed_request', message: 'This is not a well-formed HTTP/1.1 request.' }
}

/**
 * Makes a connection end as a fault requires: cut off within the body, or reset before it. The middleware only passes on
 * status, headers and body, so the handlers say this in a header, which is removed here.
 */
export function applyConnectionFault(response: ServerResponse): void {
  const append = response.appendHeader.bind(response)
  response.appendHeader = (name, value) => {
    if (name.toLowerCase() !== endingHeader) return append(name, value)
    if (value === 'reset') resetAtEnd(response)
    else cutAtEnd(response)
    return response
  }
}

function resetAtEnd(response: ServerResponse): void {
  response.end = () => {
    response.socket?.resetAndDestroy()
    return response
  }
}

/** Sends what was written, and then closes the connection before the announced content length is reached. */
function cutAtEnd(response: ServerResponse): void {
  response.end = () => {
    response.flushHeaders()
    response.socket?.end(() => response.destroy())
    return response
  }
}

/** Converts a request for the handlers, without its body; the guards have made sure that it has a `Host` and a path. */
export function readRequest(request: IncomingMessage): ServiceRequest {
  const { method = 'GET', url, headers } = request
  return {
    method,
    url: `http://${headers.host}${url}`,
    headers: new IncomingFields(headers),
    // Only the state at this moment: if the client disconnects later, its response is dropped.
    get signal() {
      return isAwaited(request) ? new AbortController().signal : AbortSignal.abort()
    },
    clone: () => ({ body: null }),
  }
}

/** Returns the time of a request's world, which a response of the service carries as its date. */
export function dateFor(service: Service, request: ServiceRequest): string {
  return formatHttpDate(service.worlds.find(bearerKey(request)).world.clock.now())
}

/** Header fields with the methods of `Headers`; creating a `Headers` costs more than all look-ups in it. */
class IncomingFields implements HeaderFields {
  readonly #headers: IncomingHttpHeaders

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers
  }

  get(name: string): string | null {
    const value = this.#headers[name.toLowerCase()]
    return value === undefined ? null : String(value)
  }

  has(name: string): boolean {
    return this.#headers[name.toLowerCase()] !== undefined
  }

  *[Symbol.iterator](): IterableIterator<readonly [string, string]> {
    for (const name of Object.keys(this.#headers).sort()) yield [name, String(this.#headers[name])]
  }
}
