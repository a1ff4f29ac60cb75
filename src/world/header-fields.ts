/** The header fields of a request; `Headers` are such. Names are looked up in any case, and listed in lower case. */
export interface HeaderFields extends Iterable<readonly [name: string, value: string]> {
  get(name: string): string | null
  has(name: string): boolean
}
