import { joinBytes } from './bytes.js'

const encoder = new TextEncoder()
const pieceLength = 65_536

/** Parses JSON; undefined when the text is malformed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Formats JSON on one line with a space after each comma and colon, as Python does. */
export function spacedJson(value: object): string {
  // Line breaks in strings are escaped, so these are between the parts.
  return JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '')
}

/** Formats JSON in ASCII, with escaped slashes, as PHP does. */
export function escapedJson(value: object): string {
  return JSON.stringify(value).replace(/[/\u0080-\uffff]/g, (unit) => {
    return unit === '/' ? '\\/' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Returns a copy of plain data, with the same result as parsing its JSON, but without copying its strings. */
export function plainCopy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plainCopy) as Value
  const copy: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value)) if (part !== undefined) copy[name] = plainCopy(part)
  return copy as Value
}

/**
 * Encodes an object as UTF-8, with the same result as `JSON.stringify`. Long strings in it, and in nested
 * objects, are encoded in pieces, because engines hold several copies of a string in memory while they encode
 * it. The text is between `before` and `after`.
 */
export function encodeJson(value: object, before = '', after = ''): Uint8Array<ArrayBuffer> {
  const pieces = Array.from(piecesOf(value), (piece) => encoder.encode(piece))
  if (before !== '') pieces.unshift(encoder.encode(before))
  if (after !== '') pieces.push(encoder.encode(after))
  return joinBytes(pieces)
}

function* piecesOf(value: unknown): Generator<string> {
  if (isLong(value)) {
    yield '"'
    for (let start = 0, end = 0; start < value.length; start = end) {
      end = start + pieceLength
      // Surrogate pairs are not split.
      if (/[\ud800-\udbff]/.test(value.charAt(end - 1))) end -= 1
      yield JSON.stringify(value.slice(start, end)).slice(1, -1)
    }
    yield '"'
  } else if (containsLong(value)) {
    let before = '{'
    for (const [key, part] of Object.entries(value)) {
      if (part === undefined) continue
      yield `${before}${JSON.stringify(key)}:`
      yield* piecesOf(part)
      before = ','
    }
    yield '}'
  } else yield JSON.stringify(value)
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > pieceLength
}

function containsLong(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).some((part) => isLong(part) || containsLong(part))
}

/**
 * Formats JSON that ends in a list, item by item: thousands of exchanges with their bodies can exceed the maximum length
 * of a string. `before` and `after` are the text around the items.
 */
export function* jsonList<Item>(
  [before, after]: readonly [string, string],
  items: readonly Item[],
  show: (item: Item) => object,
): Generator<string> {
  yield before
  for (const [index, item] of items.entries()) {
    yield `${index > 0 ? ',\n' : ''}${JSON.stringify(show(item))}`
  }
  yield after
}
