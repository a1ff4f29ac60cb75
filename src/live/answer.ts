import { isJsonObject } from '../base/json.js'
import { counted, truncate } from '../base/text.js'

/** A request to a live service. */
export interface LiveRequest {
  readonly method: 'GET' | 'PATCH' | 'OPTIONS'
  /** The path and query below the base URL, or the whole URL of a stored file. */
  readonly target: string
  /** The key that it carries: the user's, none, or an invented one. */
  readonly key: 'own' | 'none' | 'made-up'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What a live service answered. */
export interface Answer {
  readonly request: LiveRequest
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** The parsed text; undefined if it is not JSON. */
  readonly json: unknown
}

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns a GET with the user's key. */
export function get(path: string, query: Readonly<Record<string, string | number>> = {}): LiveRequest {
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
  const search = new URLSearchParams(texts).toString()
  return { method: 'GET', target: `/api/v1/${path}${search === '' ? '' : `?${search}`}`, key: 'own' }
}

/** Returns the request for an identity. */
export function identityRequest(handle: string): LiveRequest {
  return get(`identities/${encodeURIComponent(handle)}`)
}

/** Returns a value as an object; undefined if it is not one. */
export function asFields(value: unknown): Fields | undefined {
  return isJsonObject(value) ? value : undefined
}

/** Returns the object of a successful answer; undefined if there is none. */
export function objectOf({ status, json }: Answer): Fields | undefined {
  return status === 200 ? asFields(json) : undefined
}

/** Returns the rows of a list; undefined if the answer is not such a list, or a row has no id. */
export function rowsOf(answer: Answer, list: string): readonly Fields[] | undefined {
  const rows = objectOf(answer)?.[list]
  if (!Array.isArray(rows)) return undefined
  return rows.every((row) => typeof asFields(row)?.['id'] === 'string') ? rows : undefined
}

/** Returns a value if it is text, and otherwise an empty text. */
export function words(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Formats a request in one line. */
export function describeRequest({ method, target, key, headers = {}, body }: LiveRequest): string {
  const keyed = key === 'own' ? '' : key === 'none' ? ' without a key' : ' with a made-up key'
  const origin = headers['origin'] === undefined ? '' : ` from ${headers['origin']}`
  const sent = body === undefined ? '' : ` ${truncate(body, 60)}`
  return `${method} ${target}${sent}${keyed}${origin}`
}

/** Formats a request and its answer in one line. */
export function describeExchange(answer: Answer): string {
  return `${describeRequest(answer.request)} → ${describeAnswer(answer)}`
}

function describeAnswer(answer: Answer): string {
  for (const list of ['threads', 'messages', 'webhooks']) {
    const rows = rowsOf(answer, list)
    const total = objectOf(answer)?.['total']
    if (rows) return `200, ${counted(rows.length, list.slice(0, -1))}, total ${truncate(String(total), 20)}`
  }
  if (answer.status === 200) return '200'
  return `${answer.status} ${truncate(answer.text.replace(/\s+/g, ' '), 120)}`.trimEnd()
}
