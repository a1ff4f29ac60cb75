import type { SchemaObject } from '../../contract/openapi/document.js'
import { z } from '../../contract/schema.js'
import { DocumentSchemas } from './document-schemas.js'
import { type AnyControlOperation, type ControlMethod, controlMethods, type Route } from './route.js'

/** The control API in OpenAPI 3.1: plain JSON. */
export interface ControlDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>
    readonly [kind: string]: object
  }
  readonly [part: string]: unknown
}

/** One operation of the control API as the document has it. */
export interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly DocumentedParameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Content; readonly $ref?: string }>
  >
}

interface DocumentedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: SchemaObject
}

type Content = Readonly<Record<string, { readonly schema: SchemaObject }>>

const json = 'application/json'

const error = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

const description =
  'Worlds of the simulator, and everything in them: made, changed, disturbed, moved in time and looked at. ' +
  'Where other machines reach the server, or it was started with a token, each request brings the token.'

/** Describes the control API from its routes; a new document each time. */
export function createDocument(routes: readonly Route[], version: string): ControlDocument {
  const schemas = new DocumentSchemas([error, ...routes.flatMap(shapesOf)])
  const paths = Object.fromEntries(
    routes.map((route) => [`/_sim${route.path}`, describeRoute(route, schemas)]),
  )
  const failure = {
    description: 'What is wrong, and what to do.',
    content: { [json]: { schema: schemas.of(error) } },
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Control API of agent-mailbox-sim', version, description },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:4280' } } }],
    security: [{}, { token: [] }],
    paths,
    components: {
      schemas: schemas.named,
      responses: { Error: failure },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token of --control-token.' },
      },
    },
  }
}

/** Every shape that a route takes or gives. */
function shapesOf({ operations }: Route): z.ZodType[] {
  return Object.values(operations).flatMap(({ query, body, answer }) => {
    return [query, body, answer].filter((shape) => shape !== undefined)
  })
}

function describeRoute(route: Route, schemas: DocumentSchemas): Record<string, DocumentedOperation> {
  const described = controlMethods.flatMap((method) => {
    const operation = route.operations[method]
    return operation ? [[method.toLowerCase(), describe(route, method, operation, schemas)] as const] : []
  })
  return Object.fromEntries(described)
}

function describe(
  { path }: Route,
  method: ControlMethod,
  operation: AnyControlOperation,
  schemas: DocumentSchemas,
): DocumentedOperation {
  const { summary, status = 200 } = operation
  const content = answerOf(operation, schemas)
  const requestBody = bodyOf(operation, schemas)
  return {
    operationId: idOf(method, path),
    summary,
    tags: [wordsOf(path)[0] as string],
    parameters: [...parametersOf(path, operation, schemas), worldQuery, worldHeader],
    ...(requestBody && { requestBody }),
    responses: {
      [status]: { description: summary, ...(content && { content }) },
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

const worldQuery: DocumentedParameter = {
  name: 'world',
  in: 'query',
  required: false,
  description: 'The same as X-Sim-World, for those who can send no headers, such as an EventSource.',
  schema: { type: 'string' },
}

const worldHeader: DocumentedParameter = {
  name: 'X-Sim-World',
  in: 'header',
  required: false,
  description: 'The id of the world it is about; the first when it is left out.',
  schema: { type: 'string' },
}

function parametersOf(
  path: string,
  { parameters = {}, query }: AnyControlOperation,
  schemas: DocumentSchemas,
): DocumentedParameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): DocumentedParameter => {
    return {
      name,
      in: 'path',
      required: true,
      description: parameters[name] ?? '',
      schema: { type: 'string' },
    }
  })
  const { properties = {} } = query ? schemas.of(query) : {}
  const inQuery = Object.entries(properties).map(([name, { description: meaning, ...schema }]) => {
    return { name, in: 'query' as const, required: false, ...(meaning && { description: meaning }), schema }
  })
  return [...inPath, ...inQuery]
}

function bodyOf(
  { body, bodyOptional = false, takesMail = false }: AnyControlOperation,
  schemas: DocumentSchemas,
): DocumentedOperation['requestBody'] {
  if (!body) return undefined
  const mail = takesMail ? { 'message/rfc822': { schema: {} } } : {}
  return { required: !bodyOptional, content: { [json]: { schema: schemas.of(body) }, ...mail } }
}

function answerOf(
  { status, answer, contentType = json }: AnyControlOperation,
  schemas: DocumentSchemas,
): Content | undefined {
  if (status === 204) return undefined
  return { [contentType]: { schema: answer ? schemas.of(answer) : {} } }
}

/** `POST /threads/{id}/read` → `postThreadsIdRead`. */
function idOf(method: ControlMethod, path: string): string {
  const words = wordsOf(path).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return [method.toLowerCase(), ...words].join('')
}

function wordsOf(path: string): string[] {
  return path.match(/\w+/g) ?? []
}
