const encoder = new TextEncoder()

/** The body of an answer. The journal keeps it, so it holds pieces that answers share rather than a copy of them. */
interface ReplyBody {
  bytes(): Uint8Array<ArrayBuffer>
  /** About how many bytes it keeps for itself; see `RecordedBody`. */
  readonly size?: number
}

/** An answer before it becomes a `Response`. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ReplyBody | null
}

const jsonHeaders = { 'content-type': 'application/json' }

/** A 200 with a resource that is JSON already. */
export function resourceReply(json: Uint8Array<ArrayBuffer>): Reply {
  return { status: 200, headers: jsonHeaders, body: { bytes: () => json, size: json.length } }
}

/** A 200 with one page of a list, whose rows are JSON already. @see interface 4.3, 4.4, 4.5 */
export function listReply(name: keyof typeof openings, rows: readonly Uint8Array[], total: number): Reply {
  const closing = `],"total":${total}}`
  const bytes = () => joinList(openings[name], rows, closing)
  return { status: 200, headers: jsonHeaders, body: { bytes, size: sizeOfRows(rows) } }
}

/** A JSON answer of any status. */
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

/** Small rows are shared by many answers; large ones count, since they may be gone from the mailbox. */
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

// Joined in one go, because this is most of what a list costs: see docs/decisions/0002.
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

/** Whether two answers are the same to a client: status, headers and every byte. */
export function sameReply(a: Reply, b: Reply): boolean {
  if (a.status !== b.status || !sameBytes(a.body?.bytes(), b.body?.bytes())) return false
  const fields = Object.entries(a.headers)
  const count = Object.keys(b.headers).length
  return fields.length === count && fields.every(([name, value]) => b.headers[name] === value)
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (!a || !b) return a === b
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** An answer as it is sent: its status, all its headers and its bytes. */
export interface SentReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null where there is no body. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
}

/** An answer as it is sent, with its length. */
export function sentReply({ status, headers, body }: Reply): SentReply {
  if (body === null) return { status, headers, bytes: null }
  const bytes = body.bytes()
  return { status, headers: { ...headers, 'content-length': String(bytes.length) }, bytes }
}

/** Returns what `fetch` reports of a connection that ends within a body. */
export function cutError(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { name: 'SocketError', code: 'UND_ERR_SOCKET' })
  return new TypeError('terminated', { cause })
}

/**
 * Returns an answer of which a client gets what a connection that was reset gives it. MSW itself has an error without a
 * code for that, which retry policies do not take for one; it passes on an error of Node's that looking at an answer
 * throws. Outside of Node the answer stays as it is.
 */
export function resetResponse(response: Response, { headers }: Request): Response {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  if (!process?.versions?.node) return response
  const reset = Object.assign(new Error('read ECONNRESET'), {
    errno: -104,
    code: 'ECONNRESET',
    syscall: 'read',
  })
  // What `node:http` sends names its host; with `fetch`, only the connection adds that.
  const error = headers.has('host') ? reset : failedFetch(reset)
  return Object.defineProperty(response, 'status', {
    get() {
      throw error
    },
  })
}

/** The error of `fetch` has neither of these two, by which MSW knows errors of Node; here they are there and undefined. */
function failedFetch(cause: Error): TypeError {
  const absent = { value: undefined, writable: true, configurable: true }
  return Object.defineProperties(new TypeError('fetch failed', { cause }), { code: absent, errno: absent })
}
