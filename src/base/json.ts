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

/** How deep JSON may nest that is checked or written by recursion. */
export const maxDepth = 100

/** Returns whether lists and objects nest deeper than that. */
export function isTooDeep(value: unknown, depth = maxDepth): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((part) => isTooDeep(part, depth - 1))
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
