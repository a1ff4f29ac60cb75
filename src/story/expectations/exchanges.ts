import { parseJson } from '../../base/json.js'
import { canonicalJson } from '../../service/time/random.js'
import type { ExchangeWithRequest } from '../../service/world/exchange.js'
import type { Observation } from './tracker.js'

/** Returns how many seconds a response asks the client to wait; undefined if it does not. */
export function asksToWait(status: number, retryAfter: string | undefined): number | undefined {
  const isAsking = (status === 429 || status === 503) && retryAfter !== undefined && /^\d+$/.test(retryAfter)
  return isAsking ? Number(retryAfter) : undefined
}

/** Returns a key that is equal for equal requests. */
export function requestKey({ method, path, query, request }: ExchangeWithRequest): string {
  const pairs = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${method} ${path} ${JSON.stringify(pairs)} ${request.body ?? ''}`
}

/** Returns whether a response asks the client to retry, or did not arrive completely. */
export function isFailure({ status, fault }: Pick<ExchangeWithRequest, 'status' | 'fault'>): boolean {
  const isDamaged = fault?.reset ?? fault?.malformed ?? fault?.empty ?? fault?.truncate
  return status >= 500 || status === 429 || isDamaged !== undefined
}

/** A line for what a client wrote: a request with its body. */
const written = /^(POST|PUT|PATCH|DELETE) (\/\S*)(?: (\S.*))?$/s

/** Returns a write that an author states in the form of `writeOf`; undefined if no write has such a form. */
export function statedWrite(text: string): string | undefined {
  const [, method, path, body = ''] = written.exec(text.trim()) ?? []
  return method === undefined ? undefined : lineOf(method, path as string, body)
}

function lineOf(method: string, path: string, body: string): string {
  const value = parseJson(body)
  return `${method} ${path} ${value === undefined ? body : canonicalJson(value)}`.trimEnd()
}

/** Returns a line for what a client wrote, which is the same for equal writes; undefined if it wrote nothing. */
export function writeOf(observation: Observation): string | undefined {
  if (observation.type !== 'exchange') return undefined
  const { method, path, status, request, replayed } = observation.exchange
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  if (isRead || status < 200 || status > 299 || replayed !== null) return undefined
  return lineOf(method, path, request.body ?? '')
}

/** Returns whether an attempt of a delivery begins, which asks the client to work, whatever it was told before. */
export function isAttempt(observation: Observation): boolean {
  return observation.type === 'delivery' && observation.delivery.attempts.at(-1)?.duration_ms === null
}
