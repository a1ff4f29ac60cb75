import type { AnyOperationName } from '../contract/operations.js'
import type { Fault } from './faults/fault.js'
import type { Masker } from './masking/masker.js'
import type { Reliance } from './reliances.js'

/** The header fields of a request; `Headers` are such. Names are looked up in any case, and listed in lower case. */
export interface HeaderFields extends Iterable<readonly [name: string, value: string]> {
  get(name: string): string | null
  has(name: string): boolean
}

/** One request with its answer, as users see it. */
export interface Exchange {
  readonly seq: number
  /** The world's time, ISO 8601. */
  readonly at: string
  readonly world: string
  /** Null where the request met none of the operations. */
  readonly operation: AnyOperationName | null
  readonly method: string
  readonly path: string
  /** Values by name; a list where a name was given more than once. */
  readonly query: Readonly<Record<string, string | string[]>>
  /** 0 where the simulator did not answer, since the request was for none of its paths. */
  readonly status: number
  /** Wall time the simulator took, in milliseconds. */
  readonly duration_ms: number
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null }
  /** The body is null where there was none, or where it was no text. */
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null }
  readonly reliances: readonly Reliance[]
  /** The rule that disturbed it, under its id. */
  readonly fault: RecordedFault | null
  /** What an unmatched request came closest to, and why it missed. */
  readonly near_miss: string | null
}

/** An exchange without headers and bodies. */
export type ExchangeFacts = Omit<Exchange, 'request' | 'response'>

/** An exchange without the headers and the body of the answer: much less to show. */
export type AnsweredRequest = Omit<Exchange, 'response'>

/** A fault rule as an exchange keeps it. */
export type RecordedFault = Fault & { readonly id: string }

/** An exchange as it is recorded: nothing copied, masked or cut before somebody looks. */
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
  /** When the request came, in milliseconds of wall time since its service began; unknown where it is left out. */
  readonly receivedMs?: number
  readonly requestHeaders: HeaderFields
  readonly requestBody: string | null
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: RecordedBody | null
  readonly reliances: readonly Reliance[]
  readonly fault: RecordedFault | null
  readonly nearMiss: string | null
}

/** The body of an answer, put together when somebody looks. */
export interface RecordedBody {
  bytes(): Uint8Array
  /** About how much memory it keeps, in bytes; pieces that answers share do not count. */
  readonly size?: number
}

/** The context in which exchanges are shown. */
export interface ShowingOptions {
  readonly world: string
  readonly masker: Masker
  /** Characters of a body that are shown. */
  readonly bodyCharacters: number
}

/** Returns the text of a body, masked and cut. */
export function showBody(body: string | null, { masker, bodyCharacters }: ShowingOptions): string | null {
  if (body === null) return null
  const { text, length } = cutText(masker.text(body), bodyCharacters)
  return text.length < length ? `${text}…` : text
}

/** Cuts a text to a number of characters, none of them halved; returns its former length as well. */
export function cutText(text: string, characters: number): { text: string; length: number } {
  const cut = text.slice(0, characters)
  const halved = cut.length < text.length && /[\ud800-\udbff]$/.test(cut)
  return { text: halved ? cut.slice(0, -1) : cut, length: text.length }
}

/** Tells whether a content type is one of text; a missing one may be. */
export function isText(contentType: string | undefined): boolean {
  return contentType === undefined || /^text\/|json|xml|javascript|x-www-form-urlencoded/i.test(contentType)
}

/** Returns the body of an answer as text; null where it is none. */
export function textOf({ responseHeaders, responseBody }: RecordedExchange): string | null {
  if (responseBody === null || !isText(responseHeaders['content-type'])) return null
  return new TextDecoder().decode(responseBody.bytes())
}

/** Returns the parameters of a query by name, masked. */
export function queryOf(search: string, masker: Masker): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [given, value] of new URLSearchParams(search)) {
    const name = masker.url(given)
    const shown = masker.parameter(given, value)
    const before = query[name]
    query[name] = before === undefined ? shown : [before, shown].flat()
  }
  return query
}
