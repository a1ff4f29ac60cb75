import { z } from '../../contract/schema.js'
import { shorten } from '../../contract/text.js'
import { grouped, type Path, quoted } from './problem.js'
import { formOfKind, formsOf, type Kind, keysOf, kindOf, type Schema } from './schema.js'

/** Stands for a message that the format does not give itself; this file then finds the words. */
export const unsaid = '\u0000'

/** The number of names that are listed; of more, the first few. */
const maxNames = 14

/** Describes the values that fit a part of the format: `text`, `a whole number`, `inbound or outbound`. */
export function expectedIn(schema: z.core.$ZodType): string {
  return orJoin([...new Set(formsOf(schema).flatMap(wordsFor))])
}

/** Describes the kinds of values that fit: `text`, `a whole number`, `text or a list`. */
export function kindExpectedIn(schema: z.core.$ZodType): string {
  const words = formsOf(schema).flatMap((form) =>
    form._zod.def.type === 'string' ? ['text'] : wordsFor(form),
  )
  return orJoin([...new Set(words)])
}

/** Joins words: `a, b or c`. */
export function orJoin(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

function wordsFor(form: Schema): string[] {
  const { def } = form._zod
  switch (def.type) {
    case 'string':
      return [textWords(form)]
    case 'number':
      return [form instanceof z.ZodNumber ? numberWords(form) : 'a number']
    case 'boolean':
      return ['true or false']
    case 'null':
      return ['null']
    case 'literal':
      return def.values.map(String)
    case 'enum': {
      const all = Object.values(def.entries).map(String)
      if (all.length <= maxNames) return all
      return [`one of ${all.length} names such as ${all.slice(0, 3).join(', ')}`]
    }
    case 'tuple':
      return [`a list of ${def.items.length}`]
    case 'array':
      return ['a list']
    case 'object':
    case 'record':
      return ['a map']
    default:
      return ['something else']
  }
}

/** Describes the texts that fit, with the format's message for a text that fits nothing. */
function textWords(form: Schema): string {
  if (form instanceof z.ZodBase64) return 'text in base64'
  const { issues } = (form as unknown as z.ZodType).safeParse('\u0000', { error: () => unsaid }).error ?? {}
  const said = issues?.find(({ message }) => message !== unsaid)?.message
  return said?.startsWith('expected ') ? said.slice('expected '.length) : 'text'
}

/** Describes the numbers that fit: `a whole number from 1 to 1000`. */
export function numbersIn(schema: z.core.$ZodType): string {
  const form = formsOf(schema).find((form) => form instanceof z.ZodNumber)
  return form instanceof z.ZodNumber ? rangeOf(form) : expectedIn(schema)
}

function rangeOf(form: z.ZodNumber): string {
  const least = Math.max(form.minValue ?? Number.NEGATIVE_INFINITY, Number.MIN_SAFE_INTEGER)
  const most = Math.min(form.maxValue ?? Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER)
  const words = isWhole(form) ? 'a whole number' : 'a number'
  if (least === Number.MIN_SAFE_INTEGER) return `${words} of at most ${grouped(most)}`
  if (most === Number.MAX_SAFE_INTEGER) return `${words} of at least ${grouped(least)}`
  return `${words} from ${grouped(least)} to ${grouped(most)}`
}

function isWhole({ def }: z.ZodNumber): boolean {
  return 'format' in def && def.format === 'safeint'
}

/** Returns the noun for a number; a number from 0 to 1 is described by its range alone. */
function numberWords(form: z.ZodNumber): string {
  if (isWhole(form)) return 'a whole number'
  return form.minValue === 0 && form.maxValue === 1 ? rangeOf(form) : 'a number'
}

const secrets = ['api_keys', 'auth_token']

/**
 * Returns whether the value at a path is a secret, which messages must not show. So is a text that names one, as a key
 * and its value do that lack the space between them.
 */
export function isSecret(path: Path, value?: unknown): boolean {
  const namesSecret = typeof value === 'string' && secrets.some((secret) => value.includes(secret))
  return namesSecret || path.some((step) => secrets.includes(String(step)))
}

/** Formats a value of the right kind: `"soon"`, `404`, `[8, 1]`. */
export function showValue(value: unknown, path: Path): string {
  if (isSecret(path, value)) return nameFound(value, path)
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'string' && value !== '') return quoted(value)
  return Array.isArray(value) ? showList(value) : nameFound(value, path)
}

/** Formats a value of the wrong kind: `the text "many"`, `the number 404`, `a list`. */
export function nameFound(value: unknown, path: Path): string {
  if (value === '') return 'an empty text'
  if (!isSecret(path, value)) {
    if (typeof value === 'string') return `the text ${quoted(value)}`
    if (typeof value === 'number') return `the number ${numberText(value)}`
    if (typeof value === 'boolean') return String(value)
  }
  return kindNames[kindOf(value)]
}

const kindNames: Readonly<Record<Kind, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'nothing',
  list: 'a list',
  map: 'a map',
  missing: 'nothing',
  other: 'something else',
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  return Number.isFinite(value) ? String(value) : `${value < 0 ? '-' : ''}.inf`
}

function showList(list: readonly unknown[]): string {
  if (list.length === 0) return 'an empty list'
  const plain = list.every((item) => typeof item !== 'object' || item === null)
  const text = `[${list.map(String).join(', ')}]`
  return plain && text.length <= 40 ? shorten(text) : `a list of ${list.length}`
}

/** Returns a simple remedy for a value of the wrong kind; empty if there is none. */
export function hintFor(schema: z.core.$ZodType, value: unknown): string {
  const kind = kindOf(value)
  const isScalar = kind === 'number' || kind === 'boolean' || kind === 'text'
  if (isScalar && kind !== 'text' && accepts(schema, String(value))) return '; put it in quotes'
  const isOther = /^(true|false|-?(0|[1-9]\d{0,14})(\.\d{1,9})?)$/.test(String(value))
  if (kind === 'text' && isOther && accepts(schema, JSON.parse(value as string)))
    return '; leave out the quotes'
  const list = formOfKind(schema, 'list')
  if (list && (isScalar || kind === 'map')) return hintForList(list, value)
  const map = formOfKind(schema, 'map')
  return map && typeof value === 'string' ? hintForMap(map, value) : ''
}

function hintForList(list: Schema, value: unknown): string {
  if (list._zod.def.type !== 'array') return ''
  const { element } = list._zod.def
  if (kindOf(value) !== 'map') return accepts(element, value) ? '; put it in brackets' : ''
  if (Object.keys(value as object).some((key) => /^-\w/.test(key)))
    return '; a space is missing after the "-"'
  return formOfKind(element, 'map') ? '; begin each entry with "- "' : ''
}

/** Returns a remedy for a text instead of a map: a missing space after the colon, or a missing key. */
function hintForMap(map: Schema, text: string): string {
  const key = /^(\w+):\S/.exec(text)?.[1]
  if (key !== undefined && keysOf(map).includes(key)) return '; a space is missing after the ":"'
  if (map._zod.def.type !== 'object') return ''
  const [only, ...others] = Object.entries(map._zod.def.shape).filter(
    ([, { _zod }]) => _zod.optin === undefined,
  )
  if (!only || others.length > 0 || !accepts(map, { [only[0]]: text })) return ''
  return `; write { ${only[0]}: ${/^[\w.-]+$/.test(text) && text.length < 40 ? text : quoted(text)} }`
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  return z.core.safeParse(schema, value).success
}
