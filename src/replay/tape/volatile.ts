import type { z } from '../../contract/schema.js'
import type { TapedRequest } from './tape.js'
import { TapeError } from './tape-error.js'

type Json = z.infer<ReturnType<typeof z.json>>

/** What of requests may differ from run to run. */
export interface Volatile {
  /** Whether it counts how often the same request comes in a row. */
  readonly repeats: boolean
  /** Places in a request: `['query', 'offset']`; `*` stands for every item of a list, and for every field. */
  readonly places: readonly (readonly string[])[]
}

/** What is volatile unless somebody says otherwise: fields that clients make up anew for each request. */
export const usuallyVolatile: readonly string[] = [
  'query._',
  'query.nonce',
  'query.request_id',
  'query.timestamp',
  'body.nonce',
  'body.request_id',
  'body.timestamp',
]

/** Reads the list of `--volatile`. @throws TapeError `unknown-field` */
export function parseVolatileList(text: string): string[] {
  const names = text.split(',').flatMap((name) => name.trim() || [])
  for (const name of names) placeOf(name, '--volatile')
  return names
}

/** What names of volatile fields stand for; `from` is where they were read. @throws TapeError `unknown-field` */
export function volatileOf(names: readonly string[], from: string): Volatile {
  const fields = names.filter((name) => name !== 'repeats')
  return { repeats: fields.length < names.length, places: fields.map((name) => placeOf(name, from)) }
}

function placeOf(name: string, from: string): string[] {
  const place = name.split('.')
  const [part] = place
  const known = name === 'repeats' || (name === 'path' && place.length === 1)
  const inside = (part === 'query' || part === 'body') && place.every((step) => step !== '')
  if (known || inside) return place
  throw new TapeError(
    'unknown-field',
    `${from}: "${name}" is nothing that can be volatile; name query.offset, body.note, body.items.*.id, path, ` +
      'or repeats (how often the same request comes in a row).',
  )
}

/** A request without what may differ. */
export function stableRequest(request: TapedRequest, { places }: Volatile): TapedRequest {
  let { path, query, body } = request
  for (const [part, ...inside] of places) {
    if (part === 'path') path = ''
    else if (part === 'query') query = inside.length === 0 ? {} : without(query, inside)
    else body = inside.length === 0 ? null : without(body, inside)
  }
  return { method: request.method, path, query, body }
}

/** A value without what is at a place in it. */
function without<Value extends Json>(value: Value, [step, ...rest]: readonly string[]): Value {
  if (step === undefined || typeof value !== 'object' || value === null) return value
  const left = Object.entries(value).flatMap(([name, item]): [string, Json][] => {
    if (step !== '*' && step !== name) return [[name, item]]
    return rest.length === 0 ? [] : [[name, without(item, rest)]]
  })
  return (Array.isArray(value) ? left.map(([, item]) => item) : Object.fromEntries(left)) as Value
}
