import type { IncomingMessage, ServerResponse } from 'node:http'

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
