import { z } from 'zod'

/** The only import of zod; every schema uses this one. */
export { z } from 'zod'

/** A key of a value that its schema drops: its place, and the keys that the schema knows there. */
interface DroppedKey {
  readonly place: string
  readonly known: readonly string[]
}

/** Returns the keys that object schemas drop from a valid value. */
export function droppedKeys(
  schema: unknown,
  value: unknown,
  path: readonly PropertyKey[] = [],
): DroppedKey[] {
  const bare = unwrapped(schema)
  if (bare instanceof z.ZodPipe) return droppedKeys(bare.in, value, path)
  if (bare instanceof z.ZodUnion) {
    return droppedKeys(
      bare.options.find((one) => z.safeParse(one, value).success),
      value,
      path,
    )
  }
  if (bare instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, place) => droppedKeys(bare.element, item, [...path, place]))
  }
  if (!(bare instanceof z.ZodObject) || typeof value !== 'object' || value === null) return []
  const { shape, def } = bare
  return Object.entries(value).flatMap(([key, part]) => {
    const own = [...path, key]
    if (Object.hasOwn(shape, key)) return droppedKeys(shape[key], part, own)
    return def.catchall ? [] : [{ place: z.core.toDotPath(own), known: Object.keys(shape) }]
  })
}

/** Returns a schema without what makes its value optional. */
export function unwrapped(schema: unknown): unknown {
  let at = schema
  while (
    at instanceof z.ZodOptional ||
    at instanceof z.ZodNullable ||
    at instanceof z.ZodDefault ||
    at instanceof z.ZodPrefault
  )
    at = at.unwrap()
  return at
}

/** Returns the alternatives of a schema, without what makes their values optional or changes them. */
export function alternativesOf(schema: unknown): z.core.$ZodType[] {
  const bare = unwrapped(schema)
  if (bare instanceof z.ZodPipe) return alternativesOf(bare.in)
  if (bare instanceof z.ZodUnion) return bare.options.flatMap(alternativesOf)
  return bare instanceof z.ZodType ? [bare] : []
}

/** Returns the alternatives for the value of a key, or for an entry, within values of some schemas. */
export function schemasWithin(schemas: readonly z.core.$ZodType[], step: PropertyKey): z.core.$ZodType[] {
  return schemas.flatMap((schema) => {
    if (typeof step === 'number') {
      if (schema instanceof z.ZodArray) return alternativesOf(schema.element)
      return schema instanceof z.ZodTuple ? alternativesOf(schema.def.items[step]) : []
    }
    if (schema instanceof z.ZodRecord) return alternativesOf(schema.valueType)
    const isKey = schema instanceof z.ZodObject && Object.hasOwn(schema.shape, step)
    return isKey ? alternativesOf(schema.shape[String(step)]) : []
  })
}

/** Returns the alternatives for the value at a path; none if the schema says nothing about it. */
export function schemasAt(schema: unknown, path: readonly PropertyKey[]): z.core.$ZodType[] {
  return path.reduce(schemasWithin, alternativesOf(schema))
}

/** Returns the keys that maps of a schema may have, except for those that messages do not name. */
export function keysOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodRecord) {
    return alternativesOf(schema.keyType).flatMap((key) =>
      key instanceof z.ZodEnum ? key.options.map(String) : [],
    )
  }
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries<unknown>(schema.shape).flatMap(([key, part]) => {
    const isInternal = alternativesOf(part).some(
      (one) => one instanceof z.ZodType && one.meta()?.['internal'],
    )
    return isInternal ? [] : [key]
  })
}

/** A part of a value, and its place in it. */
interface Place {
  readonly part: unknown
  readonly key?: string | number
  readonly within?: Place
}

/** Finds the keys named `__proto__` in a value, which record schemas silently drop. */
export function hiddenKeys(value: unknown): PropertyKey[][] {
  const found: PropertyKey[][] = []
  const seen = new Set<unknown>()
  // No recursion: the value of a request may be deeply nested.
  const open: Place[] = [{ part: value }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { part } = next
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    for (const [key, child] of Object.entries(part)) {
      const own = { part: child, key: Array.isArray(part) ? Number(key) : key, within: next }
      if (key === '__proto__') found.push(pathOf(own))
      else if (typeof child === 'object') open.push(own)
    }
  }
  return found
}

function pathOf({ key, within }: Place): PropertyKey[] {
  return within && key !== undefined ? [...pathOf(within), key] : []
}
