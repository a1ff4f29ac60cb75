import type { AnyOperationName } from '../contract/operations.js'
import { threadSchema } from '../contract/resources.js'
import { nearestOf, truncate } from '../contract/text.js'
import type { AnsweredRequest } from '../world/index.js'

/** What `expect.any(String)`, `expect.stringContaining('x')` and the like give, in Vitest and in Jest. */
export interface AsymmetricMatcher {
  asymmetricMatch(found: unknown): boolean
}

/**
 * What a request, or a field of it, must be: that very value; for text, something that fits a pattern; or
 * what an asymmetric matcher takes.
 */
export type Match =
  | string
  | number
  | boolean
  | null
  | RegExp
  | AsymmetricMatcher
  | readonly Match[]
  | { readonly [key: string]: Match }

/** Which exchanges are meant; what is left out may be anything, and so may fields beside those of a body. */
export interface ExchangeMatch {
  readonly operation?: AnyOperationName
  readonly method?: string
  readonly path?: string | RegExp | AsymmetricMatcher
  /** Parameters of the query; null for one that was left out. */
  readonly query?: Readonly<Record<string, Match>>
  /** Fields of the JSON body of the request. */
  readonly body?: Match
  readonly status?: number
}

/** One value that is not as it is meant to be. */
export interface Mismatch {
  /** How it is spoken of, e.g. `query.agent`. */
  readonly name: string
  readonly wanted: Match
  readonly found: unknown
}

/** What keeps an exchange from being one that is meant, a line each; none when it is. */
export function differencesFrom(match: ExchangeMatch, exchange: AnsweredRequest): string[] {
  return exchangeMismatches(match, exchange).map(formatMismatch)
}

/** What keeps a value from being the one that is meant, a line each; `name` is how it is spoken of. */
export function differences(name: string, wanted: Match | undefined, found: unknown): string[] {
  return mismatches(name, wanted, found).map(formatMismatch)
}

/** The values of an exchange that are not as they are meant to be. */
export function exchangeMismatches(match: ExchangeMatch, exchange: AnsweredRequest): Mismatch[] {
  const { query = {}, body, ...plain } = match
  const fields = (Object.entries(plain) as [keyof typeof plain, Match][]).flatMap(([name, wanted]) => {
    return mismatches(name, wanted, exchange[name])
  })
  const parameters = Object.entries(query).flatMap(([name, wanted]) => {
    return mismatches(`query.${name}`, wanted, exchange.query[name] ?? null)
  })
  const inBody = body === undefined ? [] : mismatches('body', body, jsonOf(exchange.request.body))
  return [...fields, ...parameters, ...inBody]
}

/** The values in a value that are not as they are meant to be. */
export function mismatches(name: string, wanted: Match | undefined, found: unknown): Mismatch[] {
  if (wanted === undefined) return []
  const whole = [{ name, wanted, found }]
  if (wanted instanceof RegExp) {
    // Unlike `test`, `search` does not go on from where a global pattern ended before.
    return typeof found === 'string' && found.search(wanted) >= 0 ? [] : whole
  }
  if (typeof wanted !== 'object' || wanted === null) return sameText(wanted, found) ? [] : whole
  if (isAsymmetric(wanted)) return wanted.asymmetricMatch(found) ? [] : whole
  if (typeof found !== 'object' || found === null) return whole
  if (Array.isArray(wanted) || Array.isArray(found)) {
    const sameLength = Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length
    if (!sameLength) return whole
  }
  return Object.entries(wanted).flatMap(([key, inner]) => {
    return mismatches(`${name}.${key}`, inner as Match, (found as Record<string, unknown>)[key])
  })
}

/** `query.limit: expected "50", found "5"`. */
export function formatMismatch({ name, wanted, found }: Mismatch): string {
  return `${name}: expected ${showValue(wanted)}, found ${showValue(found)}`
}

/** A value, or what it must be, as failures tell it; cut where it is long. */
export function showValue(value: unknown): string {
  const patternOr = (_: string, inner: unknown): unknown => nameOfPattern(inner) ?? inner
  const text = nameOfPattern(value) ?? JSON.stringify(value, patternOr) ?? 'nothing'
  return truncate(text, 120)
}

/** Whether a value stands for others: a regular expression or an asymmetric matcher. */
function isPattern(value: unknown): value is RegExp | AsymmetricMatcher {
  return value instanceof RegExp || isAsymmetric(value)
}

function nameOfPattern(value: unknown): string | undefined {
  if (value instanceof RegExp) return String(value)
  if (!isAsymmetric(value)) return undefined
  const { sample, toAsymmetricMatcher } = value as { sample?: unknown; toAsymmetricMatcher?(): string }
  const name = toAsymmetricMatcher?.call(value) ?? String(value)
  return typeof sample === 'object' || typeof sample === 'string' ? `${name} ${showValue(sample)}` : name
}

function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return typeof (value as AsymmetricMatcher | null | undefined)?.asymmetricMatch === 'function'
}

/** A query holds text only: `limit: 5` and `limit: '5'` mean the same. */
function sameText(wanted: Match, found: unknown): boolean {
  return wanted === found || (typeof wanted === 'number' && String(wanted) === found)
}

/** What a body holds as JSON; its text where it is none. */
export function jsonOf(body: string | null): unknown {
  try {
    return body === null ? null : JSON.parse(body)
  } catch {
    return body
  }
}

/**
 * How far something is from what was meant: each value that differs counts 1, or less where the texts are
 * alike; another operation, or another event, counts for more than any other value.
 */
export function distanceOf(mismatches: readonly Mismatch[]): number {
  return mismatches.reduce((sum, { name, wanted, found }) => {
    return sum + (isKind(name) ? 10 : 1 - likeness(wanted, found) / 2)
  }, 0)
}

function isKind(name: string): boolean {
  return name === 'operation' || name === 'event'
}

/** The things nearest to what was meant, the nearest first; of equally near ones, the first given. */
export function nearest<T extends { readonly mismatches: readonly Mismatch[] }>(
  things: readonly T[],
  distance = distanceOf,
): T[] {
  return things
    .map((thing) => ({ thing, distance: distance(thing.mismatches) }))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ thing }) => thing)
}

/** From 0 to 1: the share of pairs of neighbouring letters that two texts have in common. */
function likeness(a: unknown, b: unknown): number {
  if (typeof a !== 'string' || typeof b !== 'string') return 0
  const [pairs, others] = [pairsOf(a), pairsOf(b)]
  if (pairs.size + others.size === 0) return 0
  const common = [...pairs].filter((pair) => others.has(pair)).length
  return (2 * common) / (pairs.size + others.size)
}

function pairsOf(text: string): Set<string> {
  const letters = [...text.slice(0, 200).toLowerCase()]
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`))
}

/** An exchange in a line, for people: `GET /api/v1/mail/threads?agent=support 200`. */
export function formatExchange({ method, path, query, status, fault }: AnsweredRequest): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  )
  const disturbed = fault === null ? '' : `, disturbed by ${fault.id}`
  return `${method} ${path}${search.size === 0 ? '' : `?${search}`} ${status}${disturbed}`
}

/** What values must be, in words: `query.agent "support" and status 200`; nothing when there are none. */
export function describeValues(values: object): string {
  return Object.entries(values)
    .flatMap(([name, wanted]) => parts(name, wanted as Match | undefined))
    .join(' and ')
}

function parts(name: string, wanted: Match | undefined): string[] {
  if (wanted === undefined) return []
  const single = typeof wanted !== 'object' || wanted === null || Array.isArray(wanted) || isPattern(wanted)
  if (single) return [`${name} ${showValue(wanted)}`]
  return Object.entries(wanted).flatMap(([key, inner]) => parts(`${name}.${key}`, inner as Match))
}

/** Refuses fields that no thread has. @throws TypeError */
export function checkThreadFields(fields: object): void {
  for (const name of Object.keys(fields)) {
    const known = Object.keys(threadSchema().shape)
    if (!known.includes(name)) throw new TypeError(`A thread has no "${name}"${nearestOf(name, known, '.')}`)
  }
}
