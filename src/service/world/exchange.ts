import { isText } from '../../base/text.js'
import type { AnyOperationName } from '../../contract/operations.js'
import { fromBase64, toBase64 } from '../../mail/transfer-encoding.js'
import type { Reliance } from '../assumptions/settle.js'
import type { Fault } from '../faults/fault.js'
import type { Masker } from '../record/masker.js'
import { formatInstant } from '../time/time.js'

/** The header fields of a request, such as `Headers`: names match in any case and are listed in lower case. */
export interface HeaderFields extends Iterable<readonly [name: string, value: string]> {
  get(name: string): string | null
  has(name: string): boolean
}

/** A request and its response, as users see them. */
export interface Exchange {
  readonly seq: number
  /** The world's time, ISO 8601. */
  readonly at: string
  readonly world: string
  /** Null if the request matches no operation. */
  readonly operation: AnyOperationName | null
  readonly method: string
  readonly path: string
  /** Values by name; a list if a name occurs more than once. */
  readonly query: Readonly<Record<string, string | string[]>>
  /** 0 if the simulator did not respond, because it does not serve the path. */
  readonly status: number
  /** The wall time until the response, in milliseconds. */
  readonly duration_ms: number
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null }
  /** The body is null if there is none, or if it is not text. */
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null }
  readonly reliances: readonly Reliance[]
  /** The fault rule that disturbed the response, with its id. */
  readonly fault: RecordedFault | null
  /**
   * The number of the earlier exchange with the same `Idempotency-Key` whose response it got; 0 if that is no
   * longer in the journal, null if the response was its own.
   */
  readonly replayed: number | null
  /** Likely mistakes of the client that the response hides, since the assumptions in force allow them. */
  readonly hints: readonly string[]
  /** The operation that is closest to an unmatched request, and why it did not match. */
  readonly near_miss: string | null
  /** `mcp` if the request was a call of a tool; absent otherwise. */
  readonly via?: 'mcp'
  /** Which start of the agent's program sent the request, counted from 1; absent where a story never starts it again. */
  readonly start?: number
}

/** An exchange without headers and bodies. */
type ExchangeFacts = Omit<Exchange, 'request' | 'response'>

/** An exchange without the headers and the body of the response, which is much cheaper to render. */
export type ExchangeWithRequest = Omit<Exchange, 'response'>

/** A fault rule in an exchange. */
export type RecordedFault = Fault & { readonly id: string }

/** An exchange as it is recorded; nothing is copied, masked or truncated before it is read. */
export interface RecordedExchange {
  readonly at: number
  readonly operation: AnyOperationName | null
  readonly method: string
  /** The part of the request's URL before the path, e.g. `http://mailbox.test`. */
  readonly base: string
  readonly path: string
  readonly search: string
  readonly status: number
  readonly durationMs: number
  /** When the request arrived, in milliseconds on the machine's monotonic clock, if known. */
  readonly receivedMs?: number
  readonly requestHeaders: HeaderFields
  readonly requestBody: string | null
  /** The body of the request if it is not text, such as a form with a picture; it is not shown. */
  readonly requestBytes?: Uint8Array<ArrayBuffer> | undefined
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: RecordedBody | null
  readonly reliances: readonly Reliance[]
  readonly fault: RecordedFault | null
  /** Likely mistakes of the client that the response hides. */
  readonly hints?: readonly string[] | undefined
  /** The numbers of the commands that the request applied. */
  readonly commands?: readonly number[]
  /** Returns the number of the exchange whose response it got; absent if the response was its own. */
  readonly replayed?: (() => number) | undefined
  readonly nearMiss: string | null
  /** What carried the request, if that was not HTTP. */
  readonly via?: 'mcp' | undefined
  /** Which start of the agent's program sent the request, if the story starts it more than once. */
  readonly start?: number | undefined
}

/** The body of a response, assembled when it is read. */
export interface RecordedBody {
  bytes(): Uint8Array
  /** The memory it takes, in estimated bytes, without the parts that responses share. */
  readonly size?: number
}

/** Options for showing exchanges. */
export interface ShowingOptions {
  readonly world: string
  readonly masker: Masker
  /** The number of characters of a body that are shown. */
  readonly bodyCharacters: number
}

/** Returns the text of a body, masked and truncated. */
export function showBody(body: string | null, { masker, bodyCharacters }: ShowingOptions): string | null {
  if (body === null) return null
  const { text, length } = maskedAndCut(body, masker, bodyCharacters)
  return text.length < length ? `${text}…` : text
}

/** Characters after the cut that are masked as well, so that no part of a key remains before it. */
const longestSecret = 4096

/**
 * Masks the beginning of a text, whose cost does not depend on its length, and truncates it without splitting a surrogate
 * pair; returns the length of the whole text as well.
 */
function maskedAndCut(text: string, masker: Masker, characters: number) {
  const begin = text.slice(0, characters + longestSecret)
  const isLong = begin.length < text.length
  const masked = masker.text(begin)
  // The last characters may be part of a key, unless they were masked.
  let doubtful = 0
  if (isLong)
    while (doubtful < longestSecret && masked.at(-1 - doubtful) === begin.at(-1 - doubtful)) doubtful++
  const whole = masked.slice(0, masked.length - doubtful)
  const cut = whole.slice(0, characters)
  const splitsPair = (isLong || cut.length < whole.length) && /[\ud800-\udbff]$/.test(cut)
  return { text: splitsPair ? cut.slice(0, -1) : cut, length: isLong ? text.length : masked.length }
}

/** Returns whether the client got nothing of a response, since a fault broke the connection. */
function isLost({ status, fault }: Pick<RecordedExchange, 'status' | 'fault'>): boolean {
  return status === 0 || fault?.reset === true
}

/** Returns what the client got as the body of a response: its number of bytes, and its text, empty if it is not text. */
export function servedBody(recorded: RecordedExchange): { readonly bytes: number; readonly text: string } {
  const isServed = !isLost(recorded) && recorded.method !== 'HEAD'
  const bytes = isServed ? recorded.responseBody?.bytes() : undefined
  if (!bytes) return { bytes: 0, text: '' }
  const text = isText(recorded.responseHeaders['content-type']) ? new TextDecoder().decode(bytes) : ''
  return { bytes: bytes.length, text }
}

/** Returns the body of a response as text; null if it is not text. */
export function bodyTextOf({ responseHeaders, responseBody }: RecordedExchange): string | null {
  if (responseBody === null || !isText(responseHeaders['content-type'])) return null
  return new TextDecoder().decode(responseBody.bytes())
}

/** Returns the parameters of a query by name, masked if there is a masker. */
export function queryOf(search: string, masker?: Masker): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>()
  for (const [parameter, value] of new URLSearchParams(search)) {
    const name = masker?.url(parameter) ?? parameter
    const shown = masker?.parameter(parameter, value) ?? value
    const before = query.get(name)
    query.set(name, before === undefined ? shown : [before, shown].flat())
  }
  return Object.fromEntries(query)
}

/** The entry of a log about a request and its response; it is rendered when it is read. */
export class JournalEntry {
  readonly type = 'exchange'
  seq = 0
  /** When it was recorded, in milliseconds of the world's time. */
  readonly at: number
  recorded: RecordedExchange
  readonly #showing: ShowingOptions

  constructor(at: number, recorded: RecordedExchange, showing: ShowingOptions) {
    this.at = at
    this.recorded = recorded
    this.#showing = showing
  }

  /** The memory that its bodies take, in estimated bytes. */
  get size(): number {
    const { requestBody, requestBytes, responseBody } = this.recorded
    return ((requestBody ?? requestBytes)?.length ?? 0) + (responseBody?.size ?? 0)
  }

  /** Drops the bodies. */
  dropBodies(): void {
    const { requestBytes: _, ...others } = this.recorded
    this.recorded = { ...others, requestBody: null, responseBody: null }
  }

  /** The options for showing it, with a masker that also knows the keys of this request. */
  get showing(): ShowingOptions {
    const { requestHeaders, search } = this.recorded
    return { ...this.#showing, masker: this.#showing.masker.forRequest(requestHeaders, search) }
  }

  /** Returns the exchange with keys and tokens masked, and long bodies truncated. */
  show(): Exchange {
    const { showing } = this
    const headers = showing.masker.headers(Object.entries(this.recorded.responseHeaders))
    const response = { headers, body: showBody(bodyTextOf(this.recorded), showing) }
    return this.#show(showing, { request: this.#request(showing), response })
  }

  /** Returns the exchange with another response, to be shown in the same way. */
  withAnswer(answer: Pick<RecordedExchange, 'status' | 'responseHeaders' | 'responseBody'>): JournalEntry {
    const other = new JournalEntry(this.at, { ...this.recorded, ...answer }, this.#showing)
    other.seq = this.seq
    return other
  }

  /** Returns the exchange without headers and bodies. */
  showWithoutBodies(): ExchangeFacts {
    return this.#show(this.showing, {})
  }

  /** Returns the exchange without the headers and the body of the response. */
  showRequest(): ExchangeWithRequest {
    const { showing } = this
    return this.#show(showing, { request: this.#request(showing) })
  }

  #request(showing: ShowingOptions): Exchange['request'] {
    const { requestHeaders, requestBody } = this.recorded
    return { headers: showing.masker.headers(requestHeaders), body: showBody(requestBody, showing) }
  }

  #show<Contents extends object>(
    { world, masker }: ShowingOptions,
    contents: Contents,
  ): ExchangeFacts & Contents {
    const {
      at,
      operation,
      method,
      path,
      search,
      status,
      durationMs,
      reliances,
      fault,
      hints = [],
      replayed,
      nearMiss,
      via,
      start,
    } = this.recorded
    return {
      seq: this.seq,
      at: formatInstant(at),
      world,
      operation,
      method,
      path: masker.url(path),
      query: queryOf(search, masker),
      status,
      duration_ms: Math.round(durationMs * 1000) / 1000,
      ...contents,
      reliances,
      fault: masker.content(fault) as RecordedFault | null,
      replayed: replayed?.() ?? null,
      hints: hints.map((hint) => masker.text(hint)),
      near_miss: nearMiss === null ? null : masker.url(nearMiss),
      ...(via && { via }),
      ...(start !== undefined && { start }),
    }
  }
}

/** A body as plain JSON: its text, or else its bytes in base64. */
type WrittenBody = { readonly text: string } | { readonly base64: string }

/** An exchange as plain JSON. */
export interface WrittenExchange
  extends Omit<RecordedExchange, 'requestHeaders' | 'requestBytes' | 'responseBody' | 'replayed'> {
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBytes?: string
  readonly responseBody: WrittenBody | null
  readonly replayed?: number
}

/** Returns an exchange as plain JSON, with credentials masked. */
export function writeExchange({ recorded, showing: { masker } }: JournalEntry): WrittenExchange {
  const { requestHeaders, requestBody, requestBytes, responseHeaders, responseBody, replayed, ...facts } =
    recorded
  return {
    ...facts,
    path: masker.url(facts.path),
    search: masker.url(facts.search),
    requestHeaders: masker.headers(requestHeaders),
    requestBody: requestBody && masker.text(requestBody),
    ...(requestBytes && { requestBytes: toBase64(requestBytes) }),
    responseHeaders: masker.headers(Object.entries(responseHeaders)),
    responseBody: responseBody && writeBody(responseBody.bytes(), masker),
    ...(replayed && { replayed: replayed() }),
  }
}

function writeBody(bytes: Uint8Array, masker: Masker): WrittenBody {
  try {
    return { text: masker.text(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) }
  } catch {
    return { base64: toBase64(bytes) }
  }
}

/** Returns an exchange that was written. */
export function readExchange({
  requestHeaders,
  requestBytes,
  responseBody,
  replayed,
  ...facts
}: WrittenExchange): RecordedExchange {
  return {
    ...facts,
    requestHeaders: new Headers(requestHeaders),
    ...(requestBytes !== undefined && { requestBytes: fromBase64(requestBytes) }),
    responseBody: responseBody && readBody(responseBody),
    replayed: replayed === undefined ? undefined : () => replayed,
  }
}

function readBody(body: WrittenBody): RecordedBody {
  const bytes = 'text' in body ? new TextEncoder().encode(body.text) : fromBase64(body.base64)
  return { bytes: () => bytes, size: bytes.length }
}
