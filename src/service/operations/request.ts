import { piecesOf, readPieces } from '../../base/bytes.js'
import { readMore } from '../../base/help.js'
import { expectedOneOf, shorten } from '../../base/text.js'
import type { AnyOperationName } from '../../contract/operations.js'
import type { Settle } from '../assumptions/settle.js'
import { WorldError } from '../model/errors.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { Renderer } from '../rendering/renderer.js'
import type { HeaderFields, RecordedExchange } from '../world/exchange.js'
import type { World } from '../world/world.js'
import type { Destination } from '../world/worlds.js'
import type { Reply } from './reply.js'
import { RequestError, reject } from './request-error.js'

/** The parts of a `Request` that the service reads. */
export interface ServiceRequest {
  readonly method: string
  readonly url: string
  readonly headers: HeaderFields
  readonly signal: AbortSignal
  /** Returns a copy with its own body, so that the original body stays unread. */
  clone(): { readonly body: ReadableStream<Uint8Array> | null }
  /** What carries it, if that is not HTTP: a call of a tool. */
  readonly via?: 'mcp'
}

/** Returns whether the method of a request only reads. @see RFC 9110, 9.2.1 */
export function isRead({ method }: { readonly method?: string | undefined }): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Returns the request of an exchange, as it was received, with the body that was read. */
export function requestOf(recorded: RecordedExchange): ServiceRequest {
  const { method, base, path, search, requestHeaders, requestBody, requestBytes } = recorded
  return {
    method,
    url: `${base}${path}${search}`,
    headers: requestHeaders,
    signal: new AbortController().signal,
    clone: () => new Response(requestBody ?? requestBytes),
  }
}

/** Returns the key of `Authorization: Bearer <key>`; undefined when the header is missing or has another form. */
export function bearerKey({ headers }: Pick<ServiceRequest, 'headers'>): string | undefined {
  const header = headers.get('authorization')
  return header === null ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1]
}

/** Returns a request as a `Request`, without its body. */
export function asRequest(request: ServiceRequest): Request {
  if (request instanceof Request) return request
  const { url, method, headers } = request
  return new Request(url, { method, headers: [...headers] as [string, string][] })
}

/** The base URL of the simulated service. */
export interface BaseUrl {
  /** Undefined if any origin matches. */
  readonly origin: string | undefined
  /** The path before `/api/v1`, without a trailing slash. */
  readonly prefix: string
  /** The base URL in MSW's notation. */
  readonly pattern: string
}

/** Where the service is simulated by default, and the base of links if it is simulated at any origin. */
export const defaultBaseUrl = 'http://mailbox.test'

/** Parses a base URL, or `*` for any origin. @throws TypeError when it is neither */
export function parseBaseUrl(baseUrl: string): BaseUrl {
  if (baseUrl === '*') return { origin: undefined, prefix: '', pattern: '*' }
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
    throw new TypeError(`baseUrl "${baseUrl}" is neither "*" nor an http(s) URL such as ${defaultBaseUrl}.`)
  }
  const url = new URL(baseUrl)
  const prefix = url.pathname.replace(/\/+$/, '')
  if (prefix.endsWith('/api/v1')) {
    const right = `${url.origin}${prefix.slice(0, -'/api/v1'.length)}`
    throw new TypeError(`baseUrl "${baseUrl}" must end before /api/v1: "${right}".`)
  }
  return { origin: url.origin, prefix, pattern: `${url.origin}${prefix}` }
}

/** The URL of a request, relative to the base URL. */
export interface RequestUrl {
  /** The path below the base URL, e.g. `/api/v1/webhooks`. */
  readonly path: string
  /** The address below which stored files are served. */
  readonly base: string
  /** The query with its `?`, or an empty string. */
  readonly search: string
}

/** Parses a request's URL relative to the base URL; undefined when it is not below it. */
export function parseRequestUrl(text: string, { origin, prefix }: BaseUrl): RequestUrl | undefined {
  const url = new URL(text)
  if (origin !== undefined && url.origin !== origin) return undefined
  if (!url.pathname.startsWith(`${prefix}/`)) return undefined
  return { path: url.pathname.slice(prefix.length), base: `${url.origin}${prefix}`, search: url.search }
}

/** Decodes a part of a path; undefined if it is not valid percent-encoding. */
export function decodePart(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/** The maximum size of a body in bytes that is accepted: the larger assumption of `limits.body-size`. */
export const maximumBodySize = 1_048_576

/** The body of a request, which is read at most once. */
export class RequestBody {
  readonly #request: ServiceRequest
  #reading: Promise<Uint8Array> | undefined
  #read: Uint8Array | undefined

  constructor(request: ServiceRequest) {
    this.#request = request
  }

  /** The number of bytes that `Content-Length` declares; 0 without that header. */
  get declaredLength(): number {
    return Number(this.#request.headers.get('content-length'))
  }

  /** Reads the bytes; stops soon after `maximumBodySize` if there are more. @throws RequestError */
  async bytes(): Promise<Uint8Array> {
    // Of a clone, so that listeners to MSW's events still find the original unread.
    this.#reading ??= readPieces(piecesOf(this.#request.clone().body), {
      most: maximumBodySize,
      failed: () => reject('The body ended before it was complete.'),
    })
    this.#read = await this.#reading
    return this.#read
  }

  /** The text that was read; null if nothing was read, or if it is too large or not UTF-8. */
  get text(): string | null {
    if (!this.#read || this.#read.length === 0 || this.#read.length > maximumBodySize) return null
    return decodeUtf8(this.#read) ?? null
  }

  /** The bytes that were read if they are not text; undefined if nothing was read, or too much. */
  get binary(): Uint8Array<ArrayBuffer> | undefined {
    if (!this.#read || this.#read.length > maximumBodySize || this.text !== null) return undefined
    return this.#read as Uint8Array<ArrayBuffer>
  }
}

/** Decodes UTF-8; undefined when the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A received request, with the world it selects and the resolver that handles it. */
export interface ReceivedRequest {
  readonly request: ServiceRequest
  readonly url: RequestUrl
  readonly body: RequestBody
  /** The bearer key. */
  readonly key: string | undefined
  /** The world that the key selects, and the organization in it. */
  readonly selected: Destination
  /** The generation of that world when the request arrived; a reset begins a new one. */
  readonly generation: number
  readonly resolver: Resolver
}

/** The context of one evaluation of a request. */
export interface RequestContext extends Omit<ReceivedRequest, 'generation' | 'resolver'> {
  readonly settle: Settle
  readonly render: Renderer
  /** The rows of the world; in a rehearsal also those that it has added, by id. */
  readonly store: MailboxStore
  /** Applies a command to the world; in a rehearsal, only returns the result that it would have. */
  readonly apply: World['apply']
  /** Whether this evaluation only tests whether another assumption makes a difference, and must not change anything. */
  readonly rehearsal: boolean
  /** In a rehearsal of a request with which an extension changed the world: its response. */
  readonly answered: Reply | undefined
  /** The operation, once it is known; null if the request is for none. */
  operation: AnyOperationName | null
  /** Likely mistakes of the client that the response hides, since the assumptions in force allow them. */
  readonly hints: Set<string>
  /** The numbers of the commands that it has applied. */
  readonly commands: number[]
  /**
   * The number of the command that keeps the response it got, which is that of an earlier request with its
   * `Idempotency-Key`.
   */
  replayed: number | undefined
}

/** Returns the hint about a part of a request that had no effect. */
export function ignoredHint(
  what: 'field' | 'query parameter',
  name: string,
  known: readonly string[],
): string {
  return `The ${what} "${shorten(name)}" was ignored${expectedOneOf(name, known, '.')}${readMore('ignored-field')}`
}

/** Handles one kind of request. @throws RequestError */
export type Resolver = (context: RequestContext) => Reply | Promise<Reply>

/**
 * Returns the `apply` of a request, which adds the numbers of its commands to `applied`, and refuses commands once its
 * world was reset. @throws RequestError
 */
export function applyWithin(generation: number, world: World, applied: number[]): World['apply'] {
  return (command) => {
    checkGeneration(generation, world)
    try {
      return world.apply(command, applied)
    } catch (error) {
      if (!(error instanceof WorldError) || error.code !== 'world-full') throw error
      throw new RequestError('world-full', error.message)
    }
  }
}

/** Refuses a request that was in flight when its world was reset: it must not change the new state. @throws RequestError */
export function checkGeneration(generation: number, world: World): void {
  if (world.generation === generation) return
  const message = `The world was ${world.closed ? 'closed' : 'reset or restored'} while this request was in progress.`
  throw new RequestError('disturbed', message, { status: 503 })
}
