import type { ExtensionGap, ExtensionOperation, Extensions } from '../extensions.js'
import type { Readings } from '../gaps.js'
import { z } from '../schema.js'
import type {
  GapNote,
  OperationObject,
  ParameterObject,
  PathItem,
  ResponseObject,
  SchemaObject,
} from './document.js'
import { json, refusals } from './paths.js'

/** Returns paths with the operations of extensions among them, each with `x-extension: true`. */
export function withExtensions(
  paths: Readonly<Record<string, PathItem>>,
  { operations, gaps }: Extensions,
  readings: Readings | undefined,
): Record<string, PathItem> {
  const all = { ...paths }
  for (const operation of operations) {
    const { path, method, id } = operation
    const own = [...gaps.values()].filter(({ concerns }) => concerns.includes(id))
    const described = { ...operationObject(operation, readings), ...notesOf(own, readings) }
    all[path] = { ...all[path], [method.toLowerCase()]: described }
  }
  return all
}

function notesOf(own: readonly ExtensionGap[], readings: Readings | undefined): { 'x-gaps'?: GapNote[] } {
  if (own.length === 0) return {}
  const noted = own.map(({ id, question, readings: all }) => ({
    id: id as GapNote['id'],
    question,
    readings: all.map(({ name, means }) => ({ name, means })),
    default: all[0].name,
    ...(readings && { reading: (readings as Readonly<Record<string, string>>)[id] ?? all[0].name }),
    part: '',
  }))
  return { 'x-gaps': noted }
}

function operationObject(operation: ExtensionOperation, readings: Readings | undefined): OperationObject {
  const { id, summary, evidence, status, authentication, body } = operation
  return {
    operationId: id.replace(/[^\w.-]+/g, '_'),
    summary,
    description: `Not documented: an extension of the simulator.${evidence === undefined ? '' : ` ${evidence}`}`,
    tags: [id.split('.', 1)[0]?.replace(/\W+.*/, '') || 'extension'],
    'x-extension': true,
    security: authentication === 'none' ? [{ bearer: [] }, {}] : [{ bearer: [] }],
    parameters: [...inPath(operation), ...inQuery(operation)],
    ...(body && { requestBody: { description: 'JSON', content: { [json]: { schema: schemaOf(body) } } } }),
    responses: {
      [status ?? 200]: responseOf(operation),
      ...refusals(readings),
    } as OperationObject['responses'],
  }
}

function responseOf({ summary, status, response }: ExtensionOperation): ResponseObject {
  if (status === 204) return { description: summary }
  const schema =
    response === undefined
      ? {}
      : typeof response === 'string'
        ? { $ref: `#/components/schemas/${response}` }
        : schemaOf(response)
  return { description: summary, content: { [json]: { schema } } }
}

function inPath({ path, params }: ExtensionOperation): ParameterObject[] {
  const properties = params ? schemaOf(params).properties : undefined
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: properties?.[name]?.description ?? name,
    schema: properties?.[name] ?? { type: 'string' },
  }))
}

function inQuery({ query }: ExtensionOperation): ParameterObject[] {
  if (!query) return []
  const { properties = {}, required = [] } = schemaOf(query)
  return Object.entries(properties).map(([name, schema]) => {
    return {
      name,
      in: 'query',
      required: required.includes(name),
      description: schema.description ?? name,
      schema,
    }
  })
}

/** A schema as it is sent; what JSON Schema cannot say is anything. */
function schemaOf(schema: z.ZodType): SchemaObject {
  const { $schema, ...written } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return written as SchemaObject
}
