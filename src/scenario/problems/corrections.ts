import type { Path } from './places.js'
import { valueAt } from './schema-walk.js'
import type { UnknownKey } from './unknown-key.js'

/** A copy of a value with its misspelt keys put right, so that the rest of it can be looked at. */
export class Corrections {
  #copy: unknown
  readonly #original: unknown
  readonly #made = new Map<string, string>()

  constructor(original: unknown) {
    this.#original = original
  }

  /** The value, with what has been put right. */
  get value(): unknown {
    return this.#made.size === 0 ? this.#original : this.#copy
  }

  /** Puts a key right where that is clear and the right one is free; whether it did. */
  add({ path, key, meant }: UnknownKey): boolean {
    if (meant === undefined) return false
    const parent = path.slice(0, -1)
    this.#copy ??= copyOf(this.#original, new Map())
    const map = valueAt(this.#copy, parent) as Record<string, unknown>
    if (!Object.hasOwn(map, key) || Object.hasOwn(map, meant)) return false
    map[meant] = map[key]
    delete map[key]
    this.#made.set(JSON.stringify([...parent, meant]), key)
    return true
  }

  /** A problem of the corrected value, as one of the original. */
  original<Problem extends { readonly path: Path; readonly place?: Path }>(problem: Problem): Problem {
    if (this.#made.size === 0) return problem
    const { path, place } = problem
    return { ...problem, path: this.#originalPath(path), ...(place && { place: this.#originalPath(place) }) }
  }

  #originalPath(path: Path): Path {
    return path.map((step, index) => this.#made.get(JSON.stringify(path.slice(0, index + 1))) ?? step)
  }
}

/** A copy of the lists and maps in a value; what is in it several times is so in the copy. */
function copyOf(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {}
  copies.set(value, copy)
  for (const [key, child] of Object.entries(value)) {
    // Not an assignment, because the key may be `__proto__`.
    const own = { value: copyOf(child, copies), configurable: true, enumerable: true, writable: true }
    Object.defineProperty(copy, key, own)
  }
  return copy
}
