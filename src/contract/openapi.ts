import { type Extensions, noExtensions } from './extensions.js'
import type { AssumptionOf, Assumptions } from './gaps.js'
import type { SchemaObject } from './openapi/document.js'
import { createNoteGaps, type NoteGaps } from './openapi/gap-notes.js'
import { createPaths, json, jsonBody } from './openapi/paths.js'
import { createSchemas } from './openapi/schemas.js'
import { eventTypes } from './resources.js'

/** The documented interface in OpenAPI 3.1: plain JSON. */
export type OpenApiDocument = ReturnType<typeof createOpenApi>

/** Options of an OpenAPI document. */
interface OpenApiOptions {
  /** The version of the document: that of the program that creates it. */
  readonly version: string
  /** The address that generated clients use by default, if there are assumptions; by default `http://127.0.0.1:4280`. */
  readonly server?: string | undefined
  /**
   * The assumptions in force. With them, each gap is noted with its assumption, the filters of the list of webhooks have names, and
   * an attachment's entry and the body of an error have their fields. Without them, the document contains only what the interface states.
   */
  readonly assumptions?: Assumptions | undefined
  /** Extensions whose operations are added to the documented ones. */
  readonly extensions?: Extensions | undefined
}

/**
 * Creates an OpenAPI 3.1 document of the documented interface; gaps are noted as `x-gaps` at the operations, fields and events they concern.
 * @example JSON.stringify(createOpenApi({ version: '1.0.0' }))
 * @see interface 1 to 9
 */
export function createOpenApi({
  version,
  assumptions,
  extensions = noExtensions,
  server = 'http://127.0.0.1:4280',
}: OpenApiOptions) {
  const noteGaps = createNoteGaps(assumptions, extensions.gaps)
  const schemas = createSchemas({ noteGaps, extensionFields: extensions.fields, assumptions, server })
  const paths = createPaths({ schemas, noteGaps, assumptions }, extensions)
  const tags = Object.values(paths).flatMap((item) => Object.values(item).flatMap((one) => one.tags))
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'Agent mailbox service',
      version,
      description: descriptionFor(assumptions),
      contact: { name: 'agent-mailbox-sim' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: serversFor(assumptions && server),
    tags: [...new Set(tags)].map((name) => ({ name, description: `Operations on ${name}` })),
    paths,
    webhooks: Object.fromEntries(eventTypes.map((type) => [type, { post: delivery(type, noteGaps) }])),
    components: {
      schemas: schemas.components,
      responses: {
        Error: assumptions ? { ...errorResponse, content: errorBodyUnder(assumptions) } : errorResponse,
      },
      securitySchemes: { bearer: bearerKeys },
    },
  }
}

interface Server {
  readonly url: string
  readonly description?: string
  readonly variables?: Readonly<Record<string, { readonly default: string }>>
}

function serversFor(running: string | undefined): readonly Server[] {
  const any = {
    url: '{base_url}',
    description: 'Any base address, without /api/v1',
    variables: { base_url: { default: 'http://127.0.0.1:4280' } },
  }
  return running === undefined ? [any] : [{ url: running, description: 'A simulator' }, any]
}

function descriptionFor(assumptions: Assumptions | undefined): string {
  const stated =
    'Email for software agents: identities, threads, messages and webhook subscriptions. This is what the ' +
    'documented interface states, part by part (`x-interface-part`). Where it leaves something open, ' +
    '`x-gaps` gives the question and its possible assumptions, none of which it promises.'
  return assumptions ? `${stated} The \`assumption\` of each is the one in force here.` : stated
}

/** Describes every response except 200, the only status that the interface documents. @see interface 7 */
const errorResponse = {
  description: 'Any other response: the statuses, body shapes and codes of errors are not documented.',
  'x-interface-part': '7',
  // One assumption of `errors.body` has its own media type.
  content: { [json]: { schema: {} }, 'application/problem+json': { schema: {} } },
}

/** @see interface 5 */
const bearerKeys = {
  type: 'http',
  scheme: 'bearer',
  description: 'Authorization: Bearer <API_KEY>. How keys are issued, scoped or revoked is not documented.',
  'x-interface-part': '5',
}

/** Describes the delivery of a documented event type. @see interface 6 */
function delivery(type: string, noteGaps: NoteGaps) {
  return {
    operationId: `deliver.${type}`,
    summary: `Delivery of ${type}`,
    description:
      'Sent to a subscription that lists the type. What emits it, and the method, headers and body of the ' +
      'request, are not documented: POST and JSON are placeholders.',
    'x-interface-part': '6',
    ...noteGaps('events'),
    // How a subscription's token is used is not documented.
    security: [],
    requestBody: jsonBody('Any body: its shape is not documented.', {}),
    responses: {
      default: {
        description: 'Which responses count as success, and what follows a failure, is not documented.',
      },
    },
  }
}

const text = { type: 'string' } as const

const codeAndMessage = { code: text, message: text }

/** The fields of an error's body under each assumption; all of them are always there. */
const errorFields: Readonly<Record<AssumptionOf<'errors.body'>, Readonly<Record<string, SchemaObject>>>> = {
  'error-object': { error: objectOf(codeAndMessage) },
  flat: codeAndMessage,
  problem: { type: text, title: text, status: { type: 'integer' }, detail: text },
  detail: { detail: text },
  message: { message: text },
}

/** Returns the media type and the schema of an error's body as an assumption shows it: clients of generators have no fields of `{}`. */
function errorBodyUnder(
  assumptions: Assumptions,
): Readonly<Record<string, { readonly schema: SchemaObject }>> {
  const assumption = assumptions['errors.body']
  const type = assumption === 'problem' ? 'application/problem+json' : 'application/json'
  return { [type]: { schema: objectOf(errorFields[assumption]) } }
}

function objectOf(properties: Readonly<Record<string, SchemaObject>>): SchemaObject {
  return { type: 'object', properties, required: Object.keys(properties) }
}
