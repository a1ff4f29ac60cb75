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
  const simulator = worldOf(request, first)
  const query = readQuery(operation, request)
  const body = await readBody(operation, request)
  const parameters = request.params as Record<string, string>
  return { simulator, origin: `http://${request.headers.host}`, parameters, query, body }
}

/** The world a request selects. @throws ControlError `unknown_world` */
function worldOf({ headers }: Request, first: Simulator): Simulator {
  const id = headers['x-sim-world']
  return id === undefined ? first : existingWorld(String(id), first)
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

function readQuery({ query }: AnyControlOperation, request: Request): unknown {
  const { searchParams } = new URL(request.originalUrl, 'http://localhost')
  const names = Object.keys(query?.shape ?? {})
  for (const name of searchParams.keys()) {
    if (!names.includes(name)) throw strayParameter(name, names)
    if (searchParams.getAll(name).length > 1) {
      throw new ControlError('invalid_query', `The query has "${name}" more than once.`)
    }
  }
  return query && checked(query, Object.fromEntries(searchParams), 'invalid_query')
}

function strayParameter(name: string, names: readonly string[]): ControlError {
  const known = names.length === 0 ? 'there is none here' : `there is ${names.join(', ')}`
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
