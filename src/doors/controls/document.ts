import { z } from '../../base/schema.js'
import { capitalized } from '../../base/text.js'
import type { SchemaObject } from '../../contract/openapi/document.js'
import { pathOf, writeSchemas } from '../../contract/openapi/schemas.js'
import {
  attachmentEntrySchema,
  identitySchema,
  messageSchema,
  threadSchema,
} from '../../contract/resources.js'
import { type ControlRoute, subscriptionSchema } from './control.js'

const json = 'application/json'

const error = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

const description =
  'Creates, changes, disturbs, advances and inspects the worlds of the simulator. ' +
  'If other machines can reach the server, or if it was started with a token, every request needs the token.'

/** Returns a new OpenAPI document of the control API, generated from its routes. */
export function createDocument(routes: readonly ControlRoute<never>[], version: string): object {
  const schemas = convertSchemas([error, ...routes.flatMap(shapesOf)])
  const paths: Record<string, object> = {}
  for (const route of routes) {
    const [method, below] = placeOf(route)
    const path = `/_sim${below}`
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(route, schemas) }
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

function shapesOf({ query, body, answer }: ControlRoute<never>): z.ZodType[] {
  return [query, body, answer].flatMap((shape) => shape?.() ?? [])
}

function describe(route: ControlRoute<never>, schemas: DocumentSchemas): object {
  const { summary, status = 200, answer, contentType = json } = route
  const schema = answer ? schemas.of(answer()) : {}
  const requestBody = bodyOf(route, schemas)
  return {
    operationId: idOf(route),
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
function refusalsOf({ body }: ControlRoute<never>): readonly number[] {
  return body ? [400, 403, 404, 413, 415] : [400, 403, 404]
}

/** Returns what a route is about, as a sentence. */
function scopeOf(route: ControlRoute<never>): string {
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

function parametersOf({ parameters = {}, query }: ControlRoute<never>, schemas: DocumentSchemas): object[] {
  const inPath = Object.entries(parameters).map(([name, description]) => {
    return { name, in: 'path', required: true, description, schema: { type: 'string' } }
  })
  const { properties = {} } = query ? schemas.of(query()) : {}
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => {
    return { name, in: 'query', required: false, ...(description && { description }), schema }
  })
  return [...inPath, ...inQuery]
}

function bodyOf(
  { body, bodyOptional, takesMail }: ControlRoute<never>,
  schemas: DocumentSchemas,
): object | undefined {
  if (!body) return undefined
  const mail = takesMail ? { 'message/rfc822': { schema: {} } } : {}
  return { required: !bodyOptional, content: { [json]: { schema: schemas.of(body()) }, ...mail } }
}

/** Returns the name of the group that a route belongs to: the first word of its path. */
function tagOf(route: ControlRoute<never>): string {
  return wordsOf(placeOf(route)[1])[0] as string
}

/** Returns an operation id: `POST /threads/{id}/read` → `postThreadsIdRead`. */
function idOf(route: ControlRoute<never>): string {
  const [method, path] = placeOf(route)
  const words = wordsOf(path).map(capitalized)
  return [method.toLowerCase(), ...words].join('')
}

function placeOf({ route }: ControlRoute<never>): [method: string, path: string] {
  return route.split(' ') as [string, string]
}

function wordsOf(path: string): string[] {
  return path.match(/\w+/g) ?? []
}

/** Returns the named schemas: those of the documented interface, one of them extended. */
const named = () => ({
  Identity: identitySchema(),
  Thread: threadSchema(),
  Message: messageSchema(),
  AttachmentEntry: attachmentEntrySchema(),
  Webhook: subscriptionSchema(),
})

/** The JSON Schemas of a document. */
type DocumentSchemas = ReturnType<typeof convertSchemas>

/** Converts zod schemas to JSON Schemas together, so that common parts are processed only once. */
function convertSchemas(shapes: readonly z.ZodType[]) {
  const names = new Map<z.ZodType, string>()
  const registry = z.registry<{ id: string }>()
  for (const [name, shape] of Object.entries(named())) {
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
    named: Object.fromEntries(Object.keys(named()).map((name) => [name, written[name] ?? {}])),
    /** Returns the schema of a shape: a reference, if it is a named one. */
    of(shape: z.ZodType): SchemaObject {
      const name = names.get(shape) ?? ''
      return Object.hasOwn(named(), name) ? { $ref: pathOf(name) } : (written[name] ?? {})
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
