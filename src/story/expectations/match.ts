import { once } from '../../base/once.js'
import { truncate } from '../../base/text.js'
import { processorStopwatch } from '../../service/time/wall-time.js'

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

/** Conditions on a value, instead of the value itself; all of them must hold. */
interface ValueCondition {
  readonly contains?: string | undefined
  /** The source of a regular expression that must match. */
  readonly matches?: string | undefined
  /** The flags of that regular expression. */
  readonly flags?: string | undefined
  readonly at_least?: number | undefined
  readonly at_most?: number | undefined
}

/** An expected value as a story writes it: the value itself, or conditions on it. */
export type ExpectedValue = string | number | boolean | null | ValueCondition

/** A value that differs from the expected one. */
export interface Difference {
  /** The name of the value, e.g. `query.agent`. */
  readonly name: string
  readonly expected: Match
  readonly found: unknown
  /** How much it counts; by default 1. */
  readonly weight?: number
}

/**
 * Returns the values within a value that differ from the expected ones. A list is as expected of a single value if one of its
 * entries is.
 * @throws PatternError for a pattern of a story that cannot be matched
 */
export function match(expected: Match | undefined, found: unknown, name: string): Difference[] {
  if (expected === undefined) return []
  const whole = [{ name, expected, found }]
  const isOne = typeof expected !== 'object' || expected === null || expected instanceof RegExp
  if (isOne) return [found].flat().some((one) => fits(expected, one)) ? [] : whole
  if (isAsymmetric(expected)) return expected.asymmetricMatch(found) ? [] : whole
  if (typeof found !== 'object' || found === null) return whole
  if (Array.isArray(expected) || Array.isArray(found)) {
    const sameLength = Array.isArray(expected) && Array.isArray(found) && expected.length === found.length
    if (!sameLength) return whole
  }
  return Object.entries(expected).flatMap(([key, inner]) => {
    return match(inner as Match, (found as Record<string, unknown>)[key], `${name}.${key}`)
  })
}

/**
 * Returns the fields of an object that differ from the expected ones; an absent field is null. `weights` says how much some of
 * them count.
 */
export function matchFields(
  expected: Readonly<Record<string, Match | undefined>>,
  found: object,
  weights: Readonly<Record<string, number>> = {},
): Difference[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const differing = match(value, (found as Record<string, unknown>)[name] ?? null, name)
    const weight = weights[name]
    return weight === undefined ? differing : differing.map((one) => ({ ...one, weight }))
  })
}

/** Since a query contains only text, `limit: 5` and `limit: '5'` are equal. */
function fits(expected: string | number | boolean | null | RegExp, found: unknown): boolean {
  // Unlike `test`, `search` ignores the `lastIndex` of a global pattern.
  if (expected instanceof RegExp) return typeof found === 'string' && found.search(expected) >= 0
  return (
    expected === found || (expected !== null && typeof expected !== 'string' && String(expected) === found)
  )
}

/** Returns what an expected value of a story matches. */
export function matchOf(expected: ExpectedValue): Match {
  if (typeof expected !== 'object' || expected === null) return expected
  return matcher(describeCondition(expected), (found) => [found].flat().some((one) => meets(expected, one)))
}

/** Returns what matches the id of a thread or a message that a story names by its key, e.g. `thread refund`. */
export function matchOfId(id: string, name: string): AsymmetricMatcher {
  return matcher(`${formatValue(id)} (${name})`, (found) => [found].flat().includes(id))
}

/** Returns what several expected values of a story match, by name. */
export function matchesOf(values: Readonly<Record<string, ExpectedValue>>): Record<string, Match> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, matchOf(value)]))
}

function meets(condition: ValueCondition, found: unknown): boolean {
  const { contains, matches, flags = '', at_least: least, at_most: most } = condition
  const text = typeof found === 'string' ? found : undefined
  const number = numberIn(found)
  return (
    (contains === undefined || text?.includes(contains) === true) &&
    (matches === undefined || (text !== undefined && matchesPattern(matches, flags, text))) &&
    (least === undefined || (number !== undefined && number >= least)) &&
    (most === undefined || (number !== undefined && number <= most))
  )
}

function numberIn(found: unknown): number | undefined {
  if (typeof found === 'number') return found
  if (typeof found !== 'string' || found.trim() === '') return undefined
  const number = Number(found)
  return Number.isNaN(number) ? undefined : number
}

function describeCondition({ contains, matches, flags = '', ...limits }: ValueCondition): string {
  const parts = [
    ...(contains === undefined ? [] : [`containing ${formatValue(contains)}`]),
    ...(matches === undefined ? [] : [`matching /${matches}/${flags}`]),
    ...(limits.at_least === undefined ? [] : [`at least ${limits.at_least}`]),
    ...(limits.at_most === undefined ? [] : [`at most ${limits.at_most}`]),
  ]
  return parts.length === 0 ? 'anything' : parts.join(' and ')
}

/** Returns a matcher that is described by a text. */
export function matcher(text: string, asymmetricMatch: (found: unknown) => boolean): AsymmetricMatcher {
  return Object.assign({ asymmetricMatch }, { toAsymmetricMatcher: () => text })
}

/** Returns a matcher that only describes what is expected. */
export function described(text: string): AsymmetricMatcher {
  return matcher(text, () => false)
}

/** Returns how far something is from the expected values: the sum of the weights of its differences. */
export function distanceOf(differences: readonly Difference[]): number {
  return differences.reduce((sum, { weight = 1 }) => sum + weight, 0)
}

/** Formats a difference: `query.limit: expected "50", found "5"`. */
export function formatDifference({ name, expected, found }: Difference): string {
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

/** The processor time that a pattern may take for a text, in milliseconds. */
const limit = 250

/** A pattern of a story that could not be matched, so that nothing can be said of what it is expected of. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/** Returns whether a text matches. @throws an error of Node when that takes longer than the limit */
type Test = (pattern: { readonly source: string; readonly flags: string; readonly text: string }) => boolean

/**
 * Matches in a context of its own, since Node can interrupt what runs in one; all patterns share it, since each context takes half
 * a megabyte. A browser has none.
 */
const test = once((): Test => {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> }
  const vm = process?.getBuiltinModule?.('node:vm')
  if (!vm) return ({ source, flags, text }) => new RegExp(source, flags).test(text)
  const context = vm.createContext({})
  const script = new vm.Script('new RegExp(source, flags).test(text)')
  return (pattern) => {
    return script.runInContext(Object.assign(context, pattern), { timeout: limit }) === true
  }
})

/**
 * Returns whether a text matches a regular expression of a story. Some take exponential time for some texts, and matching blocks
 * the whole process.
 * @throws PatternError if it takes longer than 250 ms
 */
function matchesPattern(source: string, flags: string, text: string): boolean {
  const used = processorStopwatch()
  for (;;) {
    try {
      return test()({ source, flags: `u${flags}`, text })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const isTimeout = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      // Other programs had the processor: a verdict does not depend on how busy the machine is.
      if (isTimeout && used() < limit) continue
      const why = isTimeout
        ? `took longer than ${limit} ms for a text of ${text.length} characters; simplify it`
        : `could not be matched: ${message}`
      throw new PatternError(`the pattern /${source}/ ${why}`)
    }
  }
}
