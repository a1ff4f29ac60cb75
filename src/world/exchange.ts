import type { OperationName } from '../contract/operations.js'
import type { Fault } from './faults/fault.js'
import type { HeaderFields } from './header-fields.js'
import type { Masker } from './masking/masker.js'
import type { Reliance } from './settle.js'
import { formatInstant } from './time.js'

/** One request with its answer, as users see it. */
export interface Exchange {
  readonly seq: number
  /** The world's time, ISO 8601. */
  readonly at: string
  readonly world: string
  /** Null where the request met none of the operations. */
  readonly operation: OperationName | null
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

/** A request with how it was answered, but without what the answer holds: much less to show. */
export type AnsweredRequest = Omit<Exchange, 'response'>

/** A fault rule as an exchange keeps it. */
export type RecordedFault = Fault & { readonly id: string }

/** An exchange as it is recorded: nothing copied, masked or cut before somebody looks. */
export interface RecordedExchange {
  readonly at: number
  readonly operation: OperationName | null
  readonly method: string
  /** What stands before the path in the request's URL, e.g. `http://mailbox.test`. */
  readonly base: string
  readonly path: string
  readonly search: string
  readonly status: number
  readonly durationMs: number
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
}

/** What showing an exchange needs to know besides. */
export interface ShowingOptions {
  readonly seq: number
  readonly world: string
  /** One that knows the keys of this very request. */
  readonly masker: Masker
  /** Characters of a body that are shown. */
  readonly bodyCharacters: number
}

/** An exchange for people to see, with keys and tokens masked, and long bodies cut. */
export function showExchange(recorded: RecordedExchange, options: ShowingOptions): Exchange {
  const { masker } = options
  const { reliances, fault, near_miss, ...request } = showRequest(recorded, options)
  return {
    ...request,
    response: {
      headers: masker.headers(Object.entries(recorded.responseHeaders)),
      body: showBody(textOf(recorded), options),
    },
    reliances,
    fault,
    near_miss,
  }
}

/** The same without what the answer holds. */
export function showRequest(recorded: RecordedExchange, options: ShowingOptions): AnsweredRequest {
  const { reliances, fault, near_miss, ...facts } = showFacts(recorded, options)
  return {
    ...facts,
    request: {
      headers: options.masker.headers(recorded.requestHeaders),
      body: showBody(recorded.requestBody, options),
    },
    reliances,
    fault,
    near_miss,
  }
}

function showBody(body: string | null, { masker, bodyCharacters }: ShowingOptions): string | null {
  if (body === null) return null
  const { text, length } = cutText(masker.body(body), bodyCharacters)
  return text.length < length ? `${text}…` : text
}

/** An exchange without what was sent and answered. */
export function showFacts(
  recorded: RecordedExchange,
  { seq, world, masker }: ShowingOptions,
): Omit<Exchange, 'request' | 'response'> {
  const { operation, method, path, search, status, durationMs, reliances, fault, nearMiss } = recorded
  return {
    seq,
    at: formatInstant(recorded.at),
    world,
    operation,
    method,
    path: masker.url(path),
    query: queryOf(search, masker),
    status,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    reliances,
    fault: masker.content(fault) as RecordedFault | null,
    near_miss: nearMiss === null ? null : masker.url(nearMiss),
  }
}

/** A text no longer than so many characters, none of them halved, and how long it was. */
export function cutText(text: string, characters: number): { text: string; length: number } {
  const cut = text.slice(0, characters)
  const halved = cut.length < text.length && /[\ud800-\udbff]$/.test(cut)
  return { text: halved ? cut.slice(0, -1) : cut, length: text.length }
}

/** Whether a content type is that of text; what has none may well be. */
export function isText(contentType: string | undefined): boolean {
  return contentType === undefined || /^text\/|json|xml|javascript|x-www-form-urlencoded/i.test(contentType)
}

function textOf({ responseHeaders, responseBody }: RecordedExchange): string | null {
  if (responseBody === null || !isText(responseHeaders['content-type'])) return null
  return new TextDecoder().decode(responseBody.bytes())
}

function queryOf(search: string, masker: Masker): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [given, value] of new URLSearchParams(search)) {
    const name = masker.url(given)
    const shown = masker.parameter(given, value)
    const before = query[name]
    query[name] = before === undefined ? shown : [before, shown].flat()
  }
  return query
}
