import { z } from '../../contract/schema.js'
import { faultSchema } from '../../world/index.js'
import { kindFilePattern } from './identity.js'
import { scenarioSchema } from './index.js'
import { delay } from './values.js'

/** A JSON Schema, or a part of one. */
export type JsonSchema = z.core.JSONSchema.JSONSchema

/**
 * Returns the format of scenario files as a JSON Schema (2020-12), a new one each time, with what editors show:
 * descriptions, defaults, examples, and the values there are to choose from.
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

/** Adds to the JSON Schema of a value what its Zod schema says in code alone. */
function complete(schema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema): void {
  // The largest safe integer is a bound of JavaScript, not of the format.
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  // contentEncoding says so already, and no format of JSON Schema has this name.
  if (json.format === 'base64') delete json.format
  // Any JSON at all is written by way of itself, which says no more than nothing does.
  if (json.$ref?.startsWith('#/$defs/__')) delete json.$ref
  // Left out where something inside becomes something else when it is read.
  if (schema instanceof z.ZodDefault) json.default ??= schema.def.defaultValue
  if (schema === durationOfFaults) Object.assign(json, delay.meta())
  if (schema instanceof z.ZodRecord) completeKeys(json)
}

/** Writes keys that are known one by one, so that editors complete them, and the pattern of others. */
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
