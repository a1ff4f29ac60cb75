import type { AnyOperationName } from '../contract/operations.js'
import { threadSchema } from '../contract/resources.js'
import { expectedOneOf, truncate } from '../contract/text.js'
import type { AnsweredRequest } from '../world/index.js'

/** The result of `expect.any(String)`, `expect.stringContaining('x')` and the like, in Vitest and in Jest. */
export interface AsymmetricMatcher {
  asymmetricMatch(found: unknown): boolean
}

/**
 * The expected value of a request or of a field: the same value, text that matches a regular expression, or a value that
 * an asymmetric matcher accepts.
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

/** Selects exchanges. Omitted fields match anything, and so do further fields of a body. */
export interface ExchangeMatch {
  readonly operation?: AnyOperationName
  readonly method?: string
  readonly path?: string | RegExp | AsymmetricMatcher
  /** Parameters of the query; null for one that must be absent. */
  readonly query?: Readonly<Record<string, Match>>
  /** Fields of the JSON body of the request. */
  readonly body?: Match
  readonly status?: number
}

/** A value that differs from the expected one. */
export interface Mismatch {
  /** The name of the value, e.g. `query.agent`. */
  readonly name: string
  readonly expected: Match
  readonly found: unknown
}

/** Returns how an exchange differs from the expected one, a line for each value; empty if it does not. */
export function differencesFrom(match: ExchangeMatch, exchange: AnsweredRequest): string[] {
  return exchangeMismatches(match, exchange).map(formatMismatch)
}

/** Returns how the value called `name` differs from the expected one, a line for each difference. */
export function differences(name: string, expected: Match | undefined, found: unknown): string[] {
  return mismatches(name, expected, found).map(formatMismatch)
}

/** Returns the values of an exchange that differ from the expected ones. */
export function exchangeMismatches(match: ExchangeMatch, exchange: AnsweredRequest): Mismatch[] {
  const { query = {}, body, ...plain } = match
  const fields = (Object.entries(plain) as [keyof typeof plain, Match][]).flatMap(([name, expected]) => {
    return mismatches(name, expected, exchange[name])
  })
  const parameters = Object.entries(query).flatMap(([name, expected]) => {
    return mismatches(`query.${name}`, expected, exchange.query[name] ?? null)
  })
  const inBody = body === undefined ? [] : mismatches('body', body, jsonOf(exchange.request.body))
  return [...fields, ...parameters, ...inBody]
}

/** Returns the values within a value that differ from the expected ones. */
export function mismatches(name: string, expected: Match | undefined, found: unknown): Mismatch[] {
  if (expected === undefined) return []
  const whole = [{ name, expected, found }]
  if (expected instanceof RegExp) {
    // Unlike `test`, `search` ignores the `lastIndex` of a global pattern.
    return typeof found === 'string' && found.search(expected) >= 0 ? [] : whole
  }
  if (typeof expected !== 'object' || expected === null) return sameText(expected, found) ? [] : whole
  if (isAsymmetric(expected)) return expected.asymmetricMatch(found) ? [] : whole
  if (typeof found !== 'object' || found === null) return whole
  if (Array.isArray(expected) || Array.isArray(found)) {
    const sameLength = Array.isArray(expected) && Array.isArray(found) && expected.length === found.length
    if (!sameLength) return whole
  }
  return Object.entries(expected).flatMap(([key, inner]) => {
    return mismatches(`${name}.${key}`, inner as Match, (found as Record<string, unknown>)[key])
  })
}

/** Formats a mismatch: `query.limit: expected "50", found "5"`. */
export function formatMismatch({ name, expected, found }: Mismatch): string {
  return `${name}: expected ${showValue(expected)}, found ${showValue(found)}`
}

/** Formats a value or a pattern for a failure message; long ones are truncated. */
export function showValue(value: unknown): string {
  const patternOr = (_: string, inner: unknown): unknown => nameOfPattern(inner) ?? inner
  const text = nameOfPattern(value) ?? JSON.stringify(value, patternOr) ?? 'nothing'
  return truncate(text, 120)
}

/** Returns whether a value is a pattern: a regular expression or an asymmetric matcher. */
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

/** Compares values; since a query contains only text, `limit: 5` and `limit: '5'` are equal. */
function sameText(expected: Match, found: unknown): boolean {
  return expected === found || (typeof expected === 'number' && String(expected) === found)
}

/** Parses a body as JSON; returns its text if it is not JSON. */
export function jsonOf(body: string | null): unknown {
  try {
    return body === null ? null : JSON.parse(body)
  } catch {
    return body
  }
}

/**
 * Returns how far something is from the expected values: each mismatch counts 1, or less if the texts are alike; another
 * operation or another event weighs more than any other value.
 */
export function distanceOf(mismatches: readonly Mismatch[]): number {
  return mismatches.reduce((sum, { name, expected, found }) => {
    return sum + (isKind(name) ? 10 : 1 - similarity(expected, found) / 2)
  }, 0)
}

function isKind(name: string): boolean {
  return name === 'operation' || name === 'event'
}

/** Sorts things by their distance from the expected values, the nearest first; equally near ones keep their order. */
export function nearest<T extends { readonly mismatches: readonly Mismatch[] }>(
  things: readonly T[],
  distance = distanceOf,
): T[] {
  return things
    .map((thing) => ({ thing, distance: distance(thing.mismatches) }))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ thing }) => thing)
}

/** Returns the share of pairs of adjacent letters that two texts have in common, from 0 to 1. */
function similarity(a: unknown, b: unknown): number {
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

/** Formats an exchange as a line: `GET /api/v1/mail/threads?agent=support 200`. */
export function formatExchange({ method, path, query, status, fault }: AnsweredRequest): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  )
  const disturbed = fault === null ? '' : `, disturbed by ${fault.id}`
  return `${method} ${path}${search.size === 0 ? '' : `?${search}`} ${status}${disturbed}`
}

/** Describes expected values: `query.agent "support" and status 200`; empty if there are none. */
export function describeValues(values: object): string {
  return Object.entries(values)
    .flatMap(([name, expected]) => parts(name, expected as Match | undefined))
    .join(' and ')
}

function parts(name: string, expected: Match | undefined): string[] {
  if (expected === undefined) return []
  const single =
    typeof expected !== 'object' || expected === null || Array.isArray(expected) || isPattern(expected)
  if (single) return [`${name} ${showValue(expected)}`]
  return Object.entries(expected).flatMap(([key, inner]) => parts(`${name}.${key}`, inner as Match))
}

/** Refuses fields that threads do not have. @throws TypeError */
export function checkThreadFields(fields: object): void {
  for (const name of Object.keys(fields)) {
    const known = Object.keys(threadSchema().shape)
    if (!known.includes(name))
      throw new TypeError(`A thread has no "${name}"${expectedOneOf(name, known, '.')}`)
  }
}
