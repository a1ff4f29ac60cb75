import { version } from '../../../base/package.js'
import { z } from '../../../base/schema.js'
import type { SchemaObject } from '../../../contract/openapi/document.js'
import { pathOf, writeSchemas } from '../../../contract/openapi/schemas.js'
import { createOpenApi } from '../../../contract/openapi.js'
import {
  attachmentEntrySchema,
  identitySchema,
  messageSchema,
  threadSchema,
} from '../../../contract/resources.js'
import { type ControlRoute, defineRoute } from './route.js'
import { deliverySchema, subscriptionSchema } from './shapes.js'

const openApi = z.object({ openapi: z.string() }).loose()

/** Returns the routes that describe the server; `routes` returns all routes of the control API. */
export function createAboutRoutes(routes: () => readonly ControlRoute[]): readonly ControlRoute[] {
  return [
    defineRoute('GET /health', {
      summary:
        'Reports that the server is running, and what it serves; 503 if it cannot write changes to its state.',
      ofServer: true,
      answer: z.object({
        status: z.literal('ok'),
        version: z.string(),
        scenario: z.string(),
        now: z.string().describe("The world's time, ISO 8601 UTC."),
      }),
      async perform({ simulator: { scenario, clock, persistence } }) {
        await persistence?.check()
        return { status: 'ok', version, scenario, now: clock.now() }
      },
    }),
    defineRoute('GET /control.json', {
      summary: 'Returns the description of the control API as OpenAPI 3.1.',
      ofServer: true,
      answer: openApi,
      perform: () => createDocument(routes(), version),
    }),
    defineRoute('GET /openapi.json', {
      summary:
        'Returns the description of the simulated service as OpenAPI 3.1, with the assumptions in force.',
      answer: openApi,
      perform: ({ simulator: { assumptions, extensions }, origin }) => {
        return createOpenApi({ version, assumptions: assumptions.current(), extensions, server: origin })
      },
    }),
  ]
}

const json = 'application/json'

const error = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

const description =
  'Creates, changes, disturbs, advances and inspects the worlds of the simulator. ' +
  'If other machines can reach the server, or if it was started with a token, every request needs the token.'

/** Returns a new OpenAPI document of the control API, generated from its routes. */
export function createDocument(routes: readonly ControlRoute[], version: string): object {
  const schemas = convertSchemas([error, ...routes.flatMap(shapesOf)])
  const paths: Record<string, object> = {}
  for (const route of routes) {
    const path = `/_sim${route.path}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route, schemas) }
  }
  const failure = {
    description: 'What is wrong, and what to do about it.',
    content: { [json]: { schema: schemas.of(error) } },
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of agent-mailbox-sim',
      version,
      description,
      contact: { name: 'agent-mailbox-sim' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:4280' } } }],
    security: [{}, { token: [] }],
    tags: [...new Set(routes.map(tagOf))].map((name) => {
      return { name, description: `Operations at \`/_sim/${name}\` and below` }
    }),
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

function shapesOf({ query, body, answer }: ControlRoute): z.ZodType[] {
  return [query, body, answer].filter((shape) => shape !== undefined)
}

function describe(route: ControlRoute, schemas: DocumentSchemas): object {
  const { method, path, summary, status = 200, answer, contentType = json } = route
  const schema = answer ? schemas.of(answer) : {}
  const requestBody = bodyOf(route, schemas)
  return {
    operationId: idOf(method, path),
    summary,
    description: scopeOf(route),
    tags: [tagOf(route)],
    parameters: [...parametersOf(route, schemas), worldQuery, worldHeader],
    ...(requestBody && { requestBody }),
    responses: {
      [status]: { description: summary, ...(status !== 204 && { content: { [contentType]: { schema } } }) },
      ...Object.fromEntries(refusalsOf(route).map((refused) => [refused, errorResponse])),
      default: errorResponse,
    },
  }
}

const errorResponse = { $ref: '#/components/responses/Error' }

/** Returns the statuses of what each route may refuse: its query or body, its client, its world, its media type. */
function refusalsOf({ body }: ControlRoute): readonly number[] {
  return body ? [400, 403, 404, 413, 415] : [400, 403, 404]
}

/** Returns what a route is about, as a sentence. */
function scopeOf(route: ControlRoute): string {
  if (route.ofServer) return 'It is about the whole server, whichever world is selected.'
  return 'It is about the world that `X-Sim-World` or `world` selects, or else the first one.'
}

const worldQuery = {
  name: 'world',
  in: 'query',
  required: false,
  description: 'Like X-Sim-World, for clients that cannot send headers, such as an EventSource.',
  schema: { type: 'string' },
}

const worldHeader = {
  name: 'X-Sim-World',
  in: 'header',
  required: false,
  description: 'The id of the world that the request applies to; the first world by default.',
  schema: { type: 'string' },
}

function parametersOf({ parameters = {}, query }: ControlRoute, schemas: DocumentSchemas): object[] {
  const inPath = Object.entries(parameters).map(([name, description]) => {
    return { name, in: 'path', required: true, description, schema: { type: 'string' } }
  })
  const { properties = {} } = query ? schemas.of(query) : {}
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => {
    return { name, in: 'query', required: false, ...(description && { description }), schema }
  })
  return [...inPath, ...inQuery]
}

function bodyOf(
  { body, bodyOptional = false, takesMail = false }: ControlRoute,
  schemas: DocumentSchemas,
): object | undefined {
  if (!body) return undefined
  const mail = takesMail ? { 'message/rfc822': { schema: {} } } : {}
  return { required: !bodyOptional, content: { [json]: { schema: schemas.of(body) }, ...mail } }
}

/** Returns the name of the group that a route belongs to: the first word of its path. */
function tagOf({ path }: ControlRoute): string {
  return wordsOf(path)[0] as string
}

/** Returns an operation id: `POST /threads/{id}/read` → `postThreadsIdRead`. */
function idOf(method: string, path: string): string {
  const words = wordsOf(path).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return [method.toLowerCase(), ...words].join('')
}

function wordsOf(path: string): string[] {
  return path.match(/\w+/g) ?? []
}

/** The named schemas: those of the documented interface, some of them extended, and deliveries. */
const named = {
  Identity: identitySchema(),
  Thread: threadSchema(),
  Message: messageSchema(),
  AttachmentEntry: attachmentEntrySchema(),
  Webhook: subscriptionSchema,
  Delivery: deliverySchema,
}

/** The JSON Schemas of a document. */
type DocumentSchemas = ReturnType<typeof convertSchemas>

/** Converts zod schemas to JSON Schemas together, so that common parts are processed only once. */
function convertSchemas(shapes: readonly z.ZodType[]) {
  const names = new Map<z.ZodType, string>()
  const registry = z.registry<{ id: string }>()
  for (const [name, shape] of Object.entries(named)) {
    registry.add(shape, { id: name })
    names.set(shape, name)
  }
  for (const shape of shapes) {
    if (names.has(shape)) continue
    const name = `own ${names.size}`
    names.set(shape, name)
    // A copy, so that the schema itself is written out within others instead of becoming a reference.
    registry.add(shape.clone(), { id: name })
  }
  const written = simplified(writeSchemas(registry))
  return {
    named: Object.fromEntries(Object.keys(named).map((name) => [name, written[name] ?? {}])),
    /** Returns the schema of a shape: a reference, if it is a named one. */
    of(shape: z.ZodType): SchemaObject {
      const name = names.get(shape) ?? ''
      return Object.hasOwn(named, name) ? { $ref: pathOf(name) } : (written[name] ?? {})
    },
  }
}

const shared = '__shared'

/**
 * Removes references to recursive schemas (the only one is for any JSON, which needs no schema), and writes a tuple of equal
 * parts as a list of that length: linters and generators expect every list to say what its items are.
 */
function simplified(schemas: Record<string, SchemaObject>): Record<string, SchemaObject> {
  return JSON.parse(JSON.stringify(schemas), (_, value) => {
    const { $ref, prefixItems, ...rest } = Object(value) as SchemaObject
    if ($ref?.startsWith(pathOf(shared))) return rest
    if (!Array.isArray(prefixItems)) return value
    const [first, ...others] = prefixItems.map((part) => JSON.stringify(part))
    return others.every((other) => other === first) ? { ...rest, items: prefixItems[0] } : value
  })
}
