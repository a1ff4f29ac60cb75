import { z } from 'zod'
import { didYouMean, expectedOneOf } from './text.js'

/** The only import of zod; every schema uses this one. */
export { z } from 'zod'

/** The maximum number of issues that are listed, and of characters in a line. */
const issueLimit = 20
const lineLimit = 400

/**
 * Explains what is wrong with a value: a line for each issue, with its place, up to a limit. Unknown keys are reported
 * with the key of `schema` that was probably meant.
 */
export function explainIssues({ issues }: z.ZodError, schema?: z.ZodType): string {
  const lines = issues.slice(0, issueLimit).map((issue) => {
    const place = z.core.toDotPath(issue.path)
    return `${place === '' ? '' : `${place}: `}${explainIssue(issue, schema)}`
  })
  const further = issues.length - issueLimit
  if (further > 0) lines.push(`and ${further} more`)
  return lines.map((line) => (line.length > lineLimit ? `${line.slice(0, lineLimit)}…` : line)).join('\n')
}

/** Explains an issue in this project's own words. */
export function explainIssue(issue: z.core.$ZodIssue, schema?: z.core.$ZodType): string {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path)
    return issue.keys.map((key) => `unknown key "${key}"${hintFor(key, known)}`).join('\n')
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map((value) => JSON.stringify(value))
    const hint = typeof issue.input === 'string' ? didYouMean(issue.input, issue.values.map(String)) : ''
    return `expected ${values.length === 1 ? '' : 'one of '}${values.join(', ')}${hint}`
  }
  if (issue.code === 'invalid_union') return explainUnion(issue)
  return issue.message
    .replace(/^(Invalid input|Too small|Too big): /, '')
    .replace(/^Invalid string: must match pattern/, 'expected a text that matches')
    .replace(/^expected array to have >=1 items$/, 'expected at least one entry')
    .replace(/^Invalid base64-encoded string$/, 'expected base64')
    .replace(/received undefined$/, 'but it is missing')
    .replace(
      /(to have|to be) >=?/,
      (sign, verb) => `${verb} ${sign.endsWith('=') ? 'at least ' : 'more than '}`,
    )
    .replace(
      /(to have|to be) <=?/,
      (sign, verb) => `${verb} ${sign.endsWith('=') ? 'at most ' : 'less than '}`,
    )
}

/** Explains what is wrong with the closest of several alternatives. */
function explainUnion({ errors, message }: z.core.$ZodIssueInvalidUnion): string {
  if (message !== 'Invalid input') return message
  const forms = errors.map(([issue, ...others]) => {
    return issue && issue.path.length === 0 && others.length === 0 ? explainIssue(issue) : undefined
  })
  if (forms.every((form) => form?.startsWith('expected '))) {
    return `expected ${forms.map((form) => form?.slice('expected '.length).replace(/, (received|but it is) .*/, '')).join(' or ')}`
  }
  // An alternative with a problem inside the value is closer than one that the whole value does not fit.
  const isWhole = ([first]: (typeof errors)[number]) => Number(first?.path.length === 0)
  const [nearest] = errors.toSorted((a, b) => isWhole(a) - isWhole(b) || a.length - b.length)
  const [issue] = nearest ?? []
  if (!issue) return 'it has none of the possible forms'
  const place = z.core.toDotPath(issue.path)
  return `${place === '' ? '' : `${place}: `}${explainIssue(issue)}`
}

function hintFor(key: string, known: readonly string[]): string {
  return known.length === 0 ? '' : expectedOneOf(key, known)
}

/** A key of a value that its schema drops: its place, and the keys that the schema knows there. */
export interface DroppedKey {
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
function unwrapped(schema: unknown): unknown {
  let at = schema
  while (at instanceof z.ZodOptional || at instanceof z.ZodNullable || at instanceof z.ZodDefault)
    at = at.unwrap()
  return at
}

/** Returns the keys of the object schema at a path; empty if the path leads to anything else. */
function keysAt(schema: z.core.$ZodType | undefined, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema
  for (const step of [...path, undefined]) {
    at = unwrapped(at)
    if (step === undefined) break
    at =
      at instanceof z.ZodArray ? at.element : at instanceof z.ZodObject ? at.shape[String(step)] : undefined
  }
  if (!(at instanceof z.ZodObject)) return []
  const keys: [string, unknown][] = Object.entries(at.shape)
  return keys.flatMap(([key, schema]) => (isInternal(schema) ? [] : [key]))
}

/** Returns whether a schema describes a value that messages do not name. */
function isInternal(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional) return isInternal(schema.unwrap())
  return schema instanceof z.ZodType && schema.meta()?.['internal'] === true
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
