import { z } from '../../base/schema.js'
import { capitalized } from '../../base/text.js'
import type { SchemaObject } from '../../contract/openapi/document.js'
import { schemaOf } from '../../contract/openapi/schemas.js'
import { type ControlRoute, namesInPath, placeOf, someObject } from './control.js'

const json = 'application/json'

const error = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

const description =
  'Creates, changes, disturbs, advances and inspects the worlds of the simulator. ' +
  'If other machines can reach the server, or if it was started with a token, every request needs the token.'

/** Returns a new OpenAPI document of the control API, generated from its routes. */
export function createDocument(routes: readonly ControlRoute<never>[], version: string): object {
  const paths: Record<string, object> = {}
  for (const route of routes) {
    const [method, below] = placeOf(route)
    const path = `/_sim${below}`
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(route) }
  }
  const failure = {
    description: 'What is wrong, and what to do about it.',
    content: { [json]: { schema: schemaOfShape(error) } },
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
      responses: { Error: failure },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token of --control-token.' },
      },
    },
  }
}

function describe(route: ControlRoute<never>): object {
  const { summary, status = 200, answer, contentType = json } = route
  const schema = schemaOfShape((answer ?? someObject)())
  const requestBody = bodyOf(route)
  return {
    operationId: idOf(route),
    summary,
    description: scopeOf(route),
    tags: [tagOf(route)],
    parameters: [...parametersOf(route), ...worldParameters],
    ...(requestBody && { requestBody }),
    responses: {
      [status]: { description: summary, ...(status !== 204 && { content: { [contentType]: { schema } } }) },
      ...refusals,
    },
  }
}

const refused = { $ref: '#/components/responses/Error' }

/** Separate statuses, since code generators ignore `4XX`. */
const refusals = { 400: refused, 403: refused, 404: refused, default: refused }

/** Returns what a route is about, as a sentence. */
function scopeOf(route: ControlRoute<never>): string {
  if (route.ofServer) return 'It is about the whole server, whichever world is selected.'
  return 'It is about the world that `X-Sim-World` or `world` selects, or else the first one.'
}

/** The world that a request is about, by a header or, for clients that cannot send one such as an EventSource, in the query. */
const worldParameters = [
  { in: 'query', name: 'world' },
  { in: 'header', name: 'X-Sim-World' },
].map((place) => {
  const description = 'The id of the world that the request applies to; the first world by default.'
  return { ...place, required: false, description, schema: { type: 'string' } }
})

/** The descriptions of parameters in paths; any other is the id of what the path begins with. */
const parameters: Readonly<Record<string, string>> = {
  handle: 'The handle or the id of an agent.',
  seq: 'The `seq` of an exchange.',
}

function parametersOf(route: ControlRoute<never>): object[] {
  const { query } = route
  const inPath = namesInPath(route).map((name) => {
    const description = parameters[name] ?? `The id of one of the ${tagOf(route)}.`
    return { name, in: 'path', required: true, description, schema: { type: 'string' } }
  })
  const { properties = {} } = query ? schemaOfShape(query()) : {}
  const inQuery = Object.entries(properties).map(([name, { description, ...schema }]) => {
    return { name, in: 'query', required: false, ...(description && { description }), schema }
  })
  return [...inPath, ...inQuery]
}

function bodyOf({ body, bodyOptional, takesMail }: ControlRoute<never>): object | undefined {
  if (!body) return undefined
  const mail = takesMail ? { 'message/rfc822': { schema: {} } } : {}
  return { required: !bodyOptional, content: { [json]: { schema: schemaOfShape(body()) }, ...mail } }
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

function wordsOf(path: string): string[] {
  return path.match(/\w+/g) ?? []
}

/** Returns the JSON Schema of a shape. Linters and generators expect every list to say what its items are, also one of a fixed length. */
function schemaOfShape(shape: z.ZodType): SchemaObject {
  return JSON.parse(JSON.stringify(schemaOf(shape)), (_, value) => {
    const { prefixItems, ...rest } = Object(value) as SchemaObject
    return Array.isArray(prefixItems) ? { ...rest, items: { anyOf: prefixItems } } : value
  })
}
