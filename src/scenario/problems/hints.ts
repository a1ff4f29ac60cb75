import { z } from '../../contract/schema.js'
import { quoted } from './found-value.js'
import { formsOf, keysOf, kindOf, kindOfForm, type Schema } from './schema-walk.js'

/** What to do about a value of the wrong kind, where something simple would make it fit; else nothing. */
export function hintFor(schema: z.core.$ZodType, value: unknown): string {
  const kind = kindOf(value)
  const isScalar = kind === 'number' || kind === 'boolean' || kind === 'text'
  if (isScalar && kind !== 'text' && accepts(schema, String(value))) return '; put it in quotes'
  if (typeof value === 'string' && isUnquoted(value) && accepts(schema, JSON.parse(value))) {
    return '; leave out the quotes'
  }
  const forms = formsOf(schema)
  const list = forms.find((form) => kindOfForm(form) === 'list')
  if (list && (isScalar || kind === 'map')) return hintForList(list, value)
  const map = forms.find((form) => kindOfForm(form) === 'map')
  return map && typeof value === 'string' ? hintForMap(map, value) : ''
}

/** Whether a text, without its quotes, would be something else. */
function isUnquoted(text: string): boolean {
  return /^(true|false|-?(0|[1-9]\d{0,14})(\.\d{1,9})?)$/.test(text)
}

function hintForList(list: Schema, value: unknown): string {
  if (list._zod.def.type !== 'array') return ''
  const { element } = list._zod.def
  if (kindOf(value) !== 'map') return accepts(element, value) ? '; put it in brackets' : ''
  const isMap = formsOf(element).some((form) => kindOfForm(form) === 'map')
  if (Object.keys(value as object).some((key) => /^-\w/.test(key)))
    return '; a space is missing after the "-"'
  return isMap ? '; begin each entry with "- "' : ''
}

/** A text where a map is wanted: a key without a space after its colon, or a value without its key. */
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
