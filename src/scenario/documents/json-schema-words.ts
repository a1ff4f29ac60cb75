import { gapIds } from '../../contract/gaps.js'
import type { JsonSchema } from './json-schema.js'

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
}

/** Says in a few words of Markdown what a JSON Schema allows; `link` names what it refers to. */
export function wordsFor(link: (reference: string) => string): (schema: JsonSchema) => string {
  return words

  function words(schema: JsonSchema): string {
    const { $ref, anyOf, enum: names, const: only, title } = schema
    if ($ref !== undefined) return link($ref)
    if (title !== undefined) return title
    if (anyOf !== undefined) return anyOf.map((option) => alternative(option as JsonSchema)).join(' or ')
    if (only !== undefined) return `\`${only}\``
    if (names !== undefined) return wordsOfNames(names)
    return wordsOfType(schema)
  }

  function wordsOfType(schema: JsonSchema): string {
    const { type, minimum, maximum, format, contentEncoding } = schema
    if (type === undefined) return 'any JSON'
    if (type === 'array') return wordsOfList(schema)
    if (type === 'object') return wordsOfObject(schema)
    if (type === 'integer' || type === 'number') {
      return `${type === 'integer' ? 'whole number' : 'number'}${rangeOf(minimum, maximum)}`
    }
    if (type === 'string' && format === 'uri') return 'URL'
    if (contentEncoding !== undefined) return contentEncoding
    return [type]
      .flat()
      .map((name) => typeWords[name] ?? name)
      .join(', ')
  }

  function wordsOfList({ prefixItems, items }: JsonSchema): string {
    const entry = (prefixItems?.[0] ?? items ?? {}) as JsonSchema
    return `${prefixItems ? `list of ${prefixItems.length}` : 'list'}: ${words(entry)}`
  }

  function wordsOfObject({ additionalProperties: value }: JsonSchema): string {
    return typeof value === 'object' ? `by name: ${words(value)}` : 'object'
  }

  /** Where keys are known and alike, their values are told once. */
  function alternative(option: JsonSchema): string {
    const [value] = Object.values(option.properties ?? {}) as JsonSchema[]
    return value ? `by name: ${words(value)}` : words(option)
  }
}

function wordsOfNames(names: readonly unknown[]): string {
  if (names.length === gapIds.length) return 'id of a [gap](gaps.md)'
  return names.map((name) => `\`${name}\``).join(', ')
}

function rangeOf(least: number | undefined, most: number | undefined): string {
  if (most === undefined) return least === undefined ? '' : `, ${least} or more`
  return `, ${least ?? 0} to ${most}`
}
