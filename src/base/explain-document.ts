import {
  expectedIn,
  type Form,
  type Format,
  isOfKind,
  keysOf,
  orJoin,
  own,
  takesScalar,
  typeIn,
} from './forms.js'
import { chosenIssues, type Issue, issuesOf, unsaid } from './issues.js'
import { type Mistake, type Path, quoted } from './mistake.js'
import { hiddenKeys, type z } from './schema.js'
import { didYouMean, expectedOneOf, grouped, shorten, similarNames } from './text.js'

/**
 * Returns the mistakes in a part of a document, which has its own schema and its path in the complete format, in plain
 * words. Values under misspelt keys are checked as if the keys were spelt correctly.
 */
export function explainDocument(format: Format, schema: z.ZodType, value: unknown, path: Path): Mistake[] {
  const corrected = new CorrectedValue(value, path)
  const unknown = correctKeys(format, schema, corrected)
  const open = issuesOf(schema, corrected.value).flatMap(chosenIssues)
  const places = open.filter((issue) => !corrected.isExplained(issue.path))
  const problems = [...unknown, ...places.map((issue) => explainIssue(format, corrected, issue))]
  const known = new Set(problems.map((one) => JSON.stringify(one.path)))
  const hidden = hiddenKeys(value).map((inside): Path => [...path, ...inside])
  const others = hidden.filter((at) => !known.has(JSON.stringify(at)))
  return [...problems, ...others.map((at): Mistake => ({ path: at, part: 'key', message: 'unknown key' }))]
}

/** Returns a document whose misspelt keys are corrected, without the keys that its format does not know. */
export function correctedDocument(format: Format, schema: z.ZodType, value: unknown): CorrectedValue {
  const corrected = new CorrectedValue(value, [])
  correctKeys(format, schema, corrected)
  return corrected
}

/** Corrects or removes the keys that the maps of a value do not have, and explains them. */
function correctKeys(format: Format, schema: z.ZodType, corrected: CorrectedValue): Mistake[] {
  const mistakes: Mistake[] = []
  for (;;) {
    const issues = issuesOf(schema, corrected.value).flatMap(chosenIssues)
    const unknown = issues.filter(({ code }) => code === 'unrecognized_keys' || code === 'invalid_key')
    if (unknown.length === 0) return mistakes
    for (const issue of unknown) {
      const keys = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path.at(-1))]
      const map = issue.code === 'unrecognized_keys' ? issue.path : issue.path.slice(0, -1)
      for (const key of keys) mistakes.push(explainKey(format, corrected, { map, key, issue }))
    }
  }
}

/** A value whose misspelt keys are corrected and whose unknown keys are omitted, one after another. */
class CorrectedValue {
  value: unknown
  readonly path: Path
  /** The keys as written, by the paths of their corrections. */
  readonly #written = new Map<string, string>()
  readonly #explained = new Set<string>()
  /** What was removed, with its paths. */
  readonly dropped: { readonly path: Path; readonly part: unknown }[] = []
  /** Copies of maps, which may be changed in place: a map may have thousands of unknown keys. */
  readonly #copies = new WeakSet<object>()

  constructor(value: unknown, path: Path) {
    this.value = value
    this.path = path
  }

  /** Returns the value at a path. */
  at(path: readonly PropertyKey[]): unknown {
    return path.reduce<unknown>((part, step) => Object(part)[step], this.value)
  }

  /**
   * Omits a key, or corrects it if another one was meant that is not there; problems of `name` are explained.
   */
  correct(map: readonly PropertyKey[], key: string, name: string, meant: string | undefined): void {
    this.#explained.add(JSON.stringify([...map, name]))
    const parent = this.at(map) as object
    const isFree = meant !== undefined && !Object.hasOwn(parent, meant)
    if (!isFree) this.dropped.push({ path: [...map, key], part: Reflect.get(parent, key) })
    if (!isFree && this.#copies.has(parent)) {
      Reflect.deleteProperty(parent, key)
      return
    }
    if (isFree) this.#written.set(JSON.stringify([...map, meant]), key)
    const entries = Object.entries(parent).flatMap(([one, child]) => {
      if (one !== key) return [[one, child]]
      return isFree ? [[meant, child]] : []
    })
    const copy = Object.fromEntries(entries)
    this.#copies.add(copy)
    this.value = replaced(this.value, map, copy)
  }

  /** Returns whether the absence of a key is explained by a problem already. */
  isExplained(path: readonly PropertyKey[]): boolean {
    return this.at(path) === undefined && this.#explained.has(JSON.stringify(path))
  }

  /** Returns the path in the document, with the keys as they are written there. */
  placeOf(path: readonly PropertyKey[]): Path {
    const steps = path.map((step, index) => {
      return this.#written.get(JSON.stringify(path.slice(0, index + 1))) ?? step
    })
    return [...this.path, ...steps]
  }
}

function replaced(value: unknown, path: readonly PropertyKey[], part: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return part
  const copy: Record<PropertyKey, unknown> = Array.isArray(value) ? [...value] : Object({ ...Object(value) })
  copy[step] = replaced(copy[step], rest, part)
  return copy
}

interface UnknownKey {
  readonly map: readonly PropertyKey[]
  readonly key: string
  readonly issue: Issue
}

/** Explains a key that its map does not have, and corrects or removes it. */
function explainKey(format: Format, corrected: CorrectedValue, { map, key, issue }: UnknownKey): Mistake {
  const forms = format.at([...corrected.path, ...map])
  const names = forms.flatMap(({ propertyNames }) => format.formsOf(propertyNames))
  const known = [...keysOf(forms), ...names.flatMap((form) => form.enum ?? []).map(String)]
  const path = corrected.placeOf(map)
  const value = corrected.at([...map, key])
  const [name] = key.split(':', 1) as [string]
  const lacksSpace = name !== key && known.includes(name)
  const meant = lacksSpace ? [] : meantBy(key, known, format)
  corrected.correct(map, key, lacksSpace ? name : key, meant.length === 1 ? meant[0] : undefined)
  const message = (): string => {
    if (key === '<<') return 'there are no merge keys in YAML 1.2; write the keys out'
    if (key.startsWith('//')) return 'unknown key; a comment begins with "#"'
    if (meant.length > 0) return `unknown key; did you mean ${orJoin(meant.map((one) => `"${one}"`))}?`
    if (issue.code === 'invalid_key' && known.length === 0) {
      const [said] = issue.issues.flatMap(({ message: text }) => (text === unsaid ? [] : [text]))
      return `this key does not belong here${said ? `: ${said}` : ''}`
    }
    const flag = map.length === 0 ? own(format.flags, key) : undefined
    if (flag !== undefined) return `unknown key; it is the flag ${flag}`
    // `{ text: Yes, please. }` has the key "please." without a value.
    if (value === null && /[\s.?!]/.test(key))
      return 'unknown key; inside { }, put a text that contains a comma in quotes'
    const place = format.placeOfKey(key, value, [...corrected.path, ...map])
    return `unknown key${place ? `; it belongs elsewhere: ${place}` : expectedOneOf(key, known)}`
  }
  // The value after the colon may be a secret.
  return lacksSpace
    ? {
        path: [...path, name],
        place: [...path, key],
        part: 'key',
        message: 'a space is missing after the ":"',
      }
    : { path: [...path, key], part: 'key', message }
}

/** Returns the keys that may have been meant by a misspelling or by a word of another format. */
function meantBy(key: string, known: readonly string[], { synonyms }: Format): readonly string[] {
  const synonym = own(synonyms, key) ?? ''
  return known.includes(synonym) ? [synonym] : misspelt(key, known)
}

/** Returns the keys that may have been meant by a misspelling or a singular: `mesages`, `identity`. */
function misspelt(key: string, known: readonly string[]): readonly string[] {
  // Transposed letters are the likeliest mistake: `form` is `from`, though `forms` is nearer.
  const lettersOf = (word: string): string => [...word].sort().join('')
  const nearest = similarNames(key, known)
  const swapped = known.filter((name) => lettersOf(name) === lettersOf(key))
  if (swapped.length > 0) return swapped
  if (nearest.length > 0) return nearest
  return known.filter((name) => key.length > 4 && name.startsWith(key.slice(0, -1))).slice(0, 1)
}

function explainIssue(format: Format, corrected: CorrectedValue, issue: Issue): Mistake {
  const value = corrected.at(issue.path)
  const at = [...corrected.path, ...issue.path]
  const path = corrected.placeOf(issue.path)
  const message = (): string => {
    const forms = format.at(at)
    const said = issue.message === unsaid ? undefined : issue.message
    if (value === undefined && at.length > 0) return missing(format, at, said)
    const isOfAny = forms.some((form) => isOfKind(form, value))
    const expected = said ?? `expected ${expectedBy(issue, forms, value)}`
    if (!expected.startsWith('expected ') || expected.includes('found')) return expected
    if (said !== undefined && typeIn(value) === 'object') return said
    if (isSecret(path, value))
      return `${expected}${isOfAny ? '' : `, found ${nameOf(value)}${hintFor(format, forms, value)}`}`
    const names = typeof value === 'string' ? forms.flatMap((form) => form.enum ?? []) : []
    const hint = isOfAny ? didYouMean(value, names.map(String)) : hintFor(format, forms, value)
    return `${expected}, found ${isOfAny || !Array.isArray(value) ? showFound(value) : 'a list'}${hint}`
  }
  return { path, part: 'value', message }
}

function missing(format: Format, path: Path, said: string | undefined): string {
  const maps = format.at(path.slice(0, -1))
  const [what = ''] = maps.flatMap(({ properties = {} }) => {
    const part = properties[String(path.at(-1))]
    return typeof part === 'object' ? [part.description ?? ''] : []
  })
  const [purpose = ''] = what.split(/[;.](?:\s|$)/, 1)
  const words = purpose === '' ? '' : `: ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)}`
  return `is missing; ${said ?? `expected ${expectedIn(format.at(path))}`}${words}`
}

/** Describes what would be valid instead of a value. */
function expectedBy(issue: Issue, forms: readonly Form[], value: unknown): string {
  const ofKind = forms.filter((form) => isOfKind(form, value))
  const isTuple = ofKind.some(({ prefixItems }) => prefixItems)
  if (!Array.isArray(value) || isTuple || (issue.code !== 'too_small' && issue.code !== 'too_big')) {
    return expectedIn(ofKind.length > 0 ? ofKind : forms)
  }
  const bound = Number(issue.code === 'too_small' ? issue.minimum : issue.maximum)
  return `at ${issue.code === 'too_small' ? 'least' : 'most'} ${bound === 1 ? 'one entry' : `${grouped(bound)} entries`}`
}

const secrets = ['api_keys', 'auth_token']

/**
 * Returns whether the value at a path is a secret, which messages must not show. A text that names a secret
 * counts as one, such as a key and its value without the space between them.
 */
function isSecret(path: Path, value: unknown): boolean {
  const namesSecret = typeof value === 'string' && secrets.some((secret) => value.includes(secret))
  return namesSecret || path.some((step) => secrets.includes(String(step)))
}

/** Formats a value that was found: `"soon"`, `404`, `[8, 1]`, `a map`. */
function showFound(value: unknown): string {
  if (value === '') return 'an empty text'
  if (typeof value === 'string') return quoted(value)
  if (['boolean', 'number'].includes(typeof value))
    return String(value).replace('NaN', '.nan').replace('Infinity', '.inf')
  if (!Array.isArray(value) || value.length === 0) return nameOf(value)
  const text = `[${value.map(String).join(', ')}]`
  const isPlain = value.every((item) => typeof item !== 'object' || item === null)
  return isPlain && text.length <= 40 ? shorten(text) : `a list of ${value.length}`
}

/** Names the kind of a value: `a text`, `nothing`. */
function nameOf(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return 'an empty list'
  const names: Partial<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    boolean: 'true or false',
    null: 'nothing',
    undefined: 'nothing',
    array: 'a list',
    object: 'a map',
  }
  return names[typeIn(value)] ?? 'something else'
}

/** Returns a simple remedy for a value of the wrong kind; empty if there is none. */
function hintFor(format: Format, forms: readonly Form[], value: unknown): string {
  const type = typeIn(value)
  const isScalar = ['string', 'number', 'boolean'].includes(type)
  if (isScalar && type !== 'string' && forms.some((form) => takesScalar(form, String(value)))) {
    return '; put it in quotes'
  }
  const isOther = type === 'string' && /^(true|false|-?(0|[1-9]\d{0,14})(\.\d{1,9})?)$/.test(value as string)
  if (isOther && forms.some((form) => takesScalar(form, JSON.parse(value as string)))) {
    return '; leave out the quotes'
  }
  const items = forms.flatMap((form) => (form.type === 'array' ? format.formsOf(form.items as Form) : []))
  if (type === 'object' && Object.keys(value as object).some((key) => /^-\w/.test(key))) {
    return items.length > 0 ? '; a space is missing after the "-"' : ''
  }
  if (type === 'object')
    return items.some((form) => form.type === 'object') ? '; begin each entry with "- "' : ''
  if (isScalar && items.some((form) => takesScalar(form, value))) return '; put it in brackets'
  const map = forms.find((form) => form.type === 'object')
  return map && typeof value === 'string' ? hintForMap(format, map, value) : ''
}

/** Returns a remedy for a text instead of a map: a missing space after the colon, or a missing key. */
function hintForMap(format: Format, map: Form, text: string): string {
  const key = /^(\w+):\S/.exec(text)?.[1]
  if (key !== undefined && keysOf([map]).includes(key)) return '; a space is missing after the ":"'
  const [only, ...others] = map.required ?? []
  if (only === undefined || others.length > 0) return ''
  const takesIt = format.formsOf(map.properties?.[only]).some((form) => takesScalar(form, text))
  return takesIt
    ? `; write { ${only}: ${/^[\w.-]+$/.test(text) && text.length < 40 ? text : quoted(text)} }`
    : ''
}
