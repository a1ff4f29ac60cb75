import { Pattern } from './pattern.js'
import { type AsymmetricMatcher, formatValue } from './values.js'

/** Conditions on a value, instead of the value itself; all of them must hold. */
export interface ValueCondition {
  readonly contains?: string | undefined
  /** The source of a regular expression that must match. */
  readonly matches?: string | undefined
  /** The flags of that regular expression. */
  readonly flags?: string | undefined
  readonly at_least?: number | undefined
  readonly at_most?: number | undefined
}

/** The id of a thread or a message that a scenario names by its key. */
export interface NamedId {
  readonly id: string
  /** For people: `thread refund`. */
  readonly name: string
}

/** An expected value: the value itself, a condition, or the id of a thread or a message. */
export type ExpectedValue = string | number | boolean | null | ValueCondition | NamedId

/** Matches a value against an expected one. A list matches if one of its entries does. */
export class ValueMatcher implements AsymmetricMatcher {
  readonly #expected: ExpectedValue
  readonly #pattern: Pattern | undefined

  constructor(expected: ExpectedValue) {
    this.#expected = expected
    const { matches, flags = '' } = isCondition(expected) ? expected : {}
    this.#pattern = matches === undefined ? undefined : new Pattern(matches, flags)
  }

  /** Why it cannot match; undefined if it can. */
  get problem(): string | undefined {
    return this.#pattern?.problem
  }

  /** Returns whether a value matches. */
  asymmetricMatch(found: unknown): boolean {
    if (Array.isArray(found)) return found.some((entry) => this.#fits(entry))
    return this.#fits(found)
  }

  /** Returns its representation within a larger value. */
  toJSON(): unknown {
    return typeof this.#expected === 'object' ? this.#expected && this.toAsymmetricMatcher() : this.#expected
  }

  /** Describes it in words, e.g. `containing "Refund"`. */
  toAsymmetricMatcher(): string {
    const expected = this.#expected
    if (!isCondition(expected)) return formatPlain(expected)
    const { contains, matches, flags = '', at_least: least, at_most: most } = expected
    const parts = [
      ...(contains === undefined ? [] : [`containing ${formatValue(contains)}`]),
      ...(matches === undefined ? [] : [`matching /${matches}/${flags}`]),
      ...(least === undefined ? [] : [`at least ${least}`]),
      ...(most === undefined ? [] : [`at most ${most}`]),
    ]
    return parts.length === 0 ? 'anything' : parts.join(' and ')
  }

  #fits(found: unknown): boolean {
    const expected = this.#expected
    if (isCondition(expected)) return this.#meets(expected, found)
    if (isNamedId(expected)) return found === expected.id
    if (expected === found) return true
    // Query parameters are text: 5 matches "5".
    return expected !== null && typeof expected !== 'string' && String(expected) === found
  }

  #meets({ contains, at_least: least, at_most: most }: ValueCondition, found: unknown): boolean {
    const text = typeof found === 'string' ? found : undefined
    if (contains !== undefined && !text?.includes(contains)) return false
    if (this.#pattern && !(text !== undefined && this.#pattern.test(text))) return false
    const number = numberIn(found)
    if (least !== undefined && !(number !== undefined && number >= least)) return false
    return most === undefined || (number !== undefined && number <= most)
  }
}

function formatPlain(expected: Exclude<ExpectedValue, ValueCondition>): string {
  return isNamedId(expected) ? `${formatValue(expected.id)} (${expected.name})` : formatValue(expected)
}

function isNamedId(expected: ExpectedValue): expected is NamedId {
  return typeof expected === 'object' && expected !== null && 'id' in expected
}

function isCondition(expected: ExpectedValue): expected is ValueCondition {
  return typeof expected === 'object' && expected !== null && !isNamedId(expected)
}

function numberIn(found: unknown): number | undefined {
  if (typeof found === 'number') return found
  if (typeof found !== 'string' || found.trim() === '') return undefined
  const number = Number(found)
  return Number.isNaN(number) ? undefined : number
}
