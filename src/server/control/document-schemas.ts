import type { SchemaObject } from '../../contract/openapi/document.js'
import {
  attachmentEntrySchema,
  identitySchema,
  messageSchema,
  threadSchema,
} from '../../contract/resources.js'
import { z } from '../../contract/schema.js'
import { deliverySchema } from './delivery-shape.js'
import { subscriptionSchema } from './webhook-shape.js'

/** What has a name: what the documented interface shows, some of it with a little more, and deliveries. */
const named = {
  Identity: identitySchema(),
  Thread: threadSchema(),
  Message: messageSchema(),
  AttachmentEntry: attachmentEntrySchema(),
  Webhook: subscriptionSchema,
  Delivery: deliverySchema,
}

const pathOf = (name: string): string => `#/components/schemas/${name}`

/** The JSON Schemas of some shapes; those with a name are referred to by it. */
export class DocumentSchemas {
  readonly #names = new Map<z.ZodType, string>()
  readonly #written: Readonly<Record<string, SchemaObject>>

  /** Writes all of them in one go: what they have in common is looked through once. */
  constructor(shapes: Iterable<z.ZodType>) {
    const registry = z.registry<{ id: string }>()
    for (const [name, shape] of Object.entries(named)) {
      registry.add(shape, { id: name })
      this.#names.set(shape, name)
    }
    for (const shape of shapes) {
      if (this.#names.has(shape)) continue
      const name = `own ${this.#names.size}`
      this.#names.set(shape, name)
      // A copy: within another one, the shape itself is to be written out, not referred to.
      registry.add(shape.clone(), { id: name })
    }
    this.#written = writeRegistry(registry)
  }

  /** The JSON Schema of one of the shapes. */
  of(shape: z.ZodType): SchemaObject {
    const name = this.#names.get(shape) ?? ''
    return Object.hasOwn(named, name) ? { $ref: pathOf(name) } : (this.#written[name] ?? {})
  }

  /** The schemas that are referred to by name. */
  get named(): Record<string, SchemaObject> {
    return Object.fromEntries(Object.keys(named).map((name) => [name, this.#written[name] ?? {}]))
  }
}

function writeRegistry(
  registry: ReturnType<typeof z.registry<{ id: string }>>,
): Record<string, SchemaObject> {
  const { schemas } = z.toJSONSchema(registry, {
    // As a reader's schema it lets unknown fields pass: there may be more of them one day.
    io: 'input',
    unrepresentable: 'any',
    uri: pathOf,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => {
      return [id, withoutRecursion(schema as SchemaObject)]
    }),
  )
}

function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  // How far whole numbers reach is a bound of JavaScript.
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  // In a query a number is text, of which no more is to be said than that it is a number.
  if (schema.type === 'integer') delete schema.pattern
}

/** Where shapes that hold themselves are written. */
const shared = '__shared'

/** Any JSON at all is written by way of itself, which says no more than nothing does. */
function withoutRecursion(schema: SchemaObject): SchemaObject {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    const { $ref, ...rest } = (value ?? {}) as SchemaObject
    return $ref?.startsWith(pathOf(shared)) ? rest : value
  })
}
