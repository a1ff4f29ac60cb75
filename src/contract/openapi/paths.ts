import type { ExtensionOperation, Extensions } from '../extensions.js'
import type { Assumptions } from '../gaps.js'
import { type DocumentedOperation, type OperationName, operationNames, operations } from '../operations.js'
import type { BodyObject, OperationObject, ParameterObject, PathItem, SchemaObject } from './document.js'
import type { NoteGaps } from './gap-notes.js'
import { type Schemas, schemaOf } from './schemas.js'

/** The media type of every body that the interface documents. @see interface 1 */
export const json = 'application/json'

/** The parts of the document that operations refer to. */
interface PathContext {
  readonly schemas: Schemas
  readonly noteGaps: NoteGaps
  /** The assumptions in force, if the document describes a simulator with assumptions. */
  readonly assumptions: Assumptions | undefined
}

/** Creates the operations, documented and of extensions, by path and method. @see interface 4 */
export function createPaths(
  context: PathContext,
  { operations: extensionOperations }: Extensions,
): Record<string, PathItem> {
  const { assumptions, noteGaps } = context
  const paths: Record<string, PathItem> = {}
  const add = (path: string, method: string, operation: OperationObject): void => {
    // Paths that differ only in the names of their parameters are one path.
    const known = Object.keys(paths).find((other) => withoutNames(other) === withoutNames(path)) ?? path
    paths[known] = {
      ...paths[known],
      [method.toLowerCase()]: renamed(operation, namesIn(path), namesIn(known)),
    }
  }
  for (const name of operationNames) {
    const { method, path } = operations[name]
    add(path, method, operationObject(name, context))
  }
  for (const operation of extensionOperations) {
    const described = { ...extensionOperation(operation, assumptions), ...noteGaps(operation.id) }
    add(operation.path, operation.method, described)
  }
  return paths
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function withoutNames(path: string): string {
  return path.replace(/\{\w+\}/g, '{}')
}

/** Returns an operation with other names for the parameters in its path. */
function renamed(
  operation: OperationObject,
  names: readonly string[],
  others: readonly string[],
): OperationObject {
  const parameters = operation.parameters.map((parameter) => {
    const place = parameter.in === 'path' ? names.indexOf(parameter.name) : -1
    return place < 0 ? parameter : { ...parameter, name: others[place] as string }
  })
  return { ...operation, parameters }
}

/**
 * Returns the error responses of every operation: `default`, and with assumptions also a 4xx, which some tools
 * require.
 */
function errorsOf(assumptions: Assumptions | undefined): { readonly default: { readonly $ref: string } } {
  const error = { $ref: '#/components/responses/Error' }
  return { ...(assumptions && { [assumptions['auth.missing-status']]: error }), default: error }
}

function operationObject(
  name: OperationName,
  { schemas, noteGaps, assumptions }: PathContext,
): OperationObject {
  const operation: DocumentedOperation = operations[name]
  const { purpose, part, authentication, body } = operation
  const schema = schemas.bodyOf(name)
  return {
    operationId: name,
    summary: purpose,
    description: `Documented in part ${part} of the interface; \`x-gaps\` has what that leaves open.`,
    tags: [name.split('.', 1)[0] ?? name],
    'x-interface-part': part,
    ...noteGaps(name),
    // Unless the interface states that a key is required, requests may lack one. @see interface 5
    security: securityOf(authentication === 'stated'),
    parameters: parametersOf(operation, assumptions),
    ...(schema && {
      requestBody: jsonBody(body?.().description ?? '', schema),
    }),
    responses: {
      200: jsonBody(operation.response().description ?? purpose, schemas.answerOf(name)),
      ...errorsOf(assumptions),
    },
  }
}

function securityOf(required: boolean): OperationObject['security'] {
  return required ? [{ bearer: [] }] : [{ bearer: [] }, {}]
}

/** Returns a JSON body. */
export function jsonBody(description: string, schema: SchemaObject): BodyObject {
  return { description, content: { [json]: { schema } } }
}

function parametersOf(
  { inPath, query, unnamedQuery = [] }: DocumentedOperation,
  assumptions: Assumptions | undefined,
): ParameterObject[] {
  return [
    ...Object.entries(inPath).map(([parameter, description]): ParameterObject => {
      const schema = { type: 'string' }
      return { name: parameter, in: 'path', required: true, description, schema }
    }),
    ...Object.entries(query).map(([parameter, { meaning: description, ...schema }]): ParameterObject => {
      return { name: parameter, in: 'query', required: false, description, schema }
    }),
    ...filters(unnamedQuery, assumptions),
  ]
}

/**
 * Returns the filters of the list of webhooks. With assumptions, they are separate parameters with the names that the assumption
 * gives them, because generated clients would send a free-form object as `filters[agent]=`. Without assumptions, they are an
 * object whose own name is not sent in this style, only the names of its fields.
 */
function filters(meanings: readonly string[], assumptions: Assumptions | undefined): ParameterObject[] {
  if (meanings.length === 0) return []
  const common = { in: 'query', required: false } as const
  if (assumptions) {
    return assumptions['webhooks.filter-names'].split('+').map((name, place) => {
      return { name, ...common, description: meanings[place] ?? name, schema: { type: 'string' } }
    })
  }
  const description = `Optional parameters whose names are not documented: ${meanings.join('; ')}`
  const schema = { type: 'object', additionalProperties: { type: 'string' }, maxProperties: meanings.length }
  return [{ name: 'filters', ...common, description, style: 'form', explode: true, schema }]
}

function extensionOperation(
  operation: ExtensionOperation,
  assumptions: Assumptions | undefined,
): OperationObject {
  const { id, summary, evidence, status = 200, authentication, body } = operation
  return {
    operationId: id.replace(/[^\w.-]+/g, '_'),
    summary,
    description: `Not documented: an extension of the simulator.${evidence === undefined ? '' : ` ${evidence}`}`,
    tags: [id.split('.', 1)[0]?.replace(/\W+.*/, '') || 'extension'],
    'x-extension': true,
    security: securityOf(authentication !== 'none'),
    parameters: extensionParameters(operation),
    ...(body && { requestBody: jsonBody('JSON', schemaOf(body)) }),
    responses: {
      [status]: status === 204 ? { description: summary } : jsonBody(summary, shapeOfAnswer(operation)),
      ...errorsOf(assumptions),
    } as OperationObject['responses'],
  }
}

function shapeOfAnswer({ response }: ExtensionOperation): SchemaObject {
  if (response === undefined) return {}
  return typeof response === 'string' ? { $ref: `#/components/schemas/${response}` } : schemaOf(response)
}

function extensionParameters({ path, params, query, idempotency }: ExtensionOperation): ParameterObject[] {
  const inPath = params ? schemaOf(params).properties : undefined
  const { properties = {}, required = [] } = query ? schemaOf(query) : {}
  return [
    ...namesIn(path).map((name): ParameterObject => {
      const schema = inPath?.[name] ?? { type: 'string' }
      const { description = describedBy(name) } = schema
      return { name, in: 'path', required: true, description, schema }
    }),
    ...Object.entries(properties).map(([name, schema]): ParameterObject => {
      const { description = describedBy(name) } = schema
      return { name, in: 'query', required: required.includes(name), description, schema }
    }),
    ...(idempotency ? [idempotencyKey] : []),
  ]
}

/** Describes what has no description by its name: `thread_id` is the id of the thread. */
export function describedBy(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim()
  const [, thing] = /^(.+) id$/.exec(words) ?? []
  return `The ${thing === undefined ? words : `id of the ${thing}`}`
}

const idempotencyKey: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same in repetitions of one request',
  schema: { type: 'string' },
}
