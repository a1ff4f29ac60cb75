import { explainDocument } from '../../base/explain-document.js'
import { type AuthorsWords, Format } from '../../base/forms.js'
import type { Path } from '../../base/mistake.js'
import { hiddenKeys, z } from '../../base/schema.js'
import { grouped } from '../../base/text.js'
import { createYielder } from '../../service/time/wall-time.js'
import { excessIn } from './excess.js'
import { type Locate, maxFound, type ProblemAt, refusal, withFurther } from './problem.js'
import { type Salvaged, salvage } from './salvage.js'

/** What authors of scenarios call its keys, and the options of a run that they write into it by mistake. */
const words: AuthorsWords = {
  synonyms: {
    agents: 'identities',
    body: 'text',
    content: 'text',
    sender: 'from',
    recipient: 'to',
    date: 'at',
    timestamp: 'at',
    name: 'scenario',
    description: 'describe',
  },
  flags: { clock: '--clock', port: '--port', host: '--host' },
}

/** The source of a value that is checked. */
interface CheckedSource {
  readonly source: string
  readonly locate: Locate
  /**
   * Finds problems beyond the format, so that all are reported together; called only if there are format
   * errors.
   */
  readonly further?: () => readonly ProblemAt[] | Promise<readonly ProblemAt[]>
  /** Returns a problem at the place that caused it; by default it is the problem itself. */
  readonly placed?: (problem: ProblemAt) => ProblemAt
}

/**
 * Checks the value of a source against a format. Long lists are checked entry by entry, and the event loop runs in
 * between. The check stops after thousands of problems.
 * @throws ScenarioError with every problem
 */
export async function checkFormat<Content>(
  schema: z.ZodType<Content>,
  value: unknown,
  { source, locate, further = () => [], placed = (problem) => problem }: CheckedSource,
): Promise<Content> {
  const excess = excessIn(value)
  if (excess) throw refusal(source, locate, [excess])
  const check = new FormatCheck(schema)
  const content = await check.part(schema, value, [])
  if (check.problems.length > 0) {
    const later = check.problems.length < fewProblems ? await further() : []
    throw refusal(source, locate, withFurther(check.problems, later).map(placed))
  }
  return content as Content
}

/** The number of problems beyond which nothing else is searched. */
const fewProblems = 200

/** The number of values that are checked without a pause. */
const maxAtOnce = 1_000

/** Returns whether a value contains too many values, by default too many to be checked without a pause. */
function isLarge(value: unknown, most = maxAtOnce): boolean {
  const open = [value]
  for (const part of open) {
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) continue
    const children = Object.values(part)
    if (open.length + children.length > most) return true
    open.push(...children)
  }
  return false
}

/** Returns a value with only the first entry of its large lists. */
function firstOf(value: unknown): unknown {
  if (!isLarge(value)) return value
  if (Array.isArray(value)) return value.slice(0, 1).map(firstOf)
  return Object.fromEntries(Object.entries(Object(value)).map(([key, child]) => [key, firstOf(child)]))
}

/** Returns the schema of a list or a map, without wrappers and the other alternatives of a union. */
function schemaFor(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return schemaFor(schema.unwrap(), value)
  }
  if (!(schema instanceof z.ZodUnion)) return schema
  const kind = Array.isArray(value) ? z.ZodArray : z.ZodObject
  return schema.options.map((one) => schemaFor(one, value)).find((one) => one instanceof kind) ?? schema
}

/** Checks values against parts of a format, and collects the problems. */
class FormatCheck {
  readonly problems: ProblemAt[] = []
  readonly #whole: z.ZodType
  readonly #yieldIfDue = createYielder()
  #format: Format | undefined

  /** `whole` is the complete format. */
  constructor(whole: z.ZodType) {
    this.#whole = whole
  }

  /** Parses a value; a large one part by part. */
  async part(schema: z.core.$ZodType, value: unknown, path: Path): Promise<unknown> {
    const inner = isLarge(value) ? schemaFor(schema, value) : undefined
    if (inner instanceof z.ZodArray && Array.isArray(value))
      return this.#largeList(inner.element, value, path)
    if (inner instanceof z.ZodObject && !Array.isArray(value)) {
      return this.#largeMap(inner, value as Record<string, unknown>, path)
    }
    return this.#content(schema as z.ZodType, value, path)
  }

  /** Parses a list entry by entry. */
  async #largeList(element: z.core.$ZodType, list: readonly unknown[], path: Path): Promise<unknown[]> {
    const content: unknown[] = []
    const most =
      this.#formatOfWhole()
        .at(path)
        .flatMap(({ maxItems = [] }) => maxItems)[0] ?? list.length
    if (list.length > most) {
      const message = `expected at most ${grouped(most)} entries, found a list of ${list.length}`
      this.problems.push({ path, message })
      return content
    }
    for (const [index, entry] of list.entries()) {
      if (this.problems.length >= maxFound) break
      content.push(await this.part(element, entry, [...path, index]))
      const due = this.#yieldIfDue()
      if (due) await due
    }
    return content
  }

  /** Parses a map with only the first entry of its large lists, then each large value by itself. */
  async #largeMap(schema: z.ZodObject, map: Readonly<Record<string, unknown>>, path: Path): Promise<unknown> {
    const large = Object.keys(map).filter((key) => Object.hasOwn(schema.shape, key) && isLarge(map[key]))
    const before = this.problems.length
    const content = this.#content(schema, firstOf(map), path)
    const found = this.problems.splice(before)
    this.problems.push(...found.filter(({ path: at }) => !large.includes(String(at[path.length]))))
    for (const key of large) {
      const inside = await this.part(schema.shape[key] as z.core.$ZodType, map[key], [...path, key])
      if (content !== undefined) Object.assign(Object(content), { [key]: inside })
    }
    return content
  }

  /** Parses a value; returns undefined and collects the problems if it is not valid. */
  #content(schema: z.ZodType, value: unknown, path: Path): unknown {
    const { data } = schema.safeParse(value)
    // A record silently drops the key `__proto__`.
    if (data !== undefined && hiddenKeys(value).length === 0) return data
    this.problems.push(...explainDocument(this.#formatOfWhole(), schema, value, path))
    return data
  }

  #formatOfWhole(): Format {
    this.#format ??= new Format(this.#whole, words)
    return this.#format
  }
}

/** Returns the problems of a value under a format. */
export function formatProblems(schema: z.ZodType, value: unknown): readonly ProblemAt[] {
  return explainDocument(new Format(schema, words), schema, value, [])
}

/** The number of values of a document beyond which it takes too long to look for what is left of it. */
const maxSalvaged = 20_000

/** Returns the part of a document that its format allows; undefined if nothing of use is left, or if it is large. */
export function salvageDocument<Content>(
  schema: z.ZodType<Content>,
  value: unknown,
): Salvaged<Content> | undefined {
  return isLarge(value, maxSalvaged) ? undefined : salvage(new Format(schema, words), schema, value)
}
