import type { Settle } from '../assumptions/settle.js'
import type { HeaderFields } from '../world/exchange.js'

const encoder = new TextEncoder()

/**
 * The body of a response. The journal retains it, so it refers to the rows that responses share instead of
 * copying them.
 */
interface ReplyBody {
  bytes(): Uint8Array<ArrayBuffer>
  /** Roughly how many bytes it does not share; see `RecordedBody`. */
  readonly size?: number
}

/** A response before it becomes a `Response`. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ReplyBody | null
}

const jsonHeaders = { 'content-type': 'application/json' }

/** Creates a 200 with a resource that is already encoded as JSON. */
export function resourceReply(json: Uint8Array<ArrayBuffer>): Reply {
  return { status: 200, headers: jsonHeaders, body: { bytes: () => json, size: json.length } }
}

/** Creates a 200 with a page of a list, whose rows are already encoded as JSON. @see interface 4.3, 4.4, 4.5 */
export function listReply(name: keyof typeof openings, rows: readonly Uint8Array[], total: number): Reply {
  const closing = `],"total":${total}}`
  const bytes = () => joinList(openings[name], rows, closing)
  return { status: 200, headers: jsonHeaders, body: { bytes, size: sizeOfRows(rows) } }
}

/** Creates a JSON response with any status. */
export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const text = JSON.stringify(value)
  return {
    status,
    headers: { ...jsonHeaders, ...headers },
    body: { bytes: () => encoder.encode(text), size: text.length },
  }
}

/** Returns the size of large rows only: small ones are shared, but large ones may no longer be in the mailbox. */
function sizeOfRows(rows: readonly Uint8Array[]): number {
  let size = rows.length * 8
  for (const row of rows) if (row.length > 4096) size += row.length
  return size
}

const openings = {
  threads: encoder.encode('{"threads":['),
  messages: encoder.encode('{"messages":['),
  webhooks: encoder.encode('{"webhooks":['),
}

const comma = 0x2c

// Joined in one pass, because this is most of the cost of a list: see docs/decisions/0002.
function joinList(
  opening: Uint8Array,
  rows: readonly Uint8Array[],
  closing: string,
): Uint8Array<ArrayBuffer> {
  let length = opening.length + Math.max(0, rows.length - 1) + closing.length
  for (const row of rows) length += row.length
  const bytes = new Uint8Array(length)
  bytes.set(opening)
  let offset = opening.length
  for (const row of rows) {
    if (offset > opening.length) bytes[offset++] = comma
    bytes.set(row, offset)
    offset += row.length
  }
  for (let at = 0; at < closing.length; at++) bytes[offset++] = closing.charCodeAt(at)
  return bytes
}

/** Adds the cross-origin headers if the request has an `Origin`. */
export function withCors(reply: Reply, request: HeaderFields, settle: Settle): Reply {
  if (!request.has('origin')) return reply
  const permissive: Readonly<Record<string, string>> = { 'access-control-allow-origin': '*' }
  const cors = settle('format.cors', { none: () => ({}), permissive: () => permissive }, 'certain')
  return { ...reply, headers: { ...reply.headers, ...cors } }
}

/** Returns whether two responses have the same status, headers and bytes. */
export function sameReply(a: Reply, b: Reply): boolean {
  if (a.status !== b.status || !sameBytes(a.body?.bytes(), b.body?.bytes())) return false
  const fields = Object.entries(a.headers)
  const count = Object.keys(b.headers).length
  return fields.length === count && fields.every(([name, value]) => b.headers[name] === value)
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (!a || !b) return a === b
  if (a.length !== b.length) return false
  // Not a function for each byte: files have millions, and nobody else is answered meanwhile.
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

/** A response ready to send: its status, all its headers and its bytes. */
export interface SentReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null if there is no body. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
}

/** Encodes a response for sending and adds its length. */
export function sentReply({ status, headers, body }: Reply): SentReply {
  if (body === null) return { status, headers, bytes: null }
  const bytes = body.bytes()
  return { status, headers: { ...headers, 'content-length': String(bytes.length) }, bytes }
}

/** Creates the error that `fetch` reports when a connection ends within a body. */
export function cutError(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { name: 'SocketError', code: 'UND_ERR_SOCKET' })
  return new TypeError('terminated', { cause })
}

/**
 * Turns a response into one that a client sees as a reset connection. MSW's own network error has no code, so
 * retry policies do not recognize it, but MSW forwards a Node error that is thrown when it reads the status.
 * Outside Node the response is unchanged.
 */
export function resetResponse(response: Response, { headers }: Request): Response {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  if (!process?.versions?.node) return response
  const reset = Object.assign(new Error('read ECONNRESET'), {
    errno: -104,
    code: 'ECONNRESET',
    syscall: 'read',
  })
  // Requests of `node:http` have a Host header already; those of `fetch` get it from the connection.
  const error = headers.has('host') ? reset : failedFetch(reset)
  return Object.defineProperty(response, 'status', {
    get() {
      throw error
    },
  })
}

/**
 * Creates the error of `fetch`. MSW recognizes Node's errors by these two properties, so they exist but are
 * undefined.
 */
function failedFetch(cause: Error): TypeError {
  const absent = { value: undefined, writable: true, configurable: true }
  return Object.defineProperties(new TypeError('fetch failed', { cause }), { code: absent, errno: absent })
}

/** The response to a client: the operation's, or what a fault made of it. */
export type Served = Reply | Response

/**
 * Returns whether a result is a `Reply`. Avoids `instanceof`, which would make Node load `Response` when it
 * is not used.
 */
export function isReply(served: Served): served is Reply {
  return !('ok' in served)
}
