import type { Settle } from '../world/index.js'
import { reject } from './request-error.js'

/** What a number in the query must be, and what it is when it is not given. */
export interface IntegerBounds {
  readonly default: number
  readonly minimum: number
  readonly maximum: number
}

/** Settles a value that is no integer or out of bounds; `nearest` is the bound, or the default. */
export type SettleOutside = (given: string, nearest: number) => number

/** The query of one request, read by the contract's parameter names. */
export class Query {
  /** Undefined where there is none, as in most requests. */
  readonly #parameters: URLSearchParams | undefined
  readonly #settle: Settle

  constructor(search: string, settle: Settle) {
    this.#parameters = search === '' ? undefined : new URLSearchParams(search)
    this.#settle = settle
  }

  /** Whether no parameter was given. */
  get isEmpty(): boolean {
    return !this.#parameters || this.#parameters.size === 0
  }

  /** The names of the parameters that were given. */
  get names(): readonly string[] {
    return [...new Set(this.#parameters?.keys() ?? [])]
  }

  /** Whether a parameter was given. */
  has(name: string): boolean {
    return this.#parameters?.has(name) ?? false
  }

  /** The value of a parameter, or undefined. */
  text(name: string): string | undefined {
    if (!this.#parameters) return undefined
    const values = this.#parameters.getAll(name)
    if (values.length < 2) return values[0]
    return this.#settle('query.repeated-parameter', {
      first: () => values[0],
      last: () => values.at(-1),
      rejected: () => reject(`The query parameter "${name}" was given ${values.length} times; give it once.`),
    })
  }

  /** The value of a number; whatever it was given as, the result lies in its bounds. */
  integer(name: string, bounds: IntegerBounds, outside: SettleOutside): number {
    const given = this.text(name)
    if (given === undefined) return bounds.default
    const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN
    if (value >= bounds.minimum && value <= bounds.maximum) return value + 0
    const nearest = Number.isNaN(value)
      ? bounds.default
      : Math.min(Math.max(value, bounds.minimum), bounds.maximum)
    return outside(given, nearest)
  }

  /** Settles what becomes of parameters that are not among the names. */
  allow(names: readonly string[]): void {
    for (const name of this.#parameters?.keys() ?? []) {
      if (names.includes(name)) continue
      this.#settle('query.unknown-parameters', {
        ignored: () => undefined,
        rejected: () =>
          reject(`There is no query parameter "${name}" here; there is ${names.join(', ') || 'none'}.`),
      })
    }
  }
}
