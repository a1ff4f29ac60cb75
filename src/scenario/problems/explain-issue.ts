import { didYouMean } from '../../contract/nearest.js'
import { z } from '../../contract/schema.js'
import { Corrections } from './corrections.js'
import { expectedIn, kindExpectedIn, numbersIn, unsaid } from './expected.js'
import { isSecret, nameFound, showValue } from './found-value.js'
import { hintFor } from './hints.js'
import { mapsOf } from './key-index.js'
import type { Path } from './places.js'
import { formFor, formsOf, kindOf, kindOfForm, schemaAt, valueAt } from './schema-walk.js'
import { explainUnknownKey, type UnknownKey, type Whole } from './unknown-key.js'

type Issue = z.core.$ZodIssue

/** Something in a value that does not fit the format. */
export interface FormatProblem {
  readonly path: Path
  /** Where it stands, if that is not the place of the path. */
  readonly place?: Path
  /** Whether the key itself is wrong. */
  readonly part: 'key' | 'value'
  readonly message: string
}

/**
 * Whatever in a value does not fit a format, in words of our own; empty where all of it does. What stands under a
 * misspelt key is looked at as well, as if it were spelt right.
 */
export function formatProblems(schema: z.core.$ZodType, value: unknown): FormatProblem[] {
  const corrections = new Corrections(value)
  const maps = mapsOf(schema)
  const problems: FormatProblem[] = []
  for (;;) {
    const whole: Whole = { schema, value: corrections.value, maps }
    const issues = issuesOf(whole)
    const unknown = issues.flatMap((issue) => unknownKeys(whole, issue))
    const corrected = unknown.filter((key) => corrections.add(key))
    const found = corrected.length > 0 ? corrected.map(problemOfKey) : allProblems(whole, issues, unknown)
    problems.push(...found.map((problem) => corrections.original(problem)))
    if (corrected.length === 0) return problems
  }
}

function allProblems(
  whole: Whole,
  issues: readonly Issue[],
  unknown: readonly UnknownKey[],
): FormatProblem[] {
  const named = new Set(unknown.map(({ path }) => pathText(path)))
  const others = issues.filter((issue) => {
    const isTold = issue.code === 'unrecognized_keys' || named.has(pathText(issue.path))
    return !isTold && !followsFrom(issue, issues)
  })
  return [...unknown.map(problemOfKey), ...others.map((issue) => explain(whole, issue))]
}

function problemOfKey({ path, place, message }: UnknownKey): FormatProblem {
  return { path, place, part: 'key', message }
}

function issuesOf({ schema, value }: Whole): Issue[] {
  const { error } = z.core.safeParse(schema, value, { error: () => unsaid })
  return (error?.issues ?? []).flatMap(chosenBranch)
}

/** Of a choice, what is wrong with the option that is about such values; the issue itself, where none is. */
function chosenBranch(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const branch = issue.errors.find((issues) => !issues.some(isOfKind))
  if (!branch) return [issue]
  return branch.flatMap(chosenBranch).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** Whether an issue says that the value as a whole is of another kind. */
function isOfKind(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  return issue.code === 'invalid_type' || (issue.code === 'invalid_union' && chosenBranch(issue)[0] === issue)
}

function unknownKeys(whole: Whole, issue: Issue): UnknownKey[] {
  if (issue.code !== 'unrecognized_keys') return []
  return issue.keys.map((key) => explainUnknownKey(whole, issue.path, key))
}

/** What a map as a whole lacks is likely to be in the key that is unknown. */
function followsFrom({ code, path }: Issue, issues: readonly Issue[]): boolean {
  if (code !== 'custom') return false
  return issues.some((other) => other.code === 'unrecognized_keys' && pathText(other.path) === pathText(path))
}

function isMissing({ value }: Whole, { code, path }: Issue): boolean {
  const isOfValue = code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union'
  return isOfValue && path.length > 0 && valueAt(value, path) === undefined
}

function pathText(path: Path): string {
  return JSON.stringify(path)
}

function explain(whole: Whole, issue: Issue): FormatProblem {
  const { path } = issue
  const said = issue.message === unsaid ? undefined : issue.message
  const schema = schemaAt(whole.schema, whole.value, path) ?? whole.schema
  if (issue.code === 'invalid_key') return { path, part: 'key', message: wrongKey(issue.issues[0]) }
  if (isMissing(whole, issue)) return { path, part: 'value', message: missing(schema, said) }
  const value = valueAt(whole.value, path)
  return { path, part: 'value', message: mismatch({ schema, value, path, issue, said }) }
}

function wrongKey(issue: Issue | undefined): string {
  const said = issue?.message ?? unsaid
  return said === unsaid ? 'this key does not fit here' : `this key does not fit: ${said}`
}

function missing(schema: z.core.$ZodType, said: string | undefined): string {
  const what = (schema as z.ZodType).description
  const purpose = what?.split(/[;.](?:\s|$)/, 1)[0] ?? ''
  const words = purpose === '' ? '' : `: ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)}`
  return `is missing; ${said ?? `expected ${kindExpectedIn(schema)}`}${words}`
}

interface Mismatch {
  readonly schema: z.core.$ZodType
  readonly value: unknown
  readonly path: Path
  readonly issue: Issue
  /** What the format itself says. */
  readonly said: string | undefined
}

function mismatch({ schema, value, path, issue, said }: Mismatch): string {
  if (issue.code === 'custom') return withFound(said ?? `expected ${expectedIn(schema)}`, value, path)
  const isOtherKind = !formsOf(schema).some((form) => kindOfForm(form) === kindOf(value))
  const expected = said ?? `expected ${wordsFor(issue, schema, value)}`
  if (isOtherKind) {
    const hint = hintFor(schema, value)
    // With a hint, the kind is all that is wrong.
    const kind = said === undefined && hint !== '' ? `expected ${kindExpectedIn(schema)}` : expected
    return `${kind}, found ${nameFound(value, path)}${hint}`
  }
  if (isSecret(path)) return expected
  const near = issue.code === 'invalid_value' ? didYouMean(String(value), issue.values.map(String)) : ''
  return `${expected}, found ${showValue(value, path)}${near}`
}

/** What would fit, where the value is of the right kind and yet does not. */
function wordsFor(issue: Issue, schema: z.core.$ZodType, value: unknown): string {
  const form = formFor(schema, value) ?? schema
  if (issue.code === 'not_multiple_of') return `a multiple of ${issue.divisor}`
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return expectedIn(schema)
  if (issue.origin === 'number' || issue.origin === 'int') return numbersIn(form)
  const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum
  if (issue.origin === 'string') return Number(bound) === 1 ? expectedIn(form) : `a text of another length`
  if (kindOf(value) === 'list' && formsOf(form)[0]?._zod.def.type === 'tuple') return expectedIn(form)
  const many = Number(bound) === 1 ? 'one entry' : `${bound} entries`
  return issue.code === 'too_small' ? `at least ${many}` : `at most ${many}`
}

/** The format's own message, and the value it is about where that is short. */
function withFound(message: string, value: unknown, path: Path): string {
  const kind = kindOf(value)
  const isShort = kind === 'list' || kind === 'text' || kind === 'number'
  if (!isShort || isSecret(path) || !message.startsWith('expected ') || message.includes('found'))
    return message
  return `${message}, found ${showValue(value, path)}`
}
