import { keysOf, schemasAt, z } from './schema.js'
import { didYouMean, expectedOneOf } from './text.js'

/** The maximum number of mistakes that are listed, and of characters in a line. */
const listed = 20
const lineLimit = 400

/** One thing that is wrong with a value, as the schema library finds it. */
export type Issue = z.core.$ZodIssue

/** Stands for a message that a schema does not have; who explains the issue then composes it. */
export const unsaid = ''

/** Returns the issues of a value that its schema does not fit. Their messages are only those that the schema itself has. */
export function issuesOf(schema: z.core.$ZodType, value: unknown): Issue[] {
  return z.safeParse(schema, value, { error: () => unsaid }).error?.issues ?? []
}

/** Returns the issues of an issue: of a union, those of the alternative for values of its kind, if there is one. */
export function chosenIssues(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const chosen = issue.errors.find((issues) => issues.length > 0 && !issues.some(isOfOtherKind))
  if (!chosen) return [issue]
  return chosen.flatMap(chosenIssues).map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
}

function isOfOtherKind(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  return issue.code === 'invalid_type' || (issue.code === 'invalid_union' && chosenIssues(issue)[0] === issue)
}

/** A mistake in a value that a program passes, in the words of JSON. */
export interface ValueMistake {
  readonly path: readonly PropertyKey[]
  /** The key that is unknown there, if that is the mistake. */
  readonly key?: string
  readonly message: string
}

/**
 * Explains what is wrong with a value that a schema does not fit: a line for each mistake, with its place, up to a limit.
 * An unknown key is reported with the key that was probably meant.
 */
export function explainValue(schema: z.core.$ZodType, value: unknown): string {
  const mistakes = mistakesIn(schema, value)
  const lines = mistakes.slice(0, listed).map(({ path, message }) => lineOf(path, message))
  if (mistakes.length > listed) lines.push(`and ${mistakes.length - listed} more`)
  return lines.map((line) => (line.length > lineLimit ? `${line.slice(0, lineLimit)}…` : line)).join('\n')
}

/** Returns what is wrong with a value; empty if the schema fits it. */
export function mistakesIn(schema: z.core.$ZodType, value: unknown): ValueMistake[] {
  return issuesOf(schema, value).flatMap((issue) => {
    const { path } = issue
    if (issue.code !== 'unrecognized_keys') return [{ path, message: wordsFor(issue, partOf(value, path)) }]
    const known = schemasAt(schema, path).flatMap(keysOf)
    return issue.keys.map((key) => {
      const hint = known.length === 0 ? '' : expectedOneOf(key, known)
      return { path, key, message: `unknown key "${key}"${hint}` }
    })
  })
}

function lineOf(path: readonly PropertyKey[], message: string): string {
  return path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`
}

function partOf(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, step) => Object(part)[step], value)
}

/** Says what would be valid instead of a value. */
function wordsFor(issue: Issue, value: unknown): string {
  if (issue.message !== unsaid) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}${value === undefined ? ', but it is missing' : `, received ${typeOf(value)}`}`
    case 'invalid_value': {
      const values = issue.values.map((one) => JSON.stringify(one))
      const hint = typeof value === 'string' ? didYouMean(value, issue.values.map(String)) : ''
      return `expected ${values.length === 1 ? '' : 'one of '}${values.join(', ')}${hint}`
    }
    case 'too_small':
      if (issue.origin === 'array' && issue.minimum === 1) return 'expected at least one entry'
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
    case 'invalid_format':
      return issue.format !== 'regex'
        ? (formats[issue.format] ?? `Invalid ${issue.format}`)
        : `expected a text that matches ${issue.pattern}`
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`
    case 'invalid_union':
      return explainUnion(issue, value)
    default:
      return 'it does not fit'
  }
}

/** What has a size, by the type of a value. */
const units: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'items',
  set: 'items',
  map: 'entries',
  file: 'bytes',
}

function bound(origin: string, relation: string, limit: number | bigint): string {
  const unit = units[origin]
  return `expected ${origin} to ${unit ? 'have' : 'be'} ${relation} ${limit}${unit ? ` ${unit}` : ''}`
}

/** What is said of texts that are not of a format, by the name of the format. */
const formats: Readonly<Record<string, string>> = {
  base64: 'expected base64',
  url: 'Invalid URL',
  email: 'Invalid email address',
  uuid: 'Invalid UUID',
  datetime: 'Invalid ISO datetime',
  date: 'Invalid ISO date',
}

/** Explains what is wrong with the closest of several alternatives. */
function explainUnion({ errors }: z.core.$ZodIssueInvalidUnion, value: unknown): string {
  const forms = errors.map(([issue, ...others]) => {
    return issue && issue.path.length === 0 && others.length === 0 ? wordsFor(issue, value) : undefined
  })
  if (forms.every((form) => form?.startsWith('expected '))) {
    return `expected ${forms.map((form) => form?.slice('expected '.length).replace(/, (received|but it is) .*/, '')).join(' or ')}`
  }
  // An alternative with a problem inside the value is closer than one that the whole value does not fit.
  const isWhole = ([first]: (typeof errors)[number]) => Number(first?.path.length === 0)
  const [nearest] = errors.toSorted((a, b) => isWhole(a) - isWhole(b) || a.length - b.length)
  const [issue] = nearest ?? []
  return issue
    ? lineOf(issue.path, wordsFor(issue, partOf(value, issue.path)))
    : 'it has none of the possible forms'
}

/** Names the type of a value as programs do. */
function typeOf(value: unknown): string {
  if (value === null || Array.isArray(value)) return value === null ? 'null' : 'array'
  return Number.isNaN(value) ? 'NaN' : typeof value
}
