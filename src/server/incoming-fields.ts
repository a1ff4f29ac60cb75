import type { IncomingHttpHeaders } from 'node:http'
import type { HeaderFields } from '../world/index.js'

/**
 * The header fields of an incoming request, as `Headers` would give them. Making one of those costs more than all that
 * is looked up in it, and the first of a process loads Node's whole `fetch`.
 */
export class IncomingFields implements HeaderFields {
  readonly #fields: IncomingHttpHeaders

  constructor(fields: IncomingHttpHeaders) {
    this.#fields = fields
  }

  get(name: string): string | null {
    const value = this.#fields[name.toLowerCase()]
    return value === undefined ? null : String(value)
  }

  has(name: string): boolean {
    return this.#fields[name.toLowerCase()] !== undefined
  }

  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (const name of Object.keys(this.#fields).sort()) yield [name, String(this.#fields[name])]
  }
}
