import type { Readings } from '../gaps.js'
import type { SchemaObject } from './document.js'

/** How a field looks under a reading: in every answer, null where it has no value, in some answers, or in none. */
type Presence = 'string' | 'nullable' | 'optional'

/**
 * Returns the schema of a resource as answers have it under some readings, for code that is generated from it: a field
 * is nullable, or missing, only where a reading says so.
 */
export function typedBy(id: string, schema: SchemaObject, readings: Readings): SchemaObject {
  switch (id) {
    case 'Identity': {
      const presence = readings['identities.patch-null'] === 'null' ? 'nullable' : 'string'
      return withFields(schema, { display_name: presence, description: presence })
    }
    case 'Message': {
      const presence = presenceOf(readings['messages.empty-body'])
      return withHeaders(withFields(schema, { text: presence, html: presence }), readings)
    }
    case 'Webhook': {
      const { if: _, then: _then, else: _else, ...plain } = schema
      return withFields(plain, {
        agent_handle: presenceOf(readings['webhooks.unscoped-handle']),
        auth_token: presenceOf(readings['webhooks.auth-token-absent']),
      })
    }
    case 'AttachmentEntry': {
      const { anyOf: _, ...plain } = schema
      return onlyFields(plain, entryFields[readings['messages.attachment-entry']])
    }
    default:
      return schema
  }
}

/** The fields of an attachment entry, by the reading of `messages.attachment-entry`. */
const entryFields: { readonly [R in Readings['messages.attachment-entry']]: readonly string[] } = {
  full: ['id', 'filename', 'content_type', 'size_bytes', 'content_id', 'url'],
  'url-only': ['url'],
  'download-url': ['id', 'filename', 'content_type', 'size', 'download_url'],
}

function presenceOf(reading: 'empty-string' | 'null' | 'absent'): Presence {
  return ({ 'empty-string': 'string', null: 'nullable', absent: 'optional' } as const)[reading]
}

function withFields(schema: SchemaObject, presences: Readonly<Record<string, Presence>>): SchemaObject {
  const properties = { ...schema.properties }
  const required = new Set(schema.required)
  for (const [name, presence] of Object.entries(presences)) {
    const { anyOf: _, ...field } = properties[name] ?? {}
    properties[name] = { ...field, type: presence === 'nullable' ? ['string', 'null'] : 'string' }
    if (presence === 'optional') required.delete(name)
    else required.add(name)
  }
  const inOrder = Object.keys(properties).filter((name) => required.has(name))
  return { ...schema, properties, required: inOrder }
}

function withHeaders(schema: SchemaObject, readings: Readings): SchemaObject {
  const { headers, ...others } = schema.properties ?? {}
  const reading = readings['messages.headers']
  if (reading === 'omitted') return { ...schema, properties: others }
  const forms = (headers?.['anyOf'] ?? []) as readonly SchemaObject[]
  const form = forms.find(({ type }) => type === (reading === 'list' ? 'array' : 'object'))
  const { anyOf: _, ...field } = headers ?? {}
  const properties = { ...schema.properties, headers: { ...form, ...field } }
  return { ...schema, properties, required: [...(schema.required ?? []), 'headers'] }
}

function onlyFields(schema: SchemaObject, names: readonly string[]): SchemaObject {
  const fields = names.flatMap((name) => {
    const field = schema.properties?.[name]
    return field ? [[name, field] as const] : []
  })
  return { ...schema, properties: Object.fromEntries(fields), required: names }
}
