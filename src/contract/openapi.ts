import type { Readings } from './gaps.js'
import { createDeliveries } from './openapi/deliveries.js'
import type { OpenApiDocument, ResponseObject, SecurityScheme } from './openapi/document.js'
import { createNoteGaps, type NoteGaps } from './openapi/gap-notes.js'
import { gapsOfErrors, gapsOfKeys } from './openapi/gap-places.js'
import { createPaths, json, tagOf } from './openapi/paths.js'
import { createSchemas } from './openapi/schemas.js'
import { operationNames } from './operations.js'

export type { GapNote, OpenApiDocument } from './openapi/document.js'

/** What the document is of. */
export interface OpenApiOptions {
  /** The version it carries: that of the program that gives it. */
  readonly version: string
  /** The readings in force; each gap is then noted with its own. */
  readonly readings?: Readings | undefined
}

/**
 * The documented interface as an OpenAPI 3.1 document, a new one each time; what the interface leaves open is
 * noted as `x-gaps` beside what it concerns.
 * @example JSON.stringify(createOpenApi({ version: '1.0.0' }))
 * @see interface 1 to 9
 */
export function createOpenApi({ version, readings }: OpenApiOptions): OpenApiDocument {
  const noteGaps = createNoteGaps(readings)
  const schemas = createSchemas(noteGaps)
  return {
    openapi: '3.1.0',
    info: { title: 'Agent mailbox service', version, description: descriptionFor(readings) },
    servers: [
      {
        url: '{base_url}',
        variables: {
          base_url: { default: 'http://127.0.0.1:4280', description: 'Base address, without /api/v1' },
        },
      },
    ],
    tags: [...new Set(operationNames.map(tagOf))].map((name) => ({ name })),
    paths: createPaths(schemas, noteGaps),
    webhooks: createDeliveries(noteGaps),
    components: {
      schemas: schemas.components,
      responses: { Error: errorResponse(noteGaps) },
      securitySchemes: { bearer: bearerKeys(noteGaps) },
    },
  }
}

function descriptionFor(readings: Readings | undefined): string {
  const stated =
    'Email for software agents: identities, threads, messages and webhook subscriptions. This is what the ' +
    'documented interface states, part by part (`x-interface-part`). Where it leaves something open, ' +
    '`x-gaps` gives the question and its possible readings, none of which it promises.'
  return readings ? `${stated} The \`reading\` of each is the one in force here.` : stated
}

/** The interface shows answers of status 200 only. @see interface 7 */
function errorResponse(noteGaps: NoteGaps): ResponseObject {
  return {
    description: 'Any other answer: statuses, body shapes and codes of errors are not shown.',
    'x-interface-part': '7',
    ...noteGaps(gapsOfErrors),
    // One reading of `errors.body` has a media type of its own.
    content: { [json]: { schema: {} }, 'application/problem+json': { schema: {} } },
  }
}

/** @see interface 5 */
function bearerKeys(noteGaps: NoteGaps): SecurityScheme {
  return {
    type: 'http',
    scheme: 'bearer',
    description: 'Authorization: Bearer <API_KEY>. How keys are issued, scoped or revoked is not shown.',
    'x-interface-part': '5',
    ...noteGaps(gapsOfKeys),
  }
}
