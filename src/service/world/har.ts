import { jsonList } from '../../base/json.js'
import { version } from '../../base/package.js'
import { isText } from '../../base/text.js'
import { statusTexts } from '../../contract/statuses.js'
import { toBase64 } from '../../mail/transfer-encoding.js'
import { type Masker, mask } from '../record/masker.js'
import { isLost, longestSecret, maskedAndCut, type RecordedExchange, servedBytes } from './exchange.js'
import type { JournalEntry } from './journal.js'

/**
 * An HTTP Archive, version 1.2, which the developer tools of browsers can open. Times are in milliseconds,
 * sizes in bytes; -1 if unknown. Fields that begin with `_` hold what the format does not cover.
 */
export interface Har {
  readonly log: HarLog
}

/** The content of an archive. */
export type HarLog = ReturnType<typeof harLog> & { readonly entries: readonly HarEntry[] }

/** An entry of an archive: a request and its response. */
export type HarEntry = ReturnType<typeof harEntry>

/** A request in an archive. */
export type HarRequest = ReturnType<typeof requestOf>

/** A response in an archive; the status is 0 if there was no response. */
export type HarResponse = ReturnType<typeof responseOf>

/** The body of a response: text, or base64 if `encoding` says so. */
export interface HarContent {
  readonly size: number
  readonly mimeType: string
  readonly text?: string
  readonly encoding?: 'base64'
  readonly comment?: string
}

/** A header, a parameter or a cookie. */
export interface HarPair {
  readonly name: string
  readonly value: string
}

/** Returns an archive without its entries. */
function harLog() {
  // Requests of agents belong to no pages.
  const pages: readonly never[] = []
  return { version: '1.2' as const, creator: { name: 'agent-mailbox-sim', version }, pages }
}

/** Returns an archive of exchanges. */
export function createHar(entries: readonly JournalEntry[]): Har {
  return { log: { ...harLog(), entries: entries.map(harEntry) } }
}

/** Formats an archive of exchanges, piece by piece. */
export function harText(entries: readonly JournalEntry[]): Generator<string> {
  const log = JSON.stringify(harLog()).slice(0, -1)
  return jsonList([`{"log":${log},"entries":[`, ']}}'], entries, harEntry)
}

/** Returns an exchange of the journal as an entry of an archive. */
function harEntry(entry: JournalEntry) {
  const { recorded, showing } = entry
  const { masker, bodyCharacters } = showing
  const { seq, at, world, operation, duration_ms, reliances, fault, replayed, hints, near_miss } =
    entry.showWithoutBodies()
  const request = requestOf(recorded, masker, bodyCharacters)
  const response = responseOf(recorded, masker, bodyCharacters)
  const comment = [near_miss, ...hints, ...commentsOn(recorded, request, response)].filter(Boolean).join('; ')
  return {
    startedDateTime: at,
    time: duration_ms,
    request,
    response,
    cache: {},
    timings: { send: 0, wait: duration_ms, receive: 0 },
    ...(comment !== '' && { comment }),
    _seq: seq,
    _world: world,
    _operation: operation,
    _reliances: reliances,
    ...(recorded.via && { _via: recorded.via }),
    ...(recorded.start !== undefined && { _start: recorded.start }),
    _fault: fault,
    ...(replayed !== null && { _replayed: replayed }),
    _nearMiss: near_miss,
  }
}

/** Explains what readers may misunderstand: a fault, a truncated body, a response without a body. */
function commentsOn(recorded: RecordedExchange, request: HarRequest, response: HarResponse): string[] {
  const { method, status, fault, requestBody, requestBytes, requestHeaders } = recorded
  const comments: string[] = []
  const isMissing = requestBody === null && Number(requestHeaders.get('content-length') ?? 0) > 0
  if (isMissing) comments.push(`the request's body ${requestBytes ? 'is not text' : 'was not read'}`)
  if (request.postData?.comment) comments.push(`the request's body is ${request.postData.comment}`)
  if (status === 0) comments.push('the simulator did not respond')
  else if (method === 'HEAD') comments.push('the response to HEAD has no body')
  if (fault) comments.push(`${fault.id} ${disturbanceOf(recorded)}`)
  if (response.content.comment) comments.push(`the response's body is ${response.content.comment}`)
  return comments
}

function disturbanceOf(recorded: RecordedExchange): string {
  const { fault } = recorded
  if (fault?.reset) return 'reset the connection: no response came'
  const promised = promisedLength(recorded)
  if (promised !== undefined) return `cut the body off after ${fault?.truncate} of ${promised} bytes`
  if (fault?.drip !== undefined)
    return `sent the body over ${fault.drip}, which the times here do not include`
  if (fault?.performed && fault.delay !== undefined)
    return `delayed the response by ${[fault.delay].flat().join(' to ')}, which the times here do not include`
  return fault?.performed ? 'disturbed the response of an operation that happened' : 'disturbed the response'
}

/** Also for in-process requests, which have no HTTP version. */
const httpVersion = 'HTTP/1.1'

/** `limit` is the number of characters of the body that are shown. */
function requestOf(recorded: RecordedExchange, masker: Masker, limit: number) {
  const { method, base, path, search, requestHeaders, requestBody } = recorded
  const length = Number(requestHeaders.get('content-length') ?? 0)
  return {
    method,
    url: masker.url(`${base}${path}${search}`),
    httpVersion,
    cookies: cookiesOf(requestHeaders.get('cookie')),
    headers: pairsOf(masker.headers(requestHeaders)),
    queryString: [...new URLSearchParams(search)].map(([name, value]): HarPair => {
      return { name: masker.url(name), value: masker.parameter(name, value) }
    }),
    ...(requestBody !== null && { postData: postDataOf(recorded, requestBody, masker, limit) }),
    headersSize: -1,
    bodySize: requestBody === null ? length : new TextEncoder().encode(requestBody).length,
  }
}

function postDataOf({ requestHeaders }: RecordedExchange, body: string, masker: Masker, limit: number) {
  const { text, length } = maskedAndCut(body, masker, limit)
  const mimeType = requestHeaders.get('content-type') ?? ''
  return { mimeType, text, ...cutComment(text.length, length, 'characters') }
}

/** `limit` is how much of the body is shown, as in `contentOf`. */
function responseOf(recorded: RecordedExchange, masker: Masker, limit: number) {
  const { status, fault, responseHeaders } = recorded
  const lost = isLost(recorded)
  const content: HarContent = lost ? { size: 0, mimeType: 'x-unknown' } : contentOf(recorded, masker, limit)
  const error = fault?.reset
    ? 'net::ERR_CONNECTION_RESET'
    : promisedLength(recorded) !== undefined && 'net::ERR_CONTENT_LENGTH_MISMATCH'
  return {
    status: lost ? 0 : status,
    statusText: lost ? '' : (statusTexts[status] ?? ''),
    httpVersion,
    cookies: lost ? [] : cookiesOf(responseHeaders['set-cookie']),
    headers: lost ? [] : pairsOf(masker.headers(Object.entries(responseHeaders))),
    content,
    redirectURL: '',
    headersSize: -1,
    bodySize: lost ? -1 : content.size,
    // The name that Chrome uses.
    ...(error && { _error: error }),
  }
}

/** Returns the full length of a body that a fault truncated; undefined for a complete body. */
function promisedLength({ fault, responseHeaders }: RecordedExchange): number | undefined {
  const promised = responseHeaders['content-length']
  return fault?.truncate === undefined || promised === undefined ? undefined : Number(promised)
}

/**
 * Returns the body of a response; `limit` is how much is shown, in characters of text or bytes of anything
 * else.
 */
function contentOf(recorded: RecordedExchange, masker: Masker, limit: number): HarContent {
  const type = recorded.responseHeaders['content-type']
  const bytes = servedBytes(recorded)
  const known = { size: bytes?.length ?? 0, mimeType: type ?? 'x-unknown' }
  if (!bytes || bytes.length === 0) return known
  const text = isText(type) ? decoded(bytes) : undefined
  if (text !== undefined) {
    const shown = maskedAndCut(text, masker, limit)
    return { ...known, text: shown.text, ...cutComment(shown.text.length, shown.length, 'characters') }
  }
  // Secrets may occur as text in binary content.
  const begin = bytes.subarray(0, limit + longestSecret + 1)
  const characters = Array.from(begin, (byte) => String.fromCharCode(byte)).join('')
  const shown = Uint8Array.from(maskedAndCut(characters, masker, limit).text, (one) => one.charCodeAt(0))
  const comment = cutComment(limit, bytes.length, 'bytes')
  return { ...known, text: toBase64(shown), encoding: 'base64', ...comment }
}

function cutComment(shown: number, all: number, unit: string): { comment?: string } {
  return shown < all ? { comment: `cut off: ${shown} of ${all} ${unit} are shown` } : {}
}

/** Returns the text of UTF-8 bytes; undefined if they are not valid UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function pairsOf(headers: Readonly<Record<string, string>>): HarPair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

/** Returns the cookies of a header, with their values masked. */
function cookiesOf(header: string | null | undefined): HarPair[] {
  const names = (header ?? '').split(';').map((cookie) => cookie.split('=', 1)[0]?.trim() ?? '')
  return names.filter((name) => name !== '').map((name) => ({ name, value: mask }))
}
