import { type AsymmetricMatcher, showValue } from '../../simulator/matching.js'
import type { ExpectedValue, ThreadReference, ValueCondition } from '../../world/index.js'

/** A value that is expected, as matching takes one. Of a list, one entry has to fit. */
export class WantedValue implements AsymmetricMatcher {
  readonly #wanted: ExpectedValue

  constructor(wanted: ExpectedValue) {
    this.#wanted = wanted
  }

  /** A text that what is wanted is like, where there is one. */
  get text(): string | undefined {
    const wanted = this.#wanted
    if (typeof wanted === 'string') return wanted
    return isCondition(wanted) ? wanted.contains : undefined
  }

  /** Whether a value is as it has to be. */
  asymmetricMatch(found: unknown): boolean {
    const wanted = this.#wanted
    if (Array.isArray(found)) return found.some((entry) => fits(wanted, entry))
    return fits(wanted, found)
  }

  /** What it is within a larger value that is shown. */
  toJSON(): unknown {
    return typeof this.#wanted === 'object' ? this.#wanted && this.toAsymmetricMatcher() : this.#wanted
  }

  /** What it has to be, beside what was found: `text containing "Refund"`. */
  toAsymmetricMatcher(): string {
    const wanted = this.#wanted
    if (!isCondition(wanted)) return formatPlain(wanted)
    const { contains, matches, atLeast, atMost } = wanted
    const text = [
      ...(contains === undefined ? [] : [`containing ${showValue(contains)}`]),
      ...(matches === undefined ? [] : [`matching /${matches}/`]),
    ]
    const number = [
      ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
      ...(atMost === undefined ? [] : [`at most ${atMost}`]),
    ]
    const parts = [...(text.length === 0 ? [] : [`text ${text.join(' and ')}`]), ...number]
    return parts.length === 0 ? 'anything' : parts.join(' and ')
  }
}

/** Values by name, as matching takes them. */
export function wantedValues(values: Readonly<Record<string, ExpectedValue>>): Record<string, WantedValue> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new WantedValue(value)]))
}

/** What values have to be, in words: `unread false and subject containing "Refund"`. */
export function describeWanted(values: Readonly<Record<string, ExpectedValue>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${describeOne(value)}`)
    .join(' and ')
}

function describeOne(wanted: ExpectedValue): string {
  if (!isCondition(wanted)) return formatPlain(wanted)
  return new WantedValue(wanted)
    .toAsymmetricMatcher()
    .replace(/^text /, '')
    .replace(/(^| and )(at (?:least|most) )/g, '$1of $2')
}

function formatPlain(wanted: Exclude<ExpectedValue, ValueCondition>): string {
  return isThread(wanted) ? `${showValue(wanted.threadId)} (thread ${wanted.key})` : showValue(wanted)
}

function isThread(wanted: ExpectedValue): wanted is ThreadReference {
  return typeof wanted === 'object' && wanted !== null && 'threadId' in wanted
}

function isCondition(wanted: ExpectedValue): wanted is ValueCondition {
  return typeof wanted === 'object' && wanted !== null && !isThread(wanted)
}

function fits(wanted: ExpectedValue, found: unknown): boolean {
  if (isCondition(wanted)) return meets(wanted, found)
  if (isThread(wanted)) return found === wanted.threadId
  if (wanted === found) return true
  // A query holds text only: 5 and "5" mean the same.
  return wanted !== null && typeof wanted !== 'string' && String(wanted) === found
}

function meets({ contains, matches, atLeast, atMost }: ValueCondition, found: unknown): boolean {
  const text = typeof found === 'string' ? found : undefined
  if (contains !== undefined && !text?.includes(contains)) return false
  if (matches !== undefined && !(text !== undefined && new RegExp(matches, 'u').test(text))) return false
  const number = numberIn(found)
  if (atLeast !== undefined && !(number !== undefined && number >= atLeast)) return false
  return atMost === undefined || (number !== undefined && number <= atMost)
}

function numberIn(found: unknown): number | undefined {
  if (typeof found === 'number') return found
  if (typeof found !== 'string' || found.trim() === '') return undefined
  const number = Number(found)
  return Number.isNaN(number) ? undefined : number
}
