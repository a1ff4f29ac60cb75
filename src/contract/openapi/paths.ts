import type { ExtensionGap, ExtensionOperation, Extensions } from '../extensions.js'
import type { Readings } from '../gaps.js'
import { type Operation, type OperationName, operationNames, operations } from '../operations.js'
import { z } from '../schema.js'
import type {
  GapNote,
  OperationObject,
  ParameterObject,
  PathItem,
  Reference,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
  SecurityRequirement,
} from './document.js'
import {
  gapsAlsoConcerning,
  gapsConcerning,
  gapsOfBodies,
  gapsOfParameters,
  type NoteGaps,
} from './gap-notes.js'
import type { Schemas } from './schemas.js'

/** The media type of every body the interface shows. @see interface 1 */
export const json = 'application/json'

/** The answers of every operation besides success: one in the 400s where readings tell which, which some tools ask for. */
function refusals(readings: Readings | undefined): { readonly default: Reference } {
  const error = { $ref: '#/components/responses/Error' }
  return { ...(readings && { [readings['auth.missing-status']]: error }), default: error }
}

/** The documented operations by path and method. @see interface 4 */
export function createPaths(
  schemas: Schemas,
  noteGaps: NoteGaps,
  readings?: Readings,
): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {}
  for (const name of operationNames) {
    const { method, path } = operations[name]
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: operationObject(name, { schemas, noteGaps, readings }),
    }
  }
  return paths
}

/** The group an operation belongs to, e.g. `threads`. */
function tagOf(name: OperationName): string {
  return name.split('.', 1)[0] ?? name
}

interface Writing {
  readonly schemas: Schemas
  readonly noteGaps: NoteGaps
  /** Those in force, where the document is of something that has chosen. */
  readonly readings: Readings | undefined
}

function operationObject(name: OperationName, { schemas, noteGaps, readings }: Writing): OperationObject {
  const operation: Operation = operations[name]
  const body = schemas.bodyOf(name)
  return {
    operationId: name,
    summary: operation.purpose,
    description: `Documented in part ${operation.part} of the interface; \`x-gaps\` has what that leaves open.`,
    tags: [tagOf(name)],
    'x-interface-part': operation.part,
    ...noteGaps(gapsConcerning(name)),
    security: securityOf(operation),
    parameters: parametersOf(name, operation, noteGaps, readings),
    ...(body && { requestBody: requestBody(name, operation, body, noteGaps) }),
    responses: {
      200: {
        description: operation.response().description ?? operation.purpose,
        content: { [json]: { schema: schemas.answerOf(name) } },
      },
      ...refusals(readings),
    },
  }
}

/** Where the interface does not say that a key is required, a request may come without. @see interface 5 */
function securityOf({ authentication }: Operation): SecurityRequirement[] {
  return authentication === 'stated' ? [{ bearer: [] }] : [{ bearer: [] }, {}]
}

function parametersOf(
  name: OperationName,
  operation: Operation,
  noteGaps: NoteGaps,
  readings: Readings | undefined,
): ParameterObject[] {
  const notesOf = (parameter: string) => noteGaps(gapsAlsoConcerning(name, gapsOfParameters[parameter]))
  const inPath = Object.entries(operation.inPath).map(([parameter, description]): ParameterObject => {
    const schema = { type: 'string' }
    return { name: parameter, in: 'path', required: true, description, schema, ...notesOf(parameter) }
  })
  const inQuery = Object.entries(operation.query).map(([parameter, documented]): ParameterObject => {
    const { meaning: description, ...schema } = documented
    return { name: parameter, in: 'query', required: false, description, schema, ...notesOf(parameter) }
  })
  const { unnamedQuery } = operation
  if (!unnamedQuery) return [...inPath, ...inQuery]
  const notes = notesOf('filters')
  return [
    ...inPath,
    ...inQuery,
    ...(readings ? namedFilters(unnamedQuery, readings, notes) : [filters(unnamedQuery, notes)]),
  ]
}

/**
 * The filters of the list of webhooks under the names that a reading gives them: generated clients send a free-form
 * object as `filters[agent]=`.
 */
function namedFilters(meanings: readonly string[], readings: Readings, notes: object): ParameterObject[] {
  return readings['webhooks.filter-names'].split('+').map((name, place) => ({
    name,
    in: 'query',
    required: false,
    description: `${meanings[place]}; its name is not shown`,
    schema: { type: 'string' },
    ...notes,
  }))
}

/** Parameters without a name: in this style an object's own name is never sent, only those of its fields. */
function filters(meanings: readonly string[], notes: object): ParameterObject {
  const schema: SchemaObject = {
    type: 'object',
    additionalProperties: { type: 'string' },
    maxProperties: meanings.length,
  }
  const description = `Optional parameters whose names are not shown: ${meanings.join('; ')}`
  return {
    name: 'filters',
    in: 'query',
    required: false,
    description,
    style: 'form',
    explode: true,
    schema,
    ...notes,
  }
}

function requestBody(
  name: OperationName,
  { body }: Operation,
  schema: SchemaObject,
  noteGaps: NoteGaps,
): RequestBodyObject {
  return {
    description: body?.().description ?? '',
    content: { [json]: { schema } },
    ...noteGaps(gapsAlsoConcerning(name, gapsOfBodies)),
  }
}

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
    const described = { ...furtherOperation(operation, readings), ...notesOf(own, readings) }
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

function furtherOperation(operation: ExtensionOperation, readings: Readings | undefined): OperationObject {
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
