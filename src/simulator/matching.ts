import type { OperationName } from '../contract/operations.js'
import type { Exchange } from '../world/index.js'

/** What a request, or a field of it, must be: that very value, or, for text, something that fits a pattern. */
export type Match =
  | string
  | number
  | boolean
  | null
  | RegExp
  | readonly Match[]
  | { readonly [key: string]: Match }

/** Which exchanges are meant; what is left out may be anything, and so may fields beside those of a body. */
export interface ExchangeMatch {
  readonly operation?: OperationName
  readonly method?: string
  readonly path?: string | RegExp
  /** Parameters of the query; null for one that was left out. */
  readonly query?: Readonly<Record<string, string | RegExp | null>>
  /** Fields of the JSON body of the request. */
  readonly body?: Match
  readonly status?: number
}

/** What keeps an exchange from being one that is meant, a line each; none when it is. */
export function differencesFrom(match: ExchangeMatch, exchange: Exchange): string[] {
  const { query = {}, body, ...plain } = match
  const fields = (Object.entries(plain) as [keyof typeof plain, Match][]).flatMap(([name, wanted]) => {
    return differences(name, wanted, exchange[name])
  })
  const parameters = Object.entries(query).flatMap(([name, wanted]) => {
    return differences(`query.${name}`, wanted, exchange.query[name] ?? null)
  })
  const inBody = body === undefined ? [] : differences('body', body, jsonOf(exchange.request.body))
  return [...fields, ...parameters, ...inBody]
}

/** What keeps a value from being the one that is meant; `name` is how it is spoken of. */
export function differences(name: string, wanted: Match | undefined, found: unknown): string[] {
  if (wanted === undefined) return []
  if (wanted instanceof RegExp) {
    return typeof found === 'string' && wanted.test(found) ? [] : [difference(name, wanted, found)]
  }
  if (typeof wanted !== 'object' || wanted === null) {
    return sameText(wanted, found) ? [] : [difference(name, wanted, found)]
  }
  if (typeof found !== 'object' || found === null || Array.isArray(wanted) !== Array.isArray(found)) {
    return [difference(name, wanted, found)]
  }
  return Object.entries(wanted).flatMap(([key, inner]) => {
    return differences(`${name}.${key}`, inner as Match, (found as Record<string, unknown>)[key])
  })
}

/** A query holds text only: `limit: 5` and `limit: '5'` mean the same. */
function sameText(wanted: Match, found: unknown): boolean {
  return wanted === found || (typeof wanted === 'number' && String(wanted) === found)
}

function difference(name: string, wanted: Match, found: unknown): string {
  return `${name}: expected ${show(wanted)}, found ${show(found)}`
}

function show(value: unknown): string {
  const text = value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? 'nothing')
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

function jsonOf(body: string | null): unknown {
  try {
    return body === null ? null : JSON.parse(body)
  } catch {
    return body
  }
}
