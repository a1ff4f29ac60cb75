import { z } from '../../base/schema.js'
import type { ExtensionFields } from '../extensions.js'
import type { AssumptionOf, Assumptions } from '../gaps.js'
import { type DocumentedOperation, type OperationName, operationNames, operations } from '../operations.js'
import {
  type AttachmentEntry,
  attachmentEntrySchema,
  identityPatchSchema,
  identitySchema,
  messageSchema,
  threadSchema,
  webhookSchema,
} from '../resources.js'
import type { SchemaObject } from './document.js'
import type { NoteGaps } from './gap-notes.js'

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

/** What the schemas of a document depend on. */
interface SchemaContext {
  readonly noteGaps: NoteGaps
  readonly extensionFields: readonly ExtensionFields[]
  /** The assumptions in force, if the document describes a simulator with assumptions. */
  readonly assumptions: Assumptions | undefined
  /** The address in examples. */
  readonly server: string
}

/** Converts the schemas of the contract to JSON Schema, with each gap beside the field it affects. */
export function createSchemas({ noteGaps, extensionFields, assumptions, server }: SchemaContext): Schemas {
  const registry = createRegistry()
  const all = writeSchemas(registry)
  const entry = all['AttachmentEntry'] ?? {}
  const written = assumptions ? { ...all, AttachmentEntry: entryUnder(entry, assumptions, server) } : all
  const refTo = (schema: z.ZodType): SchemaObject | undefined => {
    const id = registry.get(schema)?.id
    return id === undefined || !Object.hasOwn(named, id) ? undefined : { $ref: pathOf(id) }
  }
  return {
    components: Object.fromEntries(
      Object.entries(named).map(([id, { part }]) => {
        const own = extensionFields.filter(({ of }) => of === id).map(({ schema }) => schemaOf(schema))
        const parts = [written[id] ?? {}, ...own.map(asExtension)]
        const properties = Object.assign({}, ...parts.map((schema) => schema.properties))
        const whole = { ...written[id], properties }
        const schema = withFieldGaps(whole, (field) => noteGaps(`${id}.${field}`))
        return [id, { ...schema, 'x-interface-part': part }]
      }),
    ),
    answerOf(name) {
      return refTo(operations[name].response()) ?? written[name] ?? {}
    },
    bodyOf(name) {
      const { body }: DocumentedOperation = operations[name]
      return body && refTo(body())
    },
  }
}

/** Registers every schema by name; unnamed responses get the name of their operation. */
function createRegistry(): SchemaRegistry {
  const registry = z.registry<{ id: string }>()
  for (const [id, { schema }] of Object.entries(named)) registry.add(schema(), { id })
  for (const name of operationNames) {
    const response = operations[name].response()
    if (!registry.has(response)) registry.add(response, { id: name })
  }
  return registry
}

/** How schemas become JSON Schema. */
const conversion = {
  io: 'input',
  unrepresentable: 'any',
  override({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
    // The range of safe integers is a limit of JavaScript, not of the interface.
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    // The pattern of a number in a query repeats what its type says.
    if (jsonSchema.type === 'integer') delete jsonSchema.pattern
  },
} as const

/** Schemas, with the names by which their JSON Schemas refer to one another. */
type SchemaRegistry = z.core.$ZodRegistry<{ id: string }>

/** Converts schemas to JSON Schemas, by name. Unknown fields are allowed, since the service may add some. */
function writeSchemas(registry: SchemaRegistry): Record<string, SchemaObject> {
  const { schemas } = z.toJSONSchema(registry, { ...conversion, uri: pathOf })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema as SchemaObject]),
  )
}

/** Marks the properties of a schema as those of an extension. */
function asExtension({ properties = {} }: SchemaObject): SchemaObject {
  const marked = Object.entries(properties).map(([name, one]) => [name, { ...one, 'x-extension': true }])
  return { properties: Object.fromEntries(marked) }
}

function withFieldGaps(schema: SchemaObject, notesOf: (field: string) => object): SchemaObject {
  const fields = Object.entries(schema.properties ?? {})
  const properties = fields.map(([name, field]) => [name, { ...field, ...notesOf(name) }])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Returns the reference to a schema of the document. */
function pathOf(id: string): string {
  return `#/components/schemas/${id}`
}

/** Converts a schema to JSON Schema by itself, without references; types that JSON Schema cannot express become `any`. */
export function schemaOf(schema: z.ZodType): SchemaObject {
  const { $schema, ...whole } = z.toJSONSchema(schema, conversion)
  return withoutReferences(whole as Definition, whole as Definition, [])
}

interface Definition extends SchemaObject {
  readonly $defs?: Readonly<Record<string, Definition>>
}

/**
 * Replaces references by the definitions, since references would be resolved in the whole document; a
 * recursion ends as `any`.
 */
function withoutReferences(part: Definition, whole: Definition, within: readonly string[]): SchemaObject {
  return JSON.parse(JSON.stringify({ ...part, $defs: undefined }), (_, value) => {
    const { $ref, ...rest } = Object(value) as SchemaObject
    if (typeof $ref !== 'string') return value
    const target = $ref === '#' ? whole : whole.$defs?.[$ref.replace('#/$defs/', '')]
    if (!target || within.includes($ref)) return rest
    return { ...withoutReferences(target, whole, [...within, $ref]), ...rest }
  })
}

type EntryField = keyof AttachmentEntry

/** The fields of an attachment's entry under each assumption; all of them are always there. */
const entryFields: Readonly<Record<AssumptionOf<'messages.attachment-entry'>, readonly EntryField[]>> = {
  full: ['id', 'filename', 'content_type', 'size_bytes', 'content_id', 'url'],
  'url-only': ['url'],
  'download-url': ['id', 'filename', 'content_type', 'size', 'download_url'],
}

/**
 * Returns the schema of an attachment's entry as an assumption shows it, with an example. Generators ignore that one of two
 * fields is required, so without this their clients have no URL.
 */
function entryUnder(whole: SchemaObject, assumptions: Assumptions, server: string): SchemaObject {
  const { anyOf, properties = {}, ...schema } = whole
  const fields = entryFields[assumptions['messages.attachment-entry']]
  const example = exampleFrom(server)
  return {
    ...schema,
    properties: Object.fromEntries(fields.map((field) => [field, properties[field] ?? {}])),
    required: fields,
    examples: [Object.fromEntries(fields.map((field) => [field, example[field]]))],
  }
}

function exampleFrom(server: string): Required<AttachmentEntry> {
  const url = `${server}/attachments/att_7h/invoice.pdf`
  return {
    id: 'att_7h',
    filename: 'invoice.pdf',
    content_type: 'application/pdf',
    size_bytes: 512,
    size: 512,
    content_id: null,
    url,
    download_url: url,
  }
}
