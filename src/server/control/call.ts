import type { Request } from 'express'
import { z } from '../../contract/schema.js'
import type { Simulator } from '../../simulator/simulator.js'
import { ControlError } from './control-error.js'
import { bodyBytes, hasBody, mediaTypeOf, readBytes, readJson } from './request-body.js'
import type { AnyControlOperation, ControlCall } from './route.js'

/** Reads and checks a request to the control API. @throws ControlError */
export async function readCall(
  operation: AnyControlOperation,
  request: Request,
  first: Simulator,
): Promise<ControlCall> {
  const { world, checked: query } = readQuery(operation, request)
  const simulator = worldOf(request, world, first)
  const body = await readBody(operation, request)
  const parameters = request.params as Record<string, string>
  return { simulator, origin: `http://${request.headers.host}`, parameters, query, body }
}

/**
 * The world a request selects by its header or by its query, for those who can send no headers.
 * @throws ControlError `unknown_world`, `invalid_query` where the two differ
 */
function worldOf({ headers }: Request, inQuery: string | undefined, first: Simulator): Simulator {
  const inHeader = headers['x-sim-world']?.toString()
  if (inHeader !== undefined && inQuery !== undefined && inHeader !== inQuery) {
    throw new ControlError(
      'invalid_query',
      `X-Sim-World is "${inHeader}", and the query has the world "${inQuery}"; say which one it is about.`,
    )
  }
  const id = inHeader ?? inQuery
  return id === undefined ? first : existingWorld(id, first)
}

/** The world of that id. @throws ControlError `unknown_world`, which says how to make one */
export function existingWorld(id: string, simulator: Simulator): Simulator {
  const found = simulator.world(id)
  if (found) return found
  throw new ControlError(
    'unknown_world',
    `There is no world "${id}"; POST /_sim/worlds makes one, and GET /_sim/worlds lists those there are.`,
  )
}

interface GivenQuery {
  readonly world: string | undefined
  /** The parameters of the operation itself. */
  readonly checked: unknown
}

function readQuery({ query }: AnyControlOperation, request: Request): GivenQuery {
  const { searchParams } = new URL(request.originalUrl, 'http://localhost')
  const names = [...Object.keys(query?.shape ?? {}), 'world']
  for (const name of searchParams.keys()) {
    if (!names.includes(name)) throw strayParameter(name, names)
    if (searchParams.getAll(name).length > 1) {
      throw new ControlError('invalid_query', `The query has "${name}" more than once.`)
    }
  }
  const { world, ...own } = Object.fromEntries(searchParams)
  return { world, checked: query && checked(query, own, 'invalid_query') }
}

function strayParameter(name: string, names: readonly string[]): ControlError {
  const known = `there is ${names.join(', ')}`
  return new ControlError('invalid_query', `There is no query parameter "${name}"; ${known}.`)
}

const nothing = z.strictObject({})

async function readBody(operation: AnyControlOperation, request: Request): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const { body = nothing, bodyOptional = operation.body === undefined, takesMail = false } = operation
  const type = mediaTypeOf(request)
  const absent = !hasBody(request)
  if (takesMail && type === 'message/rfc822') return readBytes(request, bodyBytes.mail)
  // A page of another site can send some types without asking first, and more than the three that are well known.
  if (type !== 'application/json' && !(type === undefined && absent && bodyOptional)) {
    throw unsupportedType(takesMail)
  }
  if (absent && bodyOptional) return checked(body, {}, 'invalid_body')
  return checked(body, await readJson(request, operation.bodyBytes ?? bodyBytes.json), 'invalid_body')
}

function unsupportedType(takesMail: boolean): ControlError {
  const mail = takesMail ? ', or message/rfc822 for mail as it is' : ''
  return new ControlError(
    'unsupported_media_type',
    `The body needs the header Content-Type: application/json${mail}.`,
  )
}

function checked(schema: z.ZodType, value: unknown, code: 'invalid_body' | 'invalid_query'): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const what = code === 'invalid_body' ? 'The body' : 'The query'
  throw new ControlError(code, `${what} does not fit:\n${z.prettifyError(parsed.error)}`)
}
