import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { methodRejection } from './guards/method.js'
import { formatRejection, type Rejection } from './rejection.js'

/** The open connections of a server: what becomes of broken requests on them, and of all of them at the end. */
export class Connections {
  readonly #sockets = new Set<Duplex>()
  /** The latest answer begun on each connection. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>()

  /** Watches over a server's connections. */
  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    server.on('clientError', (error, socket) => this.#refuseBroken(error, socket))
    server.on('connect', ({ method }, socket) => refuseTunnel(method ?? 'CONNECT', socket))
  }

  /** Notes that a request is being answered. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#answers.set(request.socket, response)
  }

  /** Ends every connection. */
  end(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** What cannot be parsed is answered once, and after the answers to what came whole before it. */
  #refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
    const answer = this.#answers.get(socket)
    const whole = answer?.req.complete ?? true
    if (!socket.writable || (answer?.headersSent && !whole)) {
      socket.destroy()
      return
    }
    const refuse = (): void => void socket.end(rawAnswer(rejectionOf(error)))
    if (answer && whole && !answer.writableFinished) answer.once('finish', refuse)
    else refuse()
  }
}

function refuseTunnel(method: string, socket: Duplex): void {
  socket.on('error', () => undefined)
  socket.end(rawAnswer(methodRejection(method)), () => socket.destroy())
}

function rejectionOf({ code }: NodeJS.ErrnoException): Rejection {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = 'The target and the headers of the request are larger than this server reads.'
    return { status: 431, code: 'request_header_fields_too_large', message }
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, code: 'request_timeout', message: 'The request did not come to its end in time.' }
  }
  return { status: 400, code: 'malformed_request', message: 'This is not a well-formed HTTP/1.1 request.' }
}

function rawAnswer(rejection: Rejection): string {
  return formatRejection(rejection, STATUS_CODES[rejection.status] ?? '')
}
