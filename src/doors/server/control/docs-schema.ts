import { escapeHtml } from '../../../base/text.js'
import type { SchemaObject } from '../../../contract/openapi/document.js'

/** The levels of fields that are written out; a snapshot of a world has many more. */
const maxDepth = 5

/** Returns a JSON Schema as HTML: a line for its type, a list of its fields, and its examples. */
export function schemaList(id: string, schema: SchemaObject, depth = 0): string {
  const { description, examples } = schema
  const about = typeof description === 'string' ? ` ${escapeHtml(description)}` : ''
  const shown = Array.isArray(examples) ? examples.map(exampleOf).join('') : ''
  return `<span class="quiet">${typeOf(id, schema)}</span>${about}${fieldsOf(id, schema, depth)}${shown}`
}

function exampleOf(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`
}

function fieldsOf(id: string, schema: SchemaObject, depth: number): string {
  const { properties = {}, required = [], items, additionalProperties } = schema
  if (depth >= maxDepth) return ''
  const fields = Object.entries(properties).map(([name, field]) => {
    const need = required.includes(name) ? '' : ' <span class="quiet">optional</span>'
    return `<li><code>${escapeHtml(name)}</code>${need} ${schemaList(id, field, depth + 1)}</li>`
  })
  const own = fields.length === 0 ? '' : `<ul>${fields.join('')}</ul>`
  const within = [items, additionalProperties, ...alternativesOf(schema)].filter(isStructured)
  return own + within.map((part) => fieldsOf(id, part, depth + 1)).join('')
}

function alternativesOf({ anyOf, oneOf, allOf }: SchemaObject): unknown[] {
  return [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []))
}

function isStructured(part: unknown): part is SchemaObject {
  return typeof part === 'object' && part !== null
}

/** Returns the type of a schema in words, with links to the named ones. */
function typeOf(id: string, schema: SchemaObject): string {
  const { $ref, type, format, items, minimum, maximum } = schema
  if ($ref !== undefined) {
    const name = escapeHtml($ref.split('/').at(-1) ?? '')
    return `<a href="#${id}-${name}">${name}</a>`
  }
  if (Array.isArray(schema['enum'])) {
    return schema['enum'].map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(' or ')
  }
  if ('const' in schema) return `<code>${escapeHtml(JSON.stringify(schema['const']))}</code>`
  if (type === 'array') return `list of ${isStructured(items) ? typeOf(id, items) : 'any'}`
  const alternatives = alternativesOf(schema).filter(isStructured)
  if (type === undefined && alternatives.length > 0) {
    return [...new Set(alternatives.map((one) => typeOf(id, one)))].join(' or ')
  }
  const range = [
    ...(typeof minimum === 'number' ? [`from ${minimum}`] : []),
    ...(typeof maximum === 'number' ? [`to ${maximum}`] : []),
  ]
  const words = [
    [type ?? 'any'].flat().join(' or '),
    ...(format === undefined ? [] : [`(${format})`]),
    ...range,
  ]
  return escapeHtml(words.join(' '))
}
