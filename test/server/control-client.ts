import type { RunningServer } from 'agent-mailbox-sim/server'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { createDocument } from '../../src/doors/controls/document.js'
import { routes } from '../../src/doors/controls/table.js'

/** The OpenAPI document of the control API. */
export const document = JSON.parse(JSON.stringify(createDocument(routes, '1.2.3')))

/** An operation of the control API. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** The path with `{name}`s in it. */
  readonly path: string
  readonly takesBody: boolean
}

/** Every operation the document describes. */
export const operations: readonly Operation[] = Object.entries(
  document.paths as Record<string, Record<string, { operationId: string; requestBody?: object }>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId: id, requestBody }]) => {
    return { id, method: method.toUpperCase(), path, takesBody: requestBody !== undefined }
  }),
)

/** The body and headers of a request; a body other than text or bytes is sent as JSON. */
export interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The id of the world it is about. */
  readonly world?: string
}

/** An answer of the control API. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer.
  readonly body: any
}

/** Sends a request to the control API and checks the answer against the document. */
export async function ask(
  { controlUrl }: Pick<RunningServer, 'controlUrl'>,
  method: string,
  path: string,
  { body, headers, world }: Sent = {},
): Promise<Answer> {
  const text = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const answer = await fetch(controlUrl + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(world !== undefined && { 'x-sim-world': world }),
      ...headers,
    },
    ...(body !== undefined && { body: text ? (body as BodyInit) : JSON.stringify(body) }),
  })
  const { status } = answer
  const came = await answer.text()
  const json = came === '' ? undefined : JSON.parse(came)
  if (came !== '') expect(answer.headers.get('content-type')).toBe('application/json')
  expect(faultsOf(method, `/_sim${path.split('?', 1)[0]}`, status, json)).toEqual([])
  return { status, body: json }
}

/** Returns status, code and message of a refusal. */
export async function refusal(...asked: Parameters<typeof ask>): Promise<string> {
  const { status, body } = await ask(...asked)
  return `${status} ${body.error.code}: ${body.error.message}`
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
formats.default(ajv)
ajv.addVocabulary(['components'])
const compiled = new Map<string, ValidateFunction>()

/** Returns the differences between an answer and the document. */
function faultsOf(method: string, path: string, status: number, body: unknown): string[] {
  const operation = operations.find((one) => one.method === method && fits(one.path, path))
  const documented = operation && document.paths[operation.path][method.toLowerCase()].responses[status]
  if (status < 400 && !documented) return [`${method} ${path} answers ${status}, which is not described`]
  const { content } = status < 400 ? documented : document.components.responses.Error
  if (!content) return body === undefined ? [] : [`${method} ${path} answers with a body`]
  const key = `${operation?.id} ${status < 400 ? status : 'error'}`
  const { schema } = content['application/json']
  const validate = compiled.get(key) ?? ajv.compile(closed({ ...schema, components: document.components }))
  compiled.set(key, validate)
  if (validate(body)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${key}: ${instancePath} ${message}`)
}

function fits(template: string, path: string): boolean {
  const [parts, given] = [template.split('/'), path.split('/')]
  return parts.length === given.length && parts.every((part, at) => /^\{/.test(part) || part === given[at])
}

/** Returns the schema with unlisted fields forbidden. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    const isShape = value?.type === 'object' && value.properties !== undefined
    return isShape ? { additionalProperties: false, ...value } : value
  })
}
