import { hiddenKeys, z } from '../../contract/schema.js'
import { didYouMean } from '../../contract/text.js'
import { createYielder } from '../../world/index.js'
import { type Locate, maxFound, type Path, type ProblemAt, refusal, textOf } from './problem.js'
import { formFor, formOfKind, formsOf, type KnownMap, keysOf, kindOf, mapsOf, type Schema } from './schema.js'
import { explainUnknownKey, type UnknownKey } from './unknown-key.js'
import {
  expectedIn,
  hintFor,
  isSecret,
  kindExpectedIn,
  nameFound,
  numbersIn,
  showValue,
  unsaid,
} from './values.js'

/** The source of a value that is checked. */
interface CheckedSource {
  readonly source: string
  readonly locate: Locate
  /** Finds problems beyond the format, to report all at once; called only if there are format errors. */
  readonly further?: () => readonly ProblemAt[]
}

/**
 * Checks the value of a source against a format. Long lists are checked entry by entry, and the event loop runs in
 * between. The check stops after thousands of problems.
 * @throws ScenarioError with every problem
 */
export async function checkFormat<Content>(
  schema: z.ZodType<Content>,
  value: unknown,
  { source, locate, further = () => [] }: CheckedSource,
): Promise<Content> {
  const circle = circleIn(value)
  if (circle) throw refusal(source, locate, [{ path: circle, message: 'a value contains itself' }])
  const check = new FormatCheck(schema)
  const content = await check.part(schema, value, [])
  if (check.problems.length > 0) throw refusal(source, locate, [...check.problems, ...further()])
  return content as Content
}

/** Returns the path of a list or map that contains itself, if there is one, as code can build. */
function circleIn(
  value: unknown,
  path: (string | number)[] = [],
  around = new Set<object>(),
  checked = new Set<object>(),
): (string | number)[] | undefined {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined
  if (around.has(value)) return path
  if (checked.has(value)) return undefined
  checked.add(value)
  around.add(value)
  for (const [key, child] of Object.entries(value)) {
    const circle = circleIn(child, [...path, Array.isArray(value) ? Number(key) : key], around, checked)
    if (circle) return circle
  }
  around.delete(value)
  return undefined
}

/** The number of values that are checked at once. */
const maxAtOnce = 1_000

/** Returns whether a value contains too many values to be checked at once. */
function isLarge(value: unknown): boolean {
  const open = [value]
  for (let next = 0; next < open.length; next += 1) {
    const part = open[next]
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) continue
    const children = Object.values(part)
    if (open.length + children.length > maxAtOnce) return true
    open.push(...children)
  }
  return false
}

/** Returns a value with only the first entry of its large lists. */
function firstOf(value: unknown): unknown {
  if (!isLarge(value)) return value
  if (Array.isArray(value)) return value.slice(0, 1).map(firstOf)
  return Object.fromEntries(Object.entries(value as MapValue).map(([key, child]) => [key, firstOf(child)]))
}

/**
 * Returns the problems of a value, explained in plain words. Values under misspelt keys are checked as if the keys were
 * spelt correctly.
 */
export function formatProblems(schema: z.core.$ZodType, value: unknown): ProblemAt[] {
  const check = new FormatCheck(schema)
  check.value(schema, value, [])
  return check.problems
}

type Issue = z.core.$ZodIssue
type Shape = Readonly<Record<string, z.core.$ZodType>>
type MapValue = Readonly<Record<string, unknown>>

/** Checks values against parts of a format, and collects the problems. */
class FormatCheck {
  readonly problems: ProblemAt[] = []
  readonly #whole: z.core.$ZodType
  readonly #yieldIfDue = createYielder()
  #maps: readonly KnownMap[] | undefined

  /** `whole` is the complete format. */
  constructor(whole: z.core.$ZodType) {
    this.#whole = whole
  }

  /** Parses a value; a large one part by part. */
  async part(schema: z.core.$ZodType, value: unknown, path: Path): Promise<unknown> {
    const def = isLarge(value) ? formFor(schema, value)?._zod.def : undefined
    if (def?.type === 'array') return this.#largeList(def, value as unknown[], path)
    if (def?.type === 'object') return this.#largeMap(schema, def.shape, value as MapValue, path)
    return this.content(schema, value, path)
  }

  /** Parses a list entry by entry, after checking what applies to the list as a whole. */
  async #largeList({ element, checks = [] }: z.core.$ZodArrayDef, list: readonly unknown[], path: Path) {
    const content: unknown[] = []
    const listAlone = z.array(z.null()).check(...(checks as z.core.$ZodCheck<null[]>[]))
    if (!this.content(listAlone, Array(list.length).fill(null), path)) return content
    for (const [index, entry] of list.entries()) {
      if (this.#isFull()) break
      const at = [...path, index]
      content.push(isLarge(entry) ? await this.part(element, entry, at) : this.content(element, entry, at))
      const due = this.#yieldIfDue()
      if (due) await due
    }
    return content
  }

  /** Parses a map with only the first entry of its large lists, then each large value by itself. */
  async #largeMap(schema: z.core.$ZodType, shape: Shape, map: MapValue, path: Path): Promise<unknown> {
    const large = Object.keys(map).filter((key) => Object.hasOwn(shape, key) && isLarge(map[key]))
    const before = this.problems.length
    const content = this.content(schema, firstOf(map), path)
    const found = this.problems.splice(before)
    this.problems.push(...found.filter(({ path: at }) => !large.includes(String(at[path.length]))))
    for (const key of large) {
      const inside = await this.part(shape[key] as z.core.$ZodType, map[key], [...path, key])
      if (content !== undefined) Object.assign(Object(content), { [key]: inside })
    }
    return content
  }

  /** Parses a value; returns undefined and collects the problems if it does not fit. */
  content<Content>(schema: z.core.$ZodType<Content>, value: unknown, path: Path): Content | undefined {
    const { data } = z.core.safeParse(schema, value)
    const hidden = hiddenKeys(value).map((place): Path => [...path, ...place])
    if (data !== undefined && hidden.length === 0) return data
    const before = this.problems.length
    this.value(schema, value, path)
    const known = new Set(this.problems.slice(before).map((one) => JSON.stringify(one.path)))
    const others = hidden.filter((at) => !known.has(JSON.stringify(at)))
    this.problems.push(...others.map((at): ProblemAt => ({ path: at, part: 'key', message: 'unknown key' })))
    return data
  }

  /** Checks the value at a path; returns it with misspelt keys corrected. */
  value(schema: z.core.$ZodType, value: unknown, path: Path): unknown {
    if (this.#isFull()) return value
    const form = formOfKind(schema, kindOf(value))
    const inside = form && this.#inside(form, value, path)
    const issues = form && inside ? ownIssues(form, inside) : issuesOf(schema, value)
    for (const issue of issues) {
      const message = () => explain(issue, schema, inside ?? value, path)
      this.problems.push({ path, part: 'value', message })
    }
    return inside ?? value
  }

  #isFull(): boolean {
    return this.problems.length >= maxFound
  }

  /** Checks the entries of a list or a map; undefined for any other value. */
  #inside(form: Schema, value: unknown, path: Path): object | undefined {
    const { def } = form._zod
    if (Array.isArray(value)) {
      return value.map((item, index) => {
        const schema = def.type === 'tuple' ? def.items[index] : (def as z.core.$ZodArrayDef).element
        return schema ? this.value(schema, item, [...path, index]) : item
      })
    }
    if (def.type === 'record') return this.#record(form, def, value as MapValue, path)
    return def.type === 'object' ? this.#object(form, def.shape, value as MapValue, path) : undefined
  }

  #record(form: Schema, { keyType, valueType }: z.core.$ZodRecordDef, map: MapValue, path: Path): object {
    const entries = Object.entries(map).map(([key, item]) => {
      const [issue] = this.#isFull() ? [] : issuesOf(keyType, key)
      if (!issue) return [key, this.value(valueType, item, [...path, key])]
      if (keysOf(form).length === 0) {
        const said = formatMessage(issue)
        const message = said === undefined ? 'this key does not fit here' : `this key does not fit: ${said}`
        this.problems.push({ path: [...path, key], part: 'key', message })
        return [key, item]
      }
      const { meant } = this.#unknownKey(form, map, key, path)
      if (meant === undefined || Object.hasOwn(map, meant)) return [key, item]
      return [meant, this.value(valueType, item, [...path, key])]
    })
    return Object.fromEntries(entries)
  }

  #object(form: Schema, shape: Shape, map: MapValue, path: Path): object {
    const explained = new Set<string>()
    const misspelt = new Map<string, string>()
    for (const key of Object.keys(map)) {
      if (Object.hasOwn(shape, key) || this.#isFull()) continue
      const { name, meant } = this.#unknownKey(form, map, key, path)
      explained.add(name)
      if (meant === undefined || Object.hasOwn(map, meant) || misspelt.has(meant)) continue
      misspelt.set(meant, key)
    }
    const corrected = [...misspelt.values()]
    const right = Object.entries(map).filter(
      ([key]) => !Object.hasOwn(shape, key) && !corrected.includes(key),
    )
    for (const [name, schema] of Object.entries(shape)) {
      const key = misspelt.get(name) ?? name
      const item = Object.hasOwn(map, key) ? map[key] : undefined
      if (item !== undefined) right.push([name, this.value(schema, item, [...path, key])])
      else if (schema._zod.optin === undefined && !explained.has(name)) {
        this.problems.push({ path: [...path, name], part: 'value', message: () => missing(schema) })
      }
    }
    return Object.fromEntries(right)
  }

  #unknownKey(form: Schema, map: MapValue, key: string, path: Path): UnknownKey {
    this.#maps ??= mapsOf(this.#whole)
    const unknown = explainUnknownKey(form, key, map[key], this.#maps)
    const { name, message } = unknown
    this.problems.push({ path: [...path, name], place: [...path, key], part: 'key', message })
    return unknown
  }
}

function issuesOf(schema: z.core.$ZodType, value: unknown): Issue[] {
  const { error } = z.core.safeParse(schema, value, { error: () => unsaid })
  return (error?.issues ?? []).flatMap(chosenBranch)
}

/** Returns the issues of a list or a map itself, without those of its entries. */
function ownIssues(form: Schema, value: unknown): Issue[] {
  const { def } = form._zod
  if (def.type === 'object' && !def.checks?.length) return []
  return issuesOf(form, value).filter(({ path, code }) => path.length === 0 && code !== 'unrecognized_keys')
}

/** Returns the issues of the union's option for values of this kind; the issue itself if there is no such option. */
function chosenBranch(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const branch = issue.errors.find((issues) => !issues.some(isOfKind))
  if (!branch) return [issue]
  return branch.flatMap(chosenBranch).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** Returns whether an issue says that the value itself is of another kind. */
function isOfKind(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  return issue.code === 'invalid_type' || (issue.code === 'invalid_union' && chosenBranch(issue)[0] === issue)
}

/** Returns the message of the format itself, if it has one. */
function formatMessage(issue: Issue | undefined): string | undefined {
  return issue?.message === unsaid ? undefined : issue?.message
}

function missing(schema: z.core.$ZodType): string {
  const what = (schema as z.ZodType).description
  const purpose = what?.split(/[;.](?:\s|$)/, 1)[0] ?? ''
  const words = purpose === '' ? '' : `: ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)}`
  const expected = formatMessage(issuesOf(schema, undefined)[0]) ?? `expected ${kindExpectedIn(schema)}`
  return `is missing; ${expected}${words}`
}

function explain(issue: Issue, schema: z.core.$ZodType, value: unknown, path: Path): string {
  const said = formatMessage(issue)
  if (value === undefined && path.length > 0) return missing(schema)
  if (issue.code === 'custom') return withFound(said ?? `expected ${expectedIn(schema)}`, value, path)
  const expected = said ?? `expected ${wordsFor(issue, schema, value)}`
  if (!formOfKind(schema, kindOf(value))) {
    const hint = hintFor(schema, value)
    // With a hint, the kind is all that is wrong.
    const kind = said === undefined && hint !== '' ? `expected ${kindExpectedIn(schema)}` : expected
    return `${kind}, found ${nameFound(value, path)}${hint}`
  }
  if (isSecret(path)) return expected
  const near = issue.code === 'invalid_value' ? didYouMean(String(value), issue.values.map(String)) : ''
  return `${expected}, found ${showValue(value, path)}${near}`
}

/** Describes what would fit instead of a value of the right kind. */
function wordsFor(issue: Issue, schema: z.core.$ZodType, value: unknown): string {
  const form = formFor(schema, value) ?? schema
  if (issue.code === 'not_multiple_of') return `a multiple of ${issue.divisor}`
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return expectedIn(schema)
  if (issue.origin === 'number' || issue.origin === 'int') return numbersIn(form)
  const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum
  if (issue.origin === 'string') return Number(bound) === 1 ? expectedIn(form) : 'a text of another length'
  if (kindOf(value) === 'list' && formsOf(form)[0]?._zod.def.type === 'tuple') return expectedIn(form)
  const many = Number(bound) === 1 ? 'one entry' : `${bound} entries`
  return issue.code === 'too_small' ? `at least ${many}` : `at most ${many}`
}

/** Returns the format's own message, with the value if it is short. */
function withFound(message: string, value: unknown, path: Path): string {
  const isShort = ['list', 'text', 'number'].includes(kindOf(value))
  if (!isShort || isSecret(path) || !message.startsWith('expected ') || message.includes('found'))
    return message
  return `${message}, found ${showValue(value, path)}`
}

/**
 * Returns the problems of unknown operations and gaps in a scenario, whose format may not have been checked.
 */
export function unknownNames(
  scenario: unknown,
  operations: readonly string[],
  gaps: readonly string[],
): ProblemAt[] {
  const { expect, timeline } = Object(scenario)
  const problems: ProblemAt[] = []
  const check = (name: unknown, known: readonly string[], ...path: Path): void => {
    // The format itself refuses anything but text.
    if (typeof name !== 'string' || name === '' || known.includes(name)) return
    // In the words of an enumeration.
    const message = () => textOf(formatProblems(z.enum(known), name)[0]?.message ?? '')
    problems.push({ path, part: 'value', message })
  }
  for (const [place, one] of listOf(expect)) {
    check(one.request, operations, 'expect', place, 'request')
    for (const [at, gap] of listOf(one.reliances)) check(gap, gaps, 'expect', place, 'reliances', at)
  }
  for (const [place, entry] of listOf(timeline)) {
    check(Object(entry.fault).operation, operations, 'timeline', place, 'fault', 'operation')
    check(Object(entry.when).request, operations, 'timeline', place, 'when', 'request')
  }
  return problems
}

// biome-ignore lint/suspicious/noExplicitAny: the format has not been checked yet.
function listOf(value: unknown): [number, any][] {
  return Array.isArray(value) ? [...value.map((one) => one ?? {}).entries()] : []
}
