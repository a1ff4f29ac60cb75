import { z } from '../../contract/schema.js'
import { formatParts } from './format-parts.js'
import { withRules } from './json-schema-rules.js'
import { valueKindOf } from './value-kinds.js'

/** A JSON Schema, or a part of one. */
export type JsonSchema = z.core.JSONSchema.JSONSchema

/** Where a part of the format stands in its JSON Schema. */
export const definitionPath = (name: string): string => `#/$defs/${name}`

/**
 * The format of scenario files as a JSON Schema (2020-12), a new one each time, with what editors show:
 * descriptions, defaults, examples, and the values there are to choose from.
 */
export function createScenarioJsonSchema(): JsonSchema {
  const { scenario, ...definitions } = writeParts()
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...scenario,
    title: 'Scenario of agent-mailbox-sim',
    $defs: definitions,
  }
}

function writeParts(): Record<string, JsonSchema> {
  const parts = formatParts()
  const registry = z.registry<{ id: string }>()
  for (const { name, schema } of parts) registry.add(schema, { id: name })
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: definitionPath,
    override: ({ zodSchema, jsonSchema }) => complete(zodSchema, jsonSchema),
  })
  const written = parts.map(({ name, title, about }) => {
    const { $schema, $id, ...schema } = schemas[name] ?? {}
    return [name, withRules(name, withoutRecursion({ title, description: about, ...schema }))] as const
  })
  return Object.fromEntries(written)
}

/** Any JSON at all is written by way of itself, which says no more than nothing does. */
function withoutRecursion(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (_, value) => {
    const { $ref, ...rest } = (value ?? {}) as JsonSchema
    return $ref?.startsWith(definitionPath('__shared')) ? rest : value
  })
  return JSON.parse(text)
}

/** Adds to the JSON Schema of a value what its Zod schema says in code alone. */
function complete(schema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema): void {
  // The largest safe integer is a bound of JavaScript, not of the format.
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  // contentEncoding says so already, and no format of JSON Schema has this name.
  if (json.format === 'base64') delete json.format
  // Left out where something inside becomes something else when it is read.
  if (schema instanceof z.ZodDefault) json.default ??= schema.def.defaultValue
  const kind = valueKindOf(schema)
  if (kind) Object.assign(json, { title: kind.title, pattern: json.pattern ?? kind.pattern })
  if (kind?.examples) json.examples = [...kind.examples]
  if (schema instanceof z.ZodRecord) completeKeys(json)
}

/** Writes keys that are known one by one, so that editors complete them; of others there is nothing to say. */
function completeKeys(json: z.core.JSONSchema.BaseSchema): void {
  const { enum: names } = json.propertyNames as JsonSchema
  delete json.propertyNames
  if (names === undefined) return
  const value = { ...(json.additionalProperties as JsonSchema), description: 'Its weight among the others.' }
  json.properties = Object.fromEntries(names.map((name) => [String(name), value]))
  json.additionalProperties = false
}
