import { truncate } from '../../base/text.js'

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

/** The expected value of a field of a known type. */
export type FieldMatch<Value> =
  | Value
  | AsymmetricMatcher
  | (string extends Value ? RegExp : never)
  | (Value extends readonly unknown[] | object ? Match : never)

/** A value that differs from the expected one. */
export interface Mismatch {
  /** The name of the value, e.g. `query.agent`. */
  readonly name: string
  readonly expected: Match
  readonly found: unknown
  /** How much it counts; by default 1. */
  readonly weight?: number
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

/** Returns the fields of an object that differ from the expected ones; an absent field is null. */
export function fieldMismatches(
  expected: Readonly<Record<string, Match | undefined>>,
  found: object,
): Mismatch[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    return mismatches(name, value, (found as Record<string, unknown>)[name] ?? null)
  })
}

/** Compares values; since a query contains only text, `limit: 5` and `limit: '5'` are equal. */
function sameText(expected: Match, found: unknown): boolean {
  return expected === found || (typeof expected === 'number' && String(expected) === found)
}

/** Formats a mismatch: `query.limit: expected "50", found "5"`. */
export function formatMismatch({ name, expected, found }: Mismatch): string {
  return `${name}: expected ${formatValue(expected)}, found ${formatValue(found)}`
}

/** Describes expected values: `query.agent "support" and status 200`; empty if there are none. */
export function describeExpected(values: object): string {
  return Object.entries(values)
    .flatMap(([name, expected]) => describeWithin(name, expected as Match | undefined))
    .join(' and ')
}

function describeWithin(name: string, expected: Match | undefined): string[] {
  if (expected === undefined) return []
  const isWhole =
    typeof expected !== 'object' || expected === null || Array.isArray(expected) || isPattern(expected)
  if (isWhole) return [`${name} ${formatValue(expected)}`]
  return Object.entries(expected).flatMap(([key, inner]) => describeWithin(`${name}.${key}`, inner as Match))
}

/** Formats a value or a pattern in a line; long ones are truncated. */
export function formatValue(value: unknown): string {
  const patternOr = (_: string, inner: unknown): unknown => nameOfPattern(inner) ?? inner
  const text = nameOfPattern(value) ?? JSON.stringify(value, patternOr) ?? 'nothing'
  return truncate(text.replace(invisible, escaped), 120)
}

/** Characters that look like others, or like nothing, by which texts that look equal differ. */
const invisible = /[\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060\ufeff]/g

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Returns whether a value is a pattern: a regular expression or an asymmetric matcher. */
export function isPattern(value: unknown): value is RegExp | AsymmetricMatcher {
  return value instanceof RegExp || isAsymmetric(value)
}

function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return typeof (value as AsymmetricMatcher | null | undefined)?.asymmetricMatch === 'function'
}

function nameOfPattern(value: unknown): string | undefined {
  if (value instanceof RegExp) return String(value)
  if (!isAsymmetric(value)) return undefined
  const { sample, toAsymmetricMatcher } = value as { sample?: unknown; toAsymmetricMatcher?(): string }
  if (toAsymmetricMatcher) return toAsymmetricMatcher.call(value)
  const hasValue = typeof sample === 'object' || typeof sample === 'string'
  return hasValue ? `${value} ${formatValue(sample)}` : String(value)
}

/** Returns how far something is from the expected values: the sum of the weights of its mismatches. */
export function distanceOf(mismatches: readonly Mismatch[]): number {
  return mismatches.reduce((sum, { weight = 1 }) => sum + weight, 0)
}

/** Returns a matcher that only describes what is expected. */
export function described(text: string): AsymmetricMatcher {
  return Object.assign({ asymmetricMatch: () => false }, { toAsymmetricMatcher: () => text })
}
