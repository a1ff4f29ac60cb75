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
export function listReply(
  name: 'threads' | 'messages' | 'webhooks',
  rows: readonly Uint8Array[],
  total: number,
): Reply {
  const bytes = () => joinRows(`{"${name}":[`, rows, `],"total":${total}}`)
  return { status: 200, headers: jsonHeaders, body: { bytes, size: sizeOfRows(rows) } }
}

/** Joins rows with commas, between two texts. Rows are encoded once, because that is most of the cost of a list. */
function joinRows(before: string, rows: readonly Uint8Array[], after: string): Uint8Array<ArrayBuffer> {
  const [opening, closing] = [encoder.encode(before), encoder.encode(after)]
  const commas = Math.max(0, rows.length - 1)
  const length = rows.reduce((sum, row) => sum + row.length, opening.length + commas + closing.length)
  // Commas are what the rows leave free.
  const bytes = new Uint8Array(length).fill(0x2c)
  let at = opening.length
  bytes.set(opening)
  for (const row of rows) {
    bytes.set(row, at)
    at += row.length + 1
  }
  bytes.set(closing, length - closing.length)
  return bytes
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
interface SentReply {
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

/** Returns the next bytes of a body, at least one, or undefined at its end. Throws what the client sees as an error. */
export type NextBytes = (cancelled: AbortSignal) => Promise<Uint8Array | undefined>

/**
 * Creates the body of a response, whose bytes come from what `start` returns. MSW keeps a clone of every
 * response for listeners, which seldom read it, and according to the standard a cancelled body waits until
 * its clone is cancelled as well (mswjs/interceptors#712): an SDK that discards the body of a 503 before a
 * retry would wait forever. Therefore, a clone of this body starts from the beginning and is independent.
 */
export function streamBody(start: () => NextBytes): ReadableStream<Uint8Array<ArrayBuffer>> {
  let next: NextBytes | undefined
  const cancelled = new AbortController()
  const body = new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      next ??= start()
      const bytes = await next(cancelled.signal)
      if (cancelled.signal.aborted) return
      // Copied, because a stream takes the memory of what it is given.
      if (bytes) return controller.enqueue(bytes.slice())
      controller.close()
      controller.byobRequest?.respond(0)
    },
    cancel: () => cancelled.abort(),
  })
  const teeFromHere = body.tee.bind(body)
  body.tee = () => {
    if (next) return teeFromHere()
    // A stream that was split can no longer be read itself.
    body.getReader()
    return [streamBody(start), streamBody(start)]
  }
  return body
}

/** Creates the body of a response from bytes. */
export function bytesBody(bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  return streamBody(() => {
    let rest: Uint8Array | undefined = bytes
    return async () => {
      const all = rest
      rest = undefined
      return all?.length ? all : undefined
    }
  })
}
