import type { ServerResponse } from 'node:http'
import { discardBody } from './unread-body.js'

/** An answer the server gives by itself, before or beside the simulated service. */
export interface Rejection {
  readonly status: number
  /** The frozen name of what is wrong, e.g. `invalid_host`. */
  readonly code: string
  /** What is wrong and what to do. */
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers a request with a rejection. */
export function sendRejection(response: ServerResponse, rejection: Rejection): void {
  discardBody(response.req)
  const body = bodyOf(rejection)
  response.writeHead(rejection.status, headersOf(rejection, body)).end(body)
}

/** A rejection as the text of a whole HTTP answer, for a connection that has no response to write to. */
export function formatRejection(rejection: Rejection, reason: string): string {
  const body = bodyOf(rejection)
  const headers = { ...headersOf(rejection, body), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${rejection.status} ${reason}\r\n${lines.join('')}\r\n${body}`
}

function bodyOf({ code, message }: Rejection): string {
  return JSON.stringify({ error: { code, message } })
}

function headersOf({ headers }: Rejection, body: string): Record<string, string> {
  const length = String(Buffer.byteLength(body))
  return { 'content-type': 'application/json', 'content-length': length, ...headers }
}
