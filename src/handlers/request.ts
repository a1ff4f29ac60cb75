import type { AnyOperationName } from '../contract/operations.js'
import type { Destination, HeaderFields, Renderer, Settle, World } from '../world/index.js'
import type { Reply } from './reply.js'
import { reject } from './request-error.js'

/** What the service reads of a request; a `Request` has it all. */
export interface ServiceRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderFields
  readonly signal: AbortSignal
  /** For its body, which the original keeps. */
  clone(): { readonly body: ReadableStream<Uint8Array> | null }
}

/** A request as a `Request`, without its body. */
export function asRequest(request: ServiceRequest): Request {
  if (request instanceof Request) return request
  const { url, method, headers } = request
  return new Request(url, { method, headers: [...headers] as [string, string][] })
}

/** Where the service is simulated. */
export interface BaseUrl {
  /** Undefined where any origin will do. */
  readonly origin: string | undefined
  /** Path before `/api/v1`, without a trailing slash. */
  readonly prefix: string
  /** As MSW shows it before a handler's path. */
  readonly pattern: string
}

/** Reads a base URL; `*` stands for any origin. @throws TypeError when it is neither. */
export function parseBaseUrl(baseUrl: string): BaseUrl {
  if (baseUrl === '*') return { origin: undefined, prefix: '', pattern: '*' }
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
    throw new TypeError(`baseUrl "${baseUrl}" is neither "*" nor an http(s) URL such as http://mailbox.test.`)
  }
  const url = new URL(baseUrl)
  const prefix = url.pathname.replace(/\/+$/, '')
  return { origin: url.origin, prefix, pattern: `${url.origin}${prefix}` }
}

/** The URL of a request, as seen from the base URL. */
export interface RequestUrl {
  /** Path below the base URL, e.g. `/api/v1/webhooks`. */
  readonly path: string
  /** The address below which stored files are served. */
  readonly base: string
  /** The query with its `?`, or nothing. */
  readonly search: string
}

/** Reads a request's URL from the base URL on; undefined when it lies elsewhere. */
export function parseRequestUrl(text: string, { origin, prefix }: BaseUrl): RequestUrl | undefined {
  const url = new URL(text)
  if (origin !== undefined && url.origin !== origin) return undefined
  if (!url.pathname.startsWith(`${prefix}/`)) return undefined
  return { path: url.pathname.slice(prefix.length), base: `${url.origin}${prefix}`, search: url.search }
}

/** Bytes of a body that are read at most: the larger reading of `limits.body-size`. */
export const maximumBodySize = 1_048_576

/** The body of a request, read at most once however often it is asked for. */
export class RequestBody {
  readonly #request: ServiceRequest
  #reading: Promise<Uint8Array> | undefined
  #read: Uint8Array | undefined

  constructor(request: ServiceRequest) {
    this.#request = request
  }

  /** The number of bytes that `Content-Length` declares; 0 where it declares none. */
  get declaredLength(): number {
    return Number(this.#request.headers.get('content-length'))
  }

  /** The bytes; of a body that is larger than the maximum, some more than that. @throws RequestError */
  async bytes(): Promise<Uint8Array> {
    this.#reading ??= readAtMost(maximumBodySize, this.#request)
    this.#read = await this.#reading
    return this.#read
  }

  /** The text that was read so far; null where nothing was read, or it is too large or no text. */
  get text(): string | null {
    if (!this.#read || this.#read.length === 0 || this.#read.length > maximumBodySize) return null
    return decodeUtf8(this.#read) ?? null
  }
}

/** Reads a clone, so that listeners of MSW's events still find the request unread. */
async function readAtMost(limit: number, request: ServiceRequest): Promise<Uint8Array> {
  const reader = request.clone().body?.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (reader && length <= limit) {
    const { done, value } = await reader.read().catch(() => reject('The body ended before it was complete.'))
    if (done) break
    chunks.push(value)
    length += value.length
  }
  if (length > limit) void reader?.cancel().catch(() => undefined)
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** The text of UTF-8 bytes; undefined where they are none. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A request that was received: where it leads, and what answers it. */
export interface ReceivedRequest {
  readonly request: ServiceRequest
  readonly url: RequestUrl
  readonly body: RequestBody
  /** The bearer key. */
  readonly key: string | undefined
  /** The world that the key selects, and the organization in it. */
  readonly selected: Destination
  /** The generation of that world when the request came: resets begin another. */
  readonly generation: number
  readonly resolver: Resolver
}

/** One evaluation of a request: what is known before an operation takes it. */
export interface RequestContext extends Omit<ReceivedRequest, 'generation' | 'resolver'> {
  readonly settle: Settle
  readonly render: Renderer
  /** Changes the world by a command, or, in a rehearsal, only gives what the command would give. */
  readonly apply: World['apply']
  /** Evaluated only to see whether another reading makes a difference: nothing may change. */
  readonly rehearsal: boolean
  /** The operation, once it is known; null where the request is for none. */
  operation: AnyOperationName | null
  /** Whether an extension changed the world, which it cannot do once more. */
  changes: boolean
}

/** Answers one kind of request. @throws RequestError */
export type Resolver = (context: RequestContext) => Reply | Promise<Reply>
