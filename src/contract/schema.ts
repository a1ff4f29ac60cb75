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
    return `${place === '' ? '' : `${place}: `}${messageOf(issue, schema)}`
  })
  const further = issues.length - mostIssues
  if (further > 0) lines.push(`and ${further} more`)
  return lines.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)).join('\n')
}

function messageOf(issue: z.core.$ZodIssue, schema: z.ZodType | undefined): string {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path)
    return issue.keys.map((key) => `unknown key "${key}"${hintFor(key, known)}`).join('\n')
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map((value) => JSON.stringify(value))
    return `expected ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`
  }
  return issue.message.replace(/^Invalid input: /, '').replace(/received undefined$/, 'but it is missing')
}

function hintFor(key: string, known: readonly string[]): string {
  return known.length === 0 ? '' : didYouMean(key, known) || `; there is ${known.join(', ')}`
}

/** The keys that an object has at a place of a schema, as far as objects lead there. */
function keysAt(schema: z.ZodType | undefined, path: readonly PropertyKey[]): string[] {
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
