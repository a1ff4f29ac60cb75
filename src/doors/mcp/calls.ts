import { piecesOf, readPieces } from '../../base/bytes.js'
import { isJsonObject, parseJson } from '../../base/json.js'
import type { SchemaObject } from '../../contract/openapi/document.js'
import { statusTexts } from '../../contract/statuses.js'
import { isReply, type Served } from '../../service/operations/reply.js'
import type { ServiceRequest } from '../../service/operations/request.js'
import { endingHeader } from '../../service/requests/faults.js'
import { locate } from '../../service/requests/routes.js'
import type { Service } from '../../service/requests/service.js'
import type { OperationTool } from './operation-tools.js'
import { type Caller, errorResult, type ToolArguments, type ToolResult } from './tool.js'

/** The maximum number of characters of the path and query of a request, as of the target of an HTTP request. */
const maxTargetCharacters = 16_384

/** Calls an operation by a request to the service. @throws Error when no response arrives */
export async function callOperation(
  tool: OperationTool,
  input: ToolArguments,
  caller: Caller,
  service: Service,
): Promise<ToolResult> {
  const refused = (status: number, message: string): ToolResult => {
    const { key } = caller
    service.recordRefusedCall({ tool: tool.name, input, status, message, key })
    return errorResult(message)
  }
  const missing = [...tool.places].find(([name, place]) => place === 'path' && (input[name] ?? null) === null)
  if (missing) return refused(400, `The argument "${missing[0]}" is missing.`)
  const request = requestFor(tool, withoutAbsent(input, tool), caller)
  const length = request.url.length - caller.base.length
  if (length > maxTargetCharacters) {
    const most = `at most ${maxTargetCharacters} fit`
    return refused(414, `The arguments are too long: ${length} characters, ${most}.`)
  }
  return resultOf(await answerTo(request, service))
}

/**
 * Returns arguments without optional ones that are null, since the SDKs of models write null for what a model leaves out. A
 * null that the schema of an argument allows is its value.
 */
function withoutAbsent(input: ToolArguments, { inputSchema }: OperationTool): ToolArguments {
  const { properties = {}, required = [] } = inputSchema
  const isAbsent = ([name, value]: readonly [string, unknown]): boolean => {
    return value === null && !required.includes(name) && !allowsNull(properties[name])
  }
  return Object.fromEntries(Object.entries(input).filter((argument) => !isAbsent(argument)))
}

function allowsNull(schema: SchemaObject | undefined): boolean {
  if (!schema) return false
  const { type, anyOf = [] } = schema as { type?: string | string[]; anyOf?: SchemaObject[] }
  return [type].flat().includes('null') || anyOf.some(allowsNull)
}

/** The response to a request of a tool. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** Whether the connection ended before the body was complete. */
  readonly isCut: boolean
}

/** Sends a request to the service. @throws Error when no response arrives */
export async function answerTo(request: ServiceRequest, service: Service): Promise<Answered> {
  const target = locate(request, service.baseUrl)
  const served = target && (await service.answer(request, target))
  if (served) return readAnswer(served)
  throw new Error(`Nothing responds to ${request.method} ${request.url}.`)
}

/** Returns the request of a call: what is not an argument of the tool goes to the service as well, which judges it. */
function requestFor(tool: OperationTool, input: ToolArguments, caller: Caller): ServiceRequest {
  const { method, places, hasBody } = tool
  const query = new URLSearchParams()
  const headers: [string, string][] = []
  const fields: Record<string, unknown> = {}
  let whole: unknown
  let path = tool.path
  for (const [name, value] of Object.entries(input)) {
    const place = places.get(name) ?? (hasBody ? 'body' : 'query')
    if (place === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(textOf(value)))
    else if (place === 'header') headers.push([name.replaceAll('_', '-'), textOf(value)])
    else if (place === 'query') for (const one of [value].flat()) query.append(name, textOf(one))
    else if (place === 'whole-body') whole = value
    else Object.defineProperty(fields, name, { value, enumerable: true })
  }
  const search = query.size === 0 ? '' : `?${query}`
  const body = hasBody ? JSON.stringify(whole ?? fields) : undefined
  return serviceRequest(method, `${caller.base}${path}${search}`, caller, headers, body)
}

/** Creates a request to the service with the key of the caller. */
export function serviceRequest(
  method: string,
  url: string,
  { key, signal }: Caller,
  further: readonly (readonly [string, string])[] = [],
  body?: string,
): ServiceRequest {
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body)
  const fields = new Map([
    ...(key === undefined ? [] : ([['authorization', `Bearer ${key}`]] as const)),
    ...(bytes ? ([['content-length', String(bytes.length)]] as const) : []),
    ...(bytes ? ([['content-type', 'application/json']] as const) : []),
    ...further,
  ])
  return {
    method,
    url,
    headers: {
      get: (name) => fields.get(name.toLowerCase()) ?? null,
      has: (name) => fields.has(name.toLowerCase()),
      [Symbol.iterator]: () => fields.entries(),
    },
    signal,
    clone: () => new Response(bytes ?? null),
    via: 'mcp',
  }
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()
}

async function readAnswer(served: Served): Promise<Answered> {
  if (isReply(served)) {
    const { status, headers, body } = served
    return { status, headers, bytes: body?.bytes() ?? new Uint8Array(), isCut: false }
  }
  const { status, type, body } = served
  const { [endingHeader]: ending, ...headers } = Object.fromEntries(served.headers)
  // The same fault as an error of fetch, or marked for a server.
  if (type === 'error' || ending === 'reset') throw new Error('The connection was reset: read ECONNRESET.')
  let isCut = ending === 'cut'
  const failed = (): void => {
    isCut = true
  }
  const bytes = await readPieces(piecesOf(body), { failed })
  return { status, headers, bytes, isCut }
}

/**
 * Returns the result of a call: the body as text, and as data if it is a JSON object. JSON that is damaged is an error as
 * well.
 */
function resultOf({ status, headers, bytes, isCut }: Answered): ToolResult {
  const text = new TextDecoder().decode(bytes)
  const value = isCut ? undefined : parseJson(text)
  const isDamaged = value === undefined && headers['content-type']?.startsWith('application/json') === true
  if (status >= 400 || isCut || isDamaged) return failedResult(status, headers, text)
  const content: ToolResult['content'] = [{ type: 'text', text }]
  return isJsonObject(value) ? { content, structuredContent: value } : { content }
}

/** Returns the result for a response that is an error or cannot be used. */
export function failedResult(status: number, headers: Answered['headers'], text: string): ToolResult {
  const retry = headers['retry-after']
  const hint = retry === undefined ? [] : [`Retry-After: ${retry}`]
  return errorResult(text || `${status} ${statusTexts[status] ?? ''}`.trim(), ...hint)
}
