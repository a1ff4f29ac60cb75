import { isJsonObject } from '../../base/json.js'
import { counted, truncate } from '../../base/text.js'
import { CodedError } from '../../service/model/errors.js'

/** A request that a calibration sends. */
export interface ProbeRequest {
  readonly method: 'GET' | 'PATCH' | 'OPTIONS'
  /** The path and query below the base URL, or a complete URL for a stored file. */
  readonly target: string
  /** The key that it carries: the user's, none, or an invented one. */
  readonly key: 'own' | 'none' | 'made-up'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The response to a probe. */
export interface ProbeAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** For a file, only its beginning. */
  readonly text: string
  /** The parsed text; undefined if it is not JSON. */
  readonly json: unknown
}

/** A request with its response. */
export interface ProbeExchange {
  /** Counts from 1. */
  readonly number: number
  readonly request: ProbeRequest
  readonly answer: ProbeAnswer
  /** When it was sent, ISO 8601 UTC, and how many milliseconds it took. */
  readonly at: string
  readonly duration: number
}

/** Returns whether two requests are the same. */
export function isSameRequest(a: ProbeRequest, b: ProbeRequest): boolean {
  const facts = ({ method, target, key, headers, body }: ProbeRequest) => [method, target, key, headers, body]
  return JSON.stringify(facts(a)) === JSON.stringify(facts(b))
}

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns the JSON object of a response; undefined if it is not one. */
export function objectOf({ json }: Pick<ProbeAnswer, 'json'>): Fields | undefined {
  return asFields(json)
}

/** Returns a value as an object; undefined if it is not one. */
export function asFields(value: unknown): Fields | undefined {
  return isJsonObject(value) ? value : undefined
}

/** Returns the rows of a list in a response; undefined if it has none, or one is not an object with an id. */
export function rowsOf(answer: ProbeAnswer, list: string): Fields[] | undefined {
  const rows = objectOf(answer)?.[list]
  if (answer.status !== 200 || !Array.isArray(rows)) return undefined
  return rows.every((row) => typeof asFields(row)?.['id'] === 'string') ? (rows as Fields[]) : undefined
}

/** Formats an exchange in one line. */
export function describeExchange({ number, request, answer }: ProbeExchange): string {
  return `#${number} ${describeRequest(request)} → ${describeAnswer(answer)}`
}

/** Formats a request in one line. */
export function describeRequest({ method, target, key, headers = {}, body }: ProbeRequest): string {
  const keyed = key === 'own' ? '' : key === 'none' ? ' without a key' : ' with a made-up key'
  const origin = headers['origin'] === undefined ? '' : ` from ${headers['origin']}`
  const sent = body === undefined ? '' : ` ${shorten(body, 60)}`
  return `${method} ${target}${sent}${keyed}${origin}`
}

function describeAnswer(answer: ProbeAnswer): string {
  const object = objectOf(answer)
  for (const row of ['thread', 'message', 'webhook']) {
    const rows = rowsOf(answer, `${row}s`)
    if (rows) return `200, ${counted(rows.length, row)}, total ${shownValue(object?.['total'])}`
  }
  return answer.status === 200 ? '200' : `${answer.status} ${shorten(answer.text, 120)}`.trimEnd()
}

/** Quotes a value of a response as JSON, shortened; `undefined` for none. */
export function shownValue(value: unknown): string {
  return truncate(String(JSON.stringify(value)), 120)
}

function shorten(text: string, length: number): string {
  return truncate(text.replace(/\s+/g, ' '), length)
}

/** Why a calibration stopped early or cannot begin. */
export type CalibrationErrorCode =
  | 'refused'
  | 'not-the-service'
  | 'unexpected'
  | 'rate-limited'
  | 'too-many-requests'
  | 'unreachable'
  | 'interrupted'
  | 'malformed'
  | 'not-put-back'

/** Thrown when a calibration cannot continue. */
export class CalibrationError extends CodedError<CalibrationErrorCode> {
  override readonly name = 'CalibrationError'
}

/** Refuses to continue if a response shows that the key is wrong. @throws CalibrationError `refused` */
export function refuseWrongKey({ request: { target }, answer: { status } }: ProbeExchange): void {
  if (status !== 401 && status !== 403) return
  const remedy = '--api-key-env names the variable that holds it'
  throw new CalibrationError(
    'refused',
    `The service refuses the key: ${target} returns ${status}; ${remedy}.`,
  )
}
