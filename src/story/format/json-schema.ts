import { z } from '../../base/schema.js'
import { faultSchema } from '../../service/faults/fault.js'
import { kindFilePattern } from './identity.js'
import { scenarioSchema } from './scenario.js'
import { delay, fileMark } from './values.js'

/** A JSON Schema, or a part of one. */
export type JsonSchema = z.core.JSONSchema.JSONSchema

/**
 * Returns a new JSON Schema (2020-12) of scenario files with the details that editors show: descriptions, defaults,
 * examples and the allowed values.
 */
export function createScenarioJsonSchema(): JsonSchema {
  const whole: JsonSchema = z.toJSONSchema(scenarioSchema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => complete(zodSchema, jsonSchema),
  })
  const parts = Object.entries(whole.$defs ?? {}).filter(([name]) => !name.startsWith('__'))
  return { ...whole, title: 'Scenario of agent-mailbox-sim', $defs: Object.fromEntries(parts) }
}

const durationOfFaults = faultSchema().shape.drip.unwrap()

/** Adjusts the JSON Schema of a value for rules that its Zod schema expresses only in code. */
function complete(schema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema): void {
  // The largest safe integer is a bound of JavaScript, not of the format.
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  // For the simulator itself.
  delete json[fileMark]
  // JSON Schema has no such format, and contentEncoding already says the same.
  if (json.format === 'base64') delete json.format
  // Zod describes arbitrary JSON by a schema that refers to itself; no schema says the same.
  if (json.$ref?.startsWith('#/$defs/__')) delete json.$ref
  // Zod omits the default if something inside is transformed.
  if (schema instanceof z.ZodDefault) json.default ??= schema.def.defaultValue
  if (schema === durationOfFaults) Object.assign(json, delay.meta())
  if (schema instanceof z.ZodRecord) completeKeys(json)
}

/** Lists known keys one by one, so that editors complete them, with a pattern for others. */
function completeKeys(json: z.core.JSONSchema.BaseSchema): void {
  const { anyOf: keys = [] } = json.propertyNames as JsonSchema
  delete json.propertyNames
  const names = keys.flatMap((key) => (key as JsonSchema).enum ?? [])
  if (names.length === 0) return
  const value = { ...(json.additionalProperties as JsonSchema), description: 'Its weight among the others.' }
  json.properties = Object.fromEntries(names.map((name) => [String(name), value]))
  json.patternProperties = { [kindFilePattern.source]: value }
  json.additionalProperties = false
}
