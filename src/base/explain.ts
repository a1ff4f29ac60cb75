import { parseJson } from './json.js'
import { keyOf, type Mistake, type Path, quoted, textOf } from './mistake.js'
import { keysOf, schemasAt, z } from './schema.js'
import { didYouMean, expectedOneOf, grouped, orJoin, shorten, similarNames } from './text.js'

/** The maximum number of mistakes that a text about a value lists. */
const listed = 20

/**
 * Explains what is wrong with a value that a schema does not fit: a line for each mistake, with its place, up to a limit.
 * An unknown key is reported with the key that was probably meant.
 */
export function explainValue(schema: z.core.$ZodType, value: unknown): string {
  const mistakes = mistakesIn(schema, value)
  const lines = mistakes.slice(0, listed).map(({ path, message }) => {
    return path.length === 0 ? textOf(message) : `${keyOf(path)}: ${textOf(message)}`
  })
  if (mistakes.length > listed) lines.push(`and ${mistakes.length - listed} more`)
  return lines.join('\n')
}

/** What authors of a document call its keys: what other formats call them, by the key that is meant. */
export type Synonyms = Readonly<Record<string, string>>

/**
 * Returns the mistakes in a value, in plain words: one for each part that is wrong; none if the schema fits. Of a map with an
 * unknown key, it is not said what else is missing.
 */
export function mistakesIn(schema: z.core.$ZodType, value: unknown, synonyms: Synonyms = {}): Mistake[] {
  // Messages are only those that the schema itself has; the others are composed here.
  const { error } = z.safeParse(schema, value, { error: () => unsaid, reportInput: true })
  const issues = (error?.issues ?? []).flatMap(chosenIssues)
  const misspelt = new Set(issues.flatMap((issue) => (isOfKey(issue) ? [JSON.stringify(mapOf(issue))] : [])))
  return issues.flatMap((issue) => {
    if (isOfKey(issue)) return unknownKeys(schema, value, issue, synonyms)
    const { path } = issue
    const isMissing = path.length > 0 && partAt(value, path) === undefined
    const map = isMissing ? path.slice(0, -1) : path
    return misspelt.has(JSON.stringify(map)) ? [] : [wrongPart(schema, value, issue)]
  })
}

/** One thing that is wrong with a value, as the schema library finds it. */
type Issue = z.core.$ZodIssue

/** Stands for a message that a schema does not have. */
const unsaid = ''

/** Returns the issues of an issue: of a union, those of the alternative for values of its kind, if there is one. */
function chosenIssues(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const chosen = issue.errors.find((issues) => issues.length > 0 && !issues.some(isOfOtherKind))
  if (!chosen) return [issue]
  return chosen.flatMap(chosenIssues).map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
}

function isOfOtherKind(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  return issue.code === 'invalid_type' || (issue.code === 'invalid_union' && chosenIssues(issue)[0] === issue)
}

type KeyIssue = z.core.$ZodIssueUnrecognizedKeys | z.core.$ZodIssueInvalidKey

function isOfKey(issue: Issue): issue is KeyIssue {
  return issue.code === 'unrecognized_keys' || issue.code === 'invalid_key'
}

/** Returns the path of the map that has the keys. */
function mapOf(issue: KeyIssue): Path {
  return issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path
}

function partAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, step) => Object(part)[step], value)
}

/** Explains the keys that a map does not have. */
function unknownKeys(root: z.core.$ZodType, value: unknown, issue: KeyIssue, synonyms: Synonyms): Mistake[] {
  const map = mapOf(issue)
  const keys = issue.code === 'invalid_key' ? [String(issue.path.at(-1))] : issue.keys
  const known = schemasAt(root, map).flatMap(keysOf)
  return keys.map((key): Mistake => {
    const path = [...map, key]
    const [name = ''] = key.split(':', 1)
    // `{ text:Hello }` has the key "text:Hello". The value after the colon may be a secret.
    if (name !== key && known.includes(name)) {
      return { path: [...map, name], place: path, part: 'key', message: 'a space is missing after the ":"' }
    }
    const message = (): string => {
      if (key.startsWith('//')) return 'a comment begins with "#" in YAML, and JSON has none'
      if (key === '<<') return 'there are no merge keys in YAML 1.2; write the keys out'
      // `{ text: Yes, please. }` has the key "please." without a value.
      if (partAt(value, path) === null && /[^\w$-]/.test(key)) {
        return 'unknown key; inside { }, put a text that contains a comma in quotes'
      }
      if (known.length === 0) return `this key does not belong here${reasonIn(issue)}`
      return `unknown key${keyMeant(key, known, synonyms)}`
    }
    return { path, part: 'key', message }
  })
}

/** Returns what the schema itself says of keys, after a colon. */
function reasonIn(issue: KeyIssue): string {
  const said =
    issue.code === 'invalid_key' ? issue.issues.find(({ message }) => message !== unsaid) : undefined
  return said ? `: ${said.message}` : ''
}

/** Returns the key that may have been meant by a word of another format, by a misspelling or by a singular. */
function keyMeant(key: string, known: readonly string[], synonyms: Synonyms): string {
  const synonym = Object.hasOwn(synonyms, key) ? (synonyms[key] as string) : ''
  // Transposed letters are the likeliest mistake: `form` is `from`, though `forms` is nearer.
  const lettersOf = (word: string): string => [...word].sort().join('')
  const swapped = known.filter((name) => lettersOf(name) === lettersOf(key))
  const longer = known.filter((name) => key.length > 4 && name.startsWith(key.slice(0, -1)))
  const found = [known.includes(synonym) ? [synonym] : [], swapped, similarNames(key, known), longer]
  const meant = found.find((names) => names.length > 0) ?? []
  if (meant.length === 0) return expectedOneOf(key, known)
  return `; did you mean ${orJoin(meant.map((name) => `"${name}"`))}?`
}

function wrongPart(root: z.core.$ZodType, document: unknown, issue: Issue): Mistake {
  const { path } = issue
  const known = schemasAt(root, path)
  // Within what a transformation returned, the document has no such place.
  const isWithin = known.length === 0 && issue.code === 'invalid_value'
  const schemas = isWithin ? [z.enum(issue.values as string[])] : known
  const value = isWithin ? issue.input : partAt(document, path)
  const message = (): string => {
    const fitting = schemas.filter((schema) => isOfKind(schema, value))
    const said = issue.message === unsaid ? undefined : issue.message
    const expected = said ?? `expected ${expectedBy(issue, fitting.length > 0 ? fitting : schemas, value)}`
    if (value === undefined && path.length > 0) return `is missing; ${expected}${purposeAt(root, path)}`
    if (!expected.startsWith('expected ') || expected.includes('found')) return expected
    if (said !== undefined && kindOf(value) === 'object') return said
    const hint =
      fitting.length > 0 ? didYouMean(value, fitting.flatMap(namesIn).map(String)) : remedyFor(schemas, value)
    if (isSecret(path, value))
      return fitting.length > 0 ? expected : `${expected}, found ${kindName(value)}${hint}`
    return `${expected}, found ${showFound(value, fitting.length > 0)}${hint}`
  }
  return { path, part: 'value', message }
}

/** Returns what a missing value is for, after a colon: the first sentence of its description. */
function purposeAt(root: z.core.$ZodType, path: Path): string {
  const [purpose = ''] = schemasAt(root, path.slice(0, -1)).flatMap((map) => {
    const part = map instanceof z.ZodObject ? map.shape[String(path.at(-1))] : undefined
    return part instanceof z.ZodType ? [(part.description ?? '').split(/[;.](?:\s|$)/, 1)[0] ?? ''] : []
  })
  return purpose === '' ? '' : `: ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)}`
}

/** Returns the kind of a value, in the words of JSON Schema. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Returns whether a schema is for values of this kind. */
function isOfKind(schema: z.core.$ZodType, value: unknown): boolean {
  const { type } = schema._zod.def
  if (type === 'enum' || type === 'literal')
    return namesIn(schema).some((name) => typeof name === typeof value)
  const kinds: Readonly<Record<string, string>> = { record: 'object', tuple: 'array' }
  return (kinds[type] ?? type) === kindOf(value)
}

/** Returns the values of a schema that lists them. */
function namesIn(schema: z.core.$ZodType): unknown[] {
  if (schema instanceof z.ZodEnum) return schema.options
  return schema instanceof z.ZodLiteral ? [...schema.values] : []
}

/** Describes what would be valid instead of a value. */
function expectedBy(issue: Issue, schemas: readonly z.core.$ZodType[], value: unknown): string {
  const isSize = issue.code === 'too_small' || issue.code === 'too_big'
  if (!Array.isArray(value) || !isSize || schemas.some((schema) => schema instanceof z.ZodTuple)) {
    return orJoin([...new Set(schemas.flatMap(wordsFor))])
  }
  const bound = Number(issue.code === 'too_small' ? issue.minimum : issue.maximum)
  return `at ${issue.code === 'too_small' ? 'least' : 'most'} ${bound === 1 ? 'one entry' : `${grouped(bound)} entries`}`
}

/** The number of names that are listed; of more, the first few. */
const maxNames = 14

/** Describes the values of a schema: `text`, `inbound`, `a number from 0 to 1`. */
function wordsFor(schema: z.core.$ZodType): readonly string[] {
  const names = namesIn(schema).map(String)
  if (names.length > maxNames) return [`one of ${names.length} names such as ${names.slice(0, 3).join(', ')}`]
  if (names.length > 0) return names
  const { title, examples } = schema instanceof z.ZodType ? (schema.meta() ?? {}) : {}
  const { type } = schema._zod.def
  if (type === 'string' && title && Array.isArray(examples)) {
    return [`${/^[aeiou]/.test(title) ? 'an' : 'a'} ${title} such as ${orJoin(examples.map(String))}`]
  }
  if (schema instanceof z.ZodBase64) return ['text in base64']
  if (schema instanceof z.ZodURL) return ['a URL']
  if (schema instanceof z.ZodString) return [`text${lengthOf(schema)}`]
  if (schema instanceof z.ZodNumber) return [`a ${schema.isInt ? 'whole ' : ''}number${rangeOf(schema)}`]
  if (schema instanceof z.ZodObject) return [mapWith(keysOf(schema))]
  if (schema instanceof z.ZodTuple) return [`a list of ${schema.def.items.length}`]
  const others: Readonly<Record<string, string>> = {
    ...{ string: 'text', boolean: 'true or false', null: 'null' },
    ...{ array: 'a list', object: 'a map', record: 'a map' },
  }
  return [others[type] ?? 'something else']
}

/** Describes a map by its first keys. */
function mapWith(keys: readonly string[]): string {
  if (keys.length === 0) return 'a map'
  return keys.length > 4 ? `a map with ${keys.slice(0, 3).join(', ')} …` : `a map with ${orJoin(keys)}`
}

function lengthOf({ minLength, maxLength }: z.ZodString): string {
  if (maxLength !== null) return ` of up to ${maxLength} characters`
  return (minLength ?? 0) > 1 ? ` of at least ${minLength} characters` : ''
}

function rangeOf({ minValue, maxValue }: z.ZodNumber): string {
  const isBound = (bound: number | null): bound is number =>
    Math.abs(bound ?? Infinity) < Number.MAX_SAFE_INTEGER
  if (isBound(minValue) && isBound(maxValue)) return ` from ${grouped(minValue)} to ${grouped(maxValue)}`
  if (isBound(minValue)) return ` of at least ${grouped(minValue)}`
  return isBound(maxValue) ? ` of at most ${grouped(maxValue)}` : ''
}

const secrets = ['api_keys', 'auth_token']

/** Returns whether the value at a path is a secret, or a text that names one; messages must not show it. */
function isSecret(path: Path, value: unknown): boolean {
  const namesSecret = typeof value === 'string' && secrets.some((secret) => value.includes(secret))
  return namesSecret || path.some((step) => secrets.includes(String(step)))
}

/** Formats a value that was found: `"soon"`, `404`, `[8, 1]`, `a map`. */
function showFound(value: unknown, isOfKind: boolean): string {
  if (typeof value === 'string') return value === '' ? 'an empty text' : quoted(value)
  if (typeof value === 'boolean' || typeof value === 'number') {
    return String(value).replace('NaN', '.nan').replace('Infinity', '.inf')
  }
  if (!Array.isArray(value) || !isOfKind) return kindName(value)
  const isPlain = value.every((item) => typeof item !== 'object' || item === null)
  const text = `[${value.map(String).join(', ')}]`
  if (value.length === 0) return 'an empty list'
  return isPlain && text.length <= 40 ? shorten(text) : `a list of ${value.length}`
}

/** Names the kind of a value: `a text`, `nothing`. */
function kindName(value: unknown): string {
  const names: Readonly<Record<string, string>> = {
    ...{ string: 'a text', number: 'a number', boolean: 'true or false' },
    ...{ null: 'nothing', undefined: 'nothing', array: 'a list', object: 'a map' },
  }
  return names[kindOf(value)] ?? 'something else'
}

/** Returns a simple remedy for a value of the wrong kind: what would fit after one change; empty if there is none. */
function remedyFor(schemas: readonly z.core.$ZodType[], value: unknown): string {
  const takes = (other: unknown): boolean => schemas.some((schema) => z.safeParse(schema, other).success)
  const kind = kindOf(value)
  if ((kind === 'number' || kind === 'boolean') && takes(String(value))) return '; put it in quotes'
  if (kind === 'string' && takes(parseJson(value as string) ?? value)) return '; leave out the quotes'
  const lists = schemas.filter((schema) => schema instanceof z.ZodArray)
  if (kind === 'object' && lists.length > 0) {
    const isGlued = Object.keys(value as object).some((key) => /^-\w/.test(key))
    return isGlued
      ? '; a space is missing after the "-"'
      : '; put it in brackets, or begin each entry with "- "'
  }
  if (kind !== 'array' && lists.length > 0 && takes([value])) return '; put it in brackets'
  const [, key = ''] = /^(\w+):\S/.exec(String(value)) ?? []
  return schemas.flatMap(keysOf).includes(key) ? '; a space is missing after the ":"' : ''
}
