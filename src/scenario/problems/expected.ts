import { z } from '../../contract/schema.js'
import { grouped } from './found-value.js'
import { formsOf, type Schema } from './schema-walk.js'

/** What stands for a message that the format itself does not give: the words are then found here. */
export const unsaid = '\u0000'

/** So many names are listed; of more, the first few. */
const mostNames = 14

/** What would fit a part of the format: `text`, `a whole number`, `inbound or outbound`. */
export function expectedIn(schema: z.core.$ZodType): string {
  return orJoin([...new Set(formsOf(schema).flatMap(wordsFor))])
}

/** The kinds of value that would fit: `text`, `a whole number`, `text or a list`. */
export function kindExpectedIn(schema: z.core.$ZodType): string {
  const words = formsOf(schema).flatMap((form) =>
    form._zod.def.type === 'string' ? ['text'] : wordsFor(form),
  )
  return orJoin([...new Set(words)])
}

/** Words of a list: `a, b or c`. */
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
    case 'enum':
      return names(Object.values(def.entries).map(String))
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

function names(all: readonly string[]): string[] {
  if (all.length <= mostNames) return [...all]
  return [`one of ${all.length} names such as ${all.slice(0, 3).join(', ')}`]
}

/** What a text has to be: as the format says it of a text that fits nothing. */
function textWords(form: Schema): string {
  if (form instanceof z.ZodBase64) return 'text in base64'
  const { issues } = (form as unknown as z.ZodType).safeParse('\u0000', { error: () => unsaid }).error ?? {}
  const said = issues?.find(({ message }) => message !== unsaid)?.message
  return said?.startsWith('expected ') ? said.slice('expected '.length) : 'text'
}

/** The numbers that would fit: `a whole number from 1 to 1000`. */
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

/** Of a share, what it is a share of goes without saying no longer. */
function numberWords(form: z.ZodNumber): string {
  if (isWhole(form)) return 'a whole number'
  return form.minValue === 0 && form.maxValue === 1 ? rangeOf(form) : 'a number'
}
