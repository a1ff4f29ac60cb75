import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { Server as Listener } from 'node:net'
import type { Duplex } from 'node:stream'
import { endingHeader } from '../handlers/index.js'
import { startPause } from '../world/index.js'
import { formatRejection, type Guard, methodRejection, type Rejection } from './guards.js'

/** Milliseconds in which requests arrive that were sent before anybody could know that the server stops. */
const onTheirWay = 100

/** The open connections of a server: answers broken requests on them, drains them, and ends all of them when it closes. */
export class Connections {
  readonly #server: Server
  readonly #sockets = new Set<Duplex>()
  /** The latest answer begun on each connection. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>()
  #draining = false

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    server.on('clientError', (error, socket) => this.#refuseBroken(error, socket))
    server.on('connect', ({ method }, socket) => refuseTunnel(method ?? 'CONNECT', socket))
  }

  /** Records that a request is being answered. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#answers.set(request.socket, response)
    if (this.#draining) response.shouldKeepAlive = false
  }

  /** Answers, while connections are drained, that this server is well no more. */
  readonly guardHealth: Guard = ({ url = '' }) => {
    if (!this.#draining || !/^\/_sim\/health(\?|$)/.test(url)) return undefined
    const message = 'This server is being stopped: it finishes what it has begun.'
    return { status: 503, code: 'stopping', message, headers: { 'retry-after': '1' } }
  }

  /**
   * Refuses new connections, and resolves once every request on the open ones has its answer, which ends its connection,
   * or so many milliseconds later. Nobody waits for streams of events.
   */
  async drain(longest: number): Promise<void> {
    this.#draining = true
    // Not its own `close`, which ends idle connections at once: the next request may be on its way there.
    Listener.prototype.close.call(this.#server)
    if (this.#sockets.size === 0) return
    for (const answer of this.#unfinished()) answer.shouldKeepAlive = false
    const limit = startPause(longest)
    await Promise.race([this.#finished(), limit.over])
    limit.end()
  }

  async #finished(): Promise<void> {
    await startPause(onTheirWay).over
    for (let left = this.#unfinished(); left.length > 0; left = this.#unfinished()) {
      await Promise.all(left.map((answer) => new Promise((resolve) => answer.once('close', resolve))))
    }
  }

  #unfinished(): ServerResponse[] {
    return [...this.#sockets].flatMap((socket) => {
      const answer = this.#answers.get(socket)
      const isOver =
        !answer || answer.writableFinished || answer.getHeader('content-type') === 'text/event-stream'
      return isOver ? [] : [answer]
    })
  }

  /** Ends every connection. */
  end(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Answers a request that cannot be parsed once, and after the answers to the complete requests before it. */
  #refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
    const answer = this.#answers.get(socket)
    const complete = answer?.req.complete ?? true
    if (!socket.writable || (answer?.headersSent && !complete)) {
      socket.destroy()
      return
    }
    const refuse = (): void => void socket.end(rawAnswer(rejectionOf(error)))
    if (answer && complete && !answer.writableFinished) answer.once('finish', refuse)
    else refuse()
  }
}

/** Whether somebody still waits for the answer to a request. */
export function isAwaited({ socket }: IncomingMessage): boolean {
  return !socket.destroyed && !socket.readableEnded
}

function refuseTunnel(method: string, socket: Duplex): void {
  socket.on('error', () => undefined)
  socket.end(rawAnswer(methodRejection(method)), () => socket.destroy())
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

function rawAnswer(rejection: Rejection): string {
  return formatRejection(rejection, STATUS_CODES[rejection.status] ?? '')
}

/**
 * Makes an answer end as a fault says: cut off within its body, or reset before it. The middleware passes on status,
 * headers and body only, so the answer carries this in a header, which is not sent.
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

/** What was written is still sent; then the connection closes, short of the length that the answer promised. */
function cutAtEnd(response: ServerResponse): void {
  response.end = () => {
    response.flushHeaders()
    response.socket?.end(() => response.destroy())
    return response
  }
}
