import { isJsonObject } from '../../base/json.js'
import { version } from '../../base/package.js'
import type { Extensions } from '../../contract/extensions.js'
import type { OperationObject, ParameterObject, SchemaObject } from '../../contract/openapi/document.js'
import { describedBy, json } from '../../contract/openapi/paths.js'
import { createOpenApi } from '../../contract/openapi.js'
import type { ToolDescription } from './tool.js'

/** Where an argument of a tool goes in the request. */
type ArgumentPlace = ParameterObject['in'] | 'body' | 'whole-body'

/** An operation as a tool. */
export interface OperationTool extends ToolDescription {
  readonly method: string
  /** The path, with `{name}` for a parameter. */
  readonly path: string
  /** The places of the arguments, by name; all others are fields of the body or, without one, of the query. */
  readonly places: ReadonlyMap<string, ArgumentPlace>
  readonly hasBody: boolean
}

type Assumptions = Parameters<typeof createOpenApi>[0]['assumptions']

/** Describes every operation, documented or of extensions, as a tool. */
export function describeOperations(extensions: Extensions, assumptions: Assumptions): OperationTool[] {
  const { paths, components } = createOpenApi({ version, extensions, assumptions })
  const schemas = components.schemas as Readonly<Record<string, SchemaObject>>
  const used = new Set<string>()
  return Object.entries(paths).flatMap(([path, item]) => {
    return Object.entries(item).map(([method, operation]) => {
      const tool = describe(method.toUpperCase(), path, operation, schemas)
      return { ...tool, name: unused(tool.name, used) }
    })
  })
}

/** Returns a name that is not in use; names of tools have at most 64 characters. */
function unused(wanted: string, used: Set<string>): string {
  let name = wanted.slice(0, 64)
  for (let count = 2; used.has(name); count++) name = `${wanted.slice(0, 60)}_${count}`
  used.add(name)
  return name
}

function describe(
  method: string,
  path: string,
  operation: OperationObject,
  schemas: Readonly<Record<string, SchemaObject>>,
): OperationTool {
  const { operationId, summary, parameters, requestBody } = operation
  const body = requestBody && plain(requestBody.content?.[json]?.schema ?? {}, schemas)
  const named = parameters.map((parameter) => ({ ...parameter, argument: argumentOf(parameter) }))
  const fields = Object.entries(body?.properties ?? {})
  // Fields are arguments of their own, unless the body has none or shares a name with a parameter.
  const isWhole =
    fields.length === 0 || fields.some(([name]) => named.some(({ argument }) => argument === name))
  const bodyFields = body ? (isWhole ? [['body', body] as const] : fields) : []
  const properties = {
    ...Object.fromEntries(
      named.map(({ argument, schema, description }) => [
        argument,
        { ...plain(schema, schemas), description },
      ]),
    ),
    ...Object.fromEntries(bodyFields.map(([name, schema]) => [name, described(name, schema)])),
  }
  const required = [
    ...named.filter((parameter) => parameter.required).map(({ argument }) => argument),
    ...(isWhole ? (body ? ['body'] : []) : (body?.required ?? [])),
  ]
  const places = new Map<string, ArgumentPlace>([
    ...bodyFields.map(([name]) => [name, isWhole ? 'whole-body' : 'body'] as const),
    ...named.map(({ argument, in: place }) => [argument, place] as const),
  ])
  const isRead = method === 'GET'
  return {
    name: operationId.replace(/[.-]/g, '_'),
    title: summary,
    description: descriptionOf(operation),
    inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    annotations: {
      readOnlyHint: isRead,
      idempotentHint: method !== 'POST',
      destructiveHint: !isRead && method !== 'POST',
    },
    method,
    path,
    places,
    hasBody: body !== undefined,
  }
}

function described(name: string, schema: SchemaObject): SchemaObject {
  return schema.description === undefined ? { ...schema, description: describedBy(name) } : schema
}

function argumentOf({ name, in: place }: ParameterObject): string {
  return place === 'header' ? name.toLowerCase().replaceAll('-', '_') : name
}

/** Says for a model what an operation does and what it returns; its schema says the limits. */
function descriptionOf({ summary, responses, ...operation }: OperationObject): string {
  const [, success] = Object.entries(responses)[0] ?? []
  const returned = success && 'description' in success ? success.description : summary
  return operation['x-extension'] || returned === summary
    ? `${summary}.`
    : `${summary}. Returns: ${returned}.`
}

const prefix = '#/components/schemas/'

/** Returns the second of two alternatives if it is a list of objects of which the first is one. */
function listOfObjects(alternatives: readonly SchemaObject[] = []): SchemaObject | undefined {
  const [one, list, ...others] = alternatives
  const isList = one?.type === 'object' && list?.type === 'array' && others.length === 0
  return isList && JSON.stringify(one) === JSON.stringify(list.items) ? list : undefined
}

/** Returns a schema without the notes of the document, and with what it refers to in its place. */
function plain(schema: SchemaObject, schemas: Readonly<Record<string, SchemaObject>>): SchemaObject {
  const text = JSON.stringify(schema, (key, written) => {
    if (key.startsWith('x-')) return undefined
    const { examples: _, ...named } = schemas[written?.$ref?.slice(prefix.length)] ?? { ...written }
    const value = typeof written?.$ref === 'string' ? named : written
    // A list of one is the same as the one.
    const list = key === '' ? undefined : listOfObjects(value?.anyOf)
    if (list) return { ...value, anyOf: undefined, ...list }
    // Its format says the same in fewer words.
    return value?.format && value.pattern ? { ...value, pattern: undefined } : value
  })
  const copy: unknown = JSON.parse(text)
  return isJsonObject(copy) ? copy : {}
}
