import { hiddenKeys, z } from '../../contract/schema.js'
import { didYouMean } from '../../contract/text.js'
import { createYielder } from '../../world/index.js'
import { type Locate, mostFound, type Path, type ProblemAt, refusal, textOf } from './problem.js'
import { formFor, formsOf, type KnownMap, keysOf, kindOf, kindOfForm, mapsOf, type Schema } from './schema.js'
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

/** Where something was read. */
interface CheckedSource {
  readonly source: string
  readonly locate: Locate
  /** Finds what else is wrong, so that it is told at once; asked where the format is not kept. */
  readonly further?: () => readonly ProblemAt[]
}

/**
 * Checks what a source holds against a format. Long lists in it are checked entry by entry, and others have a turn in
 * between. After thousands of problems nothing more is looked at.
 * @throws ScenarioError with every problem in it
 */
export async function checkFormat<Content>(
  schema: z.ZodType<Content>,
  value: unknown,
  { source, locate, further = () => [] }: CheckedSource,
): Promise<Content> {
  const check = new FormatCheck(schema)
  const content = await check.part(schema, value, [])
  if (check.problems.length > 0) throw refusal(source, locate, [...check.problems, ...further()])
  return content as Content
}

/** The number of values that are checked at once. */
const fewValues = 1_000

/** Returns whether a value holds so many values that checking it takes long. */
function isLarge(value: unknown): boolean {
  const open = [value]
  for (let next = 0; next < open.length; next += 1) {
    const part = open[next]
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) continue
    const children = Object.values(part)
    if (open.length + children.length > fewValues) return true
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
 * Returns whatever in a value does not fit a format, in words of our own. What stands under a misspelt key is looked
 * at as well, as if it were spelt right. `whole` is the format that the given one is a part of.
 */
export function formatProblems(schema: z.core.$ZodType, value: unknown, whole = schema): ProblemAt[] {
  const check = new FormatCheck(whole)
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
  readonly #turn = createYielder()
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
    const asWhole = z.array(z.null()).check(...(checks as z.core.$ZodCheck<null[]>[]))
    if (!this.content(asWhole, Array(list.length).fill(null), path)) return content
    for (const [index, entry] of list.entries()) {
      if (this.#isFull()) break
      const at = [...path, index]
      content.push(isLarge(entry) ? await this.part(element, entry, at) : this.content(element, entry, at))
      const turn = this.#turn()
      if (turn) await turn
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

  /** Returns what a value comes to, undefined where it does not fit; what is wrong with it is among the problems. */
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

  /** Checks what stands at a path; returns it with misspelt keys put right. */
  value(schema: z.core.$ZodType, value: unknown, path: Path): unknown {
    if (this.#isFull()) return value
    const form = formsOf(schema).find((one) => kindOfForm(one) === kindOf(value))
    const inside = form && this.#inside(form, value, path)
    const issues = form && inside ? ownIssues(form, inside) : issuesOf(schema, value)
    for (const issue of issues) {
      const message = () => explain({ schema, value: inside ?? value, path, issue })
      this.problems.push({ path, part: 'value', message })
    }
    return inside ?? value
  }

  #isFull(): boolean {
    return this.problems.length >= mostFound
  }

  /** Checks the entries of a list or a map; undefined for whatever else. */
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
        const said = saidOf(issue)
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
    const unknown = explainUnknownKey({ form, key, value: map[key], maps: this.#maps })
    const { name, message } = unknown
    this.problems.push({ path: [...path, name], place: [...path, key], part: 'key', message })
    return unknown
  }
}

function issuesOf(schema: z.core.$ZodType, value: unknown): Issue[] {
  const { error } = z.core.safeParse(schema, value, { error: () => unsaid })
  return (error?.issues ?? []).flatMap(chosenBranch)
}

/** What is wrong with a list or a map as a whole. */
function ownIssues(form: Schema, value: unknown): Issue[] {
  const { def } = form._zod
  if (def.type === 'object' && !def.checks?.length) return []
  return issuesOf(form, value).filter(({ path, code }) => path.length === 0 && code !== 'unrecognized_keys')
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

/** What the format itself says of an issue. */
function saidOf(issue: Issue | undefined): string | undefined {
  return issue?.message === unsaid ? undefined : issue?.message
}

function missing(schema: z.core.$ZodType): string {
  const what = (schema as z.ZodType).description
  const purpose = what?.split(/[;.](?:\s|$)/, 1)[0] ?? ''
  const words = purpose === '' ? '' : `: ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)}`
  const expected = saidOf(issuesOf(schema, undefined)[0]) ?? `expected ${kindExpectedIn(schema)}`
  return `is missing; ${expected}${words}`
}

interface Mismatch {
  readonly schema: z.core.$ZodType
  readonly value: unknown
  readonly path: Path
  readonly issue: Issue
}

function explain({ schema, value, path, issue }: Mismatch): string {
  const said = saidOf(issue)
  if (value === undefined && path.length > 0) return missing(schema)
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
  if (issue.origin === 'string') return Number(bound) === 1 ? expectedIn(form) : 'a text of another length'
  if (kindOf(value) === 'list' && formsOf(form)[0]?._zod.def.type === 'tuple') return expectedIn(form)
  const many = Number(bound) === 1 ? 'one entry' : `${bound} entries`
  return issue.code === 'too_small' ? `at least ${many}` : `at most ${many}`
}

/** The format's own message, and the value it is about where that is short. */
function withFound(message: string, value: unknown, path: Path): string {
  const isShort = ['list', 'text', 'number'].includes(kindOf(value))
  if (!isShort || isSecret(path) || !message.startsWith('expected ') || message.includes('found'))
    return message
  return `${message}, found ${showValue(value, path)}`
}

/** What is wrong with a name that is to be one of some: as the format says it of a list of values. */
function nameProblems(name: unknown, known: readonly string[], path: Path): ProblemAt[] {
  if (known.some((one) => one === name)) return []
  const message = () => formatProblems(z.enum(known), name).map((problem) => textOf(problem.message))[0] ?? ''
  return [{ path, part: 'value', message }]
}

/**
 * Returns the problems of names in a scenario, its format perhaps not yet checked, that are none of those of operations and
 * of gaps.
 */
export function unknownNames(
  scenario: unknown,
  operations: readonly string[],
  gaps: readonly string[],
): ProblemAt[] {
  const { expect, timeline } = Object(scenario)
  const problems: ProblemAt[] = []
  const check = (name: unknown, known: readonly string[], ...path: Path): void => {
    // What is no text the format refuses itself.
    if (typeof name === 'string' && name !== '') problems.push(...nameProblems(name, known, path))
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

// biome-ignore lint/suspicious/noExplicitAny: nothing is known of it yet.
function listOf(value: unknown): [number, any][] {
  return Array.isArray(value) ? [...value.map((one) => one ?? {}).entries()] : []
}
