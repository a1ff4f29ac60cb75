import type { Readings } from '../gaps.js'
import { type Operation, type OperationName, operationNames, operations } from '../operations.js'
import {
  attachmentEntrySchema,
  identityPatchSchema,
  identitySchema,
  messageSchema,
  threadSchema,
  webhookSchema,
} from '../resources.js'
import { z } from '../schema.js'
import type { SchemaObject } from './document.js'
import {
  gapsAlsoConcerning,
  gapsConcerning,
  gapsOfAnswers,
  gapsOfSchemas,
  type NoteGaps,
} from './gap-notes.js'

/** The named schemas of the document, with the part of the interface that defines each. */
const named: Readonly<Record<string, { readonly part: string; readonly schema: () => z.ZodObject }>> = {
  Identity: { part: '2.1', schema: identitySchema },
  Thread: { part: '2.2', schema: threadSchema },
  Message: { part: '2.3', schema: messageSchema },
  AttachmentEntry: { part: '2.3', schema: attachmentEntrySchema },
  Webhook: { part: '2.4', schema: webhookSchema },
  IdentityPatch: { part: '4.2', schema: identityPatchSchema },
}

/** The JSON Schemas of the document. */
export interface Schemas {
  readonly components: Readonly<Record<string, SchemaObject>>
  /** Returns the schema of an operation's 200: a reference, or a list of references. */
  answerOf(name: OperationName): SchemaObject
  /** Returns the schema of an operation's body, which is a reference; undefined if it has none. */
  bodyOf(name: OperationName): SchemaObject | undefined
}

/** Converts the schemas of the contract to JSON Schema, with each gap beside the field it affects. */
export function createSchemas(noteGaps: NoteGaps, readings?: Readings): Schemas {
  const registry = createRegistry()
  const written = writeSchemas(registry)
  const refTo = (schema: z.ZodType): SchemaObject | undefined => {
    const id = registry.get(schema)?.id
    return id === undefined || !Object.hasOwn(named, id) ? undefined : { $ref: pathOf(id) }
  }
  return {
    components: Object.fromEntries(
      Object.entries(named).map(([id, { part }]) => {
        const gapsOf = (field: string) => gapsConcerning(`${id}.${field}`)
        const typed = readings ? typedBy(id, written[id] ?? {}, readings) : (written[id] ?? {})
        const schema = withFieldGaps(typed, (field) => noteGaps(gapsOf(field)))
        return [id, { ...schema, 'x-interface-part': part, ...noteGaps(gapsOfSchemas[id] ?? []) }]
      }),
    ),
    answerOf(name) {
      const gapsOf = (field: string) => gapsAlsoConcerning(name, gapsOfAnswers[field])
      return (
        refTo(operations[name].response()) ??
        withFieldGaps(written[name] ?? {}, (field) => noteGaps(gapsOf(field)))
      )
    },
    bodyOf(name) {
      const { body }: Operation = operations[name]
      return body && refTo(body())
    },
  }
}

/** Registers every schema by name; unnamed answers get the name of their operation. */
function createRegistry(): SchemaRegistry {
  const registry = z.registry<{ id: string }>()
  for (const [id, { schema }] of Object.entries(named)) registry.add(schema(), { id })
  for (const name of operationNames) {
    const response = operations[name].response()
    if (!registry.has(response)) registry.add(response, { id: name })
  }
  return registry
}

/** Schemas, with the names by which their JSON Schemas refer to one another. */
export type SchemaRegistry = z.core.$ZodRegistry<{ id: string }>

/** Converts schemas to JSON Schemas, by name. Unknown fields are allowed, since the service may add some. */
export function writeSchemas(registry: SchemaRegistry): Record<string, SchemaObject> {
  const override = ({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
    // The range of safe integers is a limit of JavaScript, not of the interface.
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    // The pattern of a number in a query repeats what its type says.
    if (jsonSchema.type === 'integer') delete jsonSchema.pattern
  }
  const { schemas } = z.toJSONSchema(registry, { io: 'input', unrepresentable: 'any', uri: pathOf, override })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema as SchemaObject]),
  )
}

function withFieldGaps(schema: SchemaObject, notesOf: (field: string) => object): SchemaObject {
  const fields = Object.entries(schema.properties ?? {})
  const properties = fields.map(([name, field]) => [name, { ...field, ...notesOf(name) }])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Returns the reference to a schema of the document. */
export function pathOf(id: string): string {
  return `#/components/schemas/${id}`
}

/** How a reading types a field: always a string, null if it has no value, or missing if it has no value. */
type Presence = 'string' | 'nullable' | 'optional'

/**
 * Returns the schema of a resource under some readings, for generated code: a field is nullable or optional only if a
 * reading says so.
 */
function typedBy(id: string, schema: SchemaObject, readings: Readings): SchemaObject {
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
