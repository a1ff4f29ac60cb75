import { z } from 'zod'
import { didYouMean } from './text.js'

/** The only import of zod; everything that describes a shape takes it from here. */
export { z } from 'zod'

/** So many issues are told of, in lines of so many characters. */
const mostIssues = 20
const longestLine = 400

/**
 * Returns what is wrong with a value, an issue after its place a line each; of many, the first ones and how many follow.
 * Keys that `schema` does not have are told with the one that was meant.
 */
export function explainIssues({ issues }: z.ZodError, schema?: z.ZodType): string {
  const lines = issues.slice(0, mostIssues).map((issue) => {
    const place = z.core.toDotPath(issue.path)
    return `${place === '' ? '' : `${place}: `}${explainIssue(issue, schema)}`
  })
  const further = issues.length - mostIssues
  if (further > 0) lines.push(`and ${further} more`)
  return lines.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)).join('\n')
}

/** Returns what is wrong at the place of an issue, in words of our own. */
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

/** Of several forms, what is wrong with the one that fits best. */
function explainUnion({ errors, message }: z.core.$ZodIssueInvalidUnion): string {
  if (message !== 'Invalid input') return message
  const [nearest] = errors.toSorted((a, b) => a.length - b.length)
  const [issue] = nearest ?? []
  if (!issue) return 'it has none of the forms there are'
  const place = z.core.toDotPath(issue.path)
  return `${place === '' ? '' : `${place}: `}${explainIssue(issue)}`
}

function hintFor(key: string, known: readonly string[]): string {
  return known.length === 0 ? '' : didYouMean(key, known) || `; there is ${known.join(', ')}`
}

/** The keys that an object has at a place of a schema, as far as objects lead there. */
function keysAt(schema: z.core.$ZodType | undefined, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema
  for (const step of [...path, undefined]) {
    while (at instanceof z.ZodOptional || at instanceof z.ZodNullable || at instanceof z.ZodDefault)
      at = at.unwrap()
    if (step === undefined) break
    at =
      at instanceof z.ZodArray ? at.element : at instanceof z.ZodObject ? at.shape[String(step)] : undefined
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : []
}

/** A part of a value, and where it stands. */
interface Place {
  readonly part: unknown
  readonly key?: string | number
  readonly within?: Place
}

/** Finds the keys named `__proto__` in a value, which schemas of maps with any keys leave out without a word. */
export function hiddenKeys(value: unknown): PropertyKey[][] {
  const found: PropertyKey[][] = []
  const seen = new Set<unknown>()
  // Not by recursion: what a request brings may be nested deeply.
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
