import { keyOf, type Path } from './mistake.js'
import { z } from './schema.js'
import { grouped } from './text.js'

/** One of the forms that a value may take, as JSON Schema. */
export type Form = z.core.JSONSchema.JSONSchema

/** What JSON Schema says about a part; lists are used only by older drafts. */
type Part = Form | boolean | (Form | boolean)[] | undefined

/** What authors of a document may write by mistake. */
export interface AuthorsWords {
  /** What other formats call its keys. */
  readonly synonyms: Readonly<Record<string, string>>
  /** The flags that people write into it as keys. */
  readonly flags: Readonly<Record<string, string>>
}

/** A format as JSON Schema, from which messages say what would be valid. */
export class Format {
  readonly #whole: Form

  readonly synonyms: AuthorsWords['synonyms']
  readonly flags: AuthorsWords['flags']

  constructor(schema: z.ZodType, { synonyms, flags }: AuthorsWords = { synonyms: {}, flags: {} }) {
    this.synonyms = synonyms
    this.flags = flags
    this.#whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  }

  /** Returns the forms of the value at a path; none if the format says nothing about it. */
  at(path: Path): Form[] {
    return path.reduce<Form[]>((forms, step) => this.inside(forms, step), this.formsOf(this.#whole))
  }

  /** Returns the forms of an entry or a value inside lists or maps of some forms. */
  inside(forms: readonly Form[], step: PropertyKey): Form[] {
    return forms.flatMap((form) => this.formsOf(childOf(form, step)))
  }

  /** Returns the alternatives of a part of the format. */
  formsOf(part: Part): Form[] {
    if (typeof part !== 'object' || Array.isArray(part)) return []
    const target = part.$ref && this.#whole.$defs?.[part.$ref.replace('#/$defs/', '')]
    if (target) return this.formsOf(target)
    // Zod merges alternatives without conditions into a list of types.
    const types: unknown = part.type
    if (Array.isArray(types)) return types.map((type) => ({ ...part, type }))
    return types === undefined && part.anyOf ? part.anyOf.flatMap((one) => this.formsOf(one)) : [part]
  }

  /** Returns the place nearest to a map to which a key with such a value belongs: `identities[].threads`. */
  placeOfKey(key: string, value: unknown, map: Path): string | undefined {
    const here = patternOf(map)
    const places = this.#maps()
      .filter(({ pattern, form }) => isNear(pattern, here) && this.#takes(form, key, value))
      .map(({ pattern }) => ({ pattern, distance: distanceOf(here, pattern) }))
    const least = Math.min(...places.map(({ distance }) => distance))
    const nearest = places.filter(({ distance }) => distance === least)
    // Single maps before entries of lists.
    const single = nearest.filter(({ pattern }) => !pattern.includes('[]'))
    const [found, ...others] = single.length > 0 ? single : nearest
    return found && others.length === 0
      ? keyOf([...found.pattern, key]).replaceAll('["[]"]', '[]')
      : undefined
  }

  #takes(form: Form, key: string, value: unknown): boolean {
    return this.formsOf(own(form.properties, key)).some((one) => isOfKind(one, value))
  }

  /** Returns each kind of map in the format, the outer ones first, with the pattern of its first place. */
  #maps(): { readonly pattern: readonly string[]; readonly form: Form }[] {
    const seen = new Set<Form>()
    const maps = []
    const open = this.formsOf(this.#whole).map((form) => ({ pattern: [] as string[], form }))
    for (const { pattern, form } of open) {
      if (seen.has(form)) continue
      seen.add(form)
      if (form.properties) maps.push({ pattern, form })
      const parts = [['[]', form.items] as const, ...Object.entries(form.properties ?? {})]
      for (const [step, part] of parts) {
        open.push(...this.formsOf(part).map((inner) => ({ pattern: [...pattern, step], form: inner })))
      }
    }
    return maps
  }
}

/** Returns the value of a key that a map itself has. */
export function own<Value>(map: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return map && Object.hasOwn(map, key) ? map[key] : undefined
}

function childOf({ properties, additionalProperties, prefixItems, items }: Form, step: PropertyKey) {
  if (typeof step === 'number') return prefixItems?.[step] ?? items
  return own(properties, String(step)) ?? additionalProperties
}

function patternOf(path: Path): string[] {
  return path.map((step) => (typeof step === 'number' ? '[]' : String(step)))
}

/** Returns whether a map is another one inside or around a place, or one near the top. */
function isNear(pattern: readonly string[], here: readonly string[]): boolean {
  const [short, long] = pattern.length < here.length ? [pattern, here] : [here, pattern]
  const isRelated = short.every((step, index) => step === long[index])
  return isRelated ? short.length < long.length : distanceOf([], pattern) < 2
}

/** Returns the number of steps from one place to another, entries of lists not counted. */
function distanceOf(from: readonly string[], to: readonly string[]): number {
  const shared = from.findIndex((step, index) => step !== to[index])
  const common = shared < 0 ? from.length : shared
  return [...from.slice(common), ...to.slice(common)].filter((step) => step !== '[]').length
}

/** Returns the keys of the maps among some forms. */
export function keysOf(forms: readonly Form[]): string[] {
  return forms.flatMap(({ properties = {} }) => Object.keys(properties))
}

/** Returns whether a form is for values of this kind. */
export function isOfKind({ type, enum: names, const: only }: Form, value: unknown): boolean {
  if (type === 'integer') return typeof value === 'number'
  return type === undefined
    ? [names ?? only].flat().some((one) => typeof one === typeof value)
    : type === typeIn(value)
}

/** Returns whether a form accepts a text, a number, true, false or null. */
export function takesScalar(form: Form, value: unknown): boolean {
  const { type, enum: names, pattern } = form
  if (!isOfKind(form, value) || (type === 'integer' && !Number.isInteger(value))) return false
  if (names && !names.includes(value as never)) return false
  return pattern === undefined || new RegExp(pattern, 'u').test(String(value))
}

/** Returns the type of a value in the words of JSON Schema. */
export function typeIn(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The number of names that are listed; of more, the first few. */
const maxNames = 14

/** Describes the values of some forms: `text or a map`, `inbound or outbound`, `a number from 0 to 1`. */
export function expectedIn(forms: readonly Form[]): string {
  return orJoin([...new Set(forms.flatMap(wordsFor))])
}

function wordsFor(form: Form): readonly string[] {
  const { type, enum: names, const: only, title, examples, contentEncoding, prefixItems } = form
  if (only !== undefined) return [String(only)]
  if (names && names.length > maxNames) {
    return [`one of ${names.length} names such as ${names.slice(0, 3).join(', ')}`]
  }
  if (names) return names.map(String)
  if (type === 'string' && title && Array.isArray(examples)) {
    return [`${/^[aeiou]/.test(title) ? 'an' : 'a'} ${title} such as ${orJoin(examples.map(String))}`]
  }
  if (type === 'string') return [contentEncoding ? `text in ${contentEncoding}` : `text${lengthOf(form)}`]
  if (type === 'integer') return [`a whole number${rangeOf(form)}`]
  if (type === 'number') return [`a number${rangeOf(form)}`]
  if (type === 'array') return [prefixItems ? `a list of ${prefixItems.length}` : 'a list']
  const others: Partial<Record<string, string>> = { boolean: 'true or false', null: 'null', object: 'a map' }
  return [others[String(type)] ?? 'something else']
}

/** The largest whole number, which zod states as a bound. */
const unbounded = Number.MAX_SAFE_INTEGER

function lengthOf({ minLength = 0, maxLength }: Form): string {
  if (maxLength !== undefined) return ` of up to ${maxLength} characters`
  return minLength > 1 ? ` of at least ${minLength} characters` : ''
}

function rangeOf({ minimum: least = -unbounded, maximum: most = unbounded }: Form): string {
  if (most >= unbounded) return least <= -unbounded ? '' : ` of at least ${grouped(least)}`
  return least <= -unbounded ? ` of at most ${grouped(most)}` : ` from ${grouped(least)} to ${grouped(most)}`
}

/** Joins words: `a, b or c`. */
export function orJoin(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}
