import type { Request } from 'express'
import { z } from '../../contract/schema.js'
import type { Simulator } from '../../simulator/simulator.js'
import { ControlError } from './control-error.js'
import { hasBody, mediaTypeOf, readBytes, readJson } from './request-body.js'
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
  return { simulator, parameters, query, body }
}

/** The world a request selects. @throws ControlError `unknown_world` */
function worldOf({ headers }: Request, first: Simulator): Simulator {
  const id = headers['x-sim-world']
  if (id === undefined) return first
  const simulator = first.world(String(id))
  if (simulator) return simulator
  throw unknownWorld(String(id))
}

/** That there is no world of an id, and how to make one. */
export function unknownWorld(id: string): ControlError {
  return new ControlError(
    'unknown_world',
    `There is no world "${id}"; POST /_sim/worlds makes one, and GET /_sim/worlds lists those there are.`,
  )
}

/** What takes no parameters minds none; what takes some minds a misspelt one. */
function readQuery({ query }: AnyControlOperation, request: Request): unknown {
  if (!query) return undefined
  const given = Object.fromEntries(new URL(request.originalUrl, 'http://localhost').searchParams)
  const names = Object.keys(query.shape)
  const stray = Object.keys(given).find((name) => !names.includes(name))
  if (stray !== undefined) {
    throw new ControlError(
      'invalid_query',
      `There is no query parameter "${stray}"; there is ${names.join(', ')}.`,
    )
  }
  return checked(query, given, 'invalid_query')
}

async function readBody(operation: AnyControlOperation, request: Request): Promise<unknown> {
  const { body, bodyOptional, takesMail } = operation
  if (!body) {
    // What is sent along is not asked for: a page of another site can send that as well.
    if (request.method !== 'GET' && request.method !== 'HEAD') refuseSimplePost(request)
    return undefined
  }
  if (takesMail && mediaTypeOf(request) === 'message/rfc822') return readBytes(request, 'mail')
  if (bodyOptional && !hasBody(request)) {
    refuseSimplePost(request)
    return checked(body, {}, 'invalid_body')
  }
  return checked(body, await readJson(request, takesMail ?? false), 'invalid_body')
}

/**
 * Refuses what a page of another site can send without asking first: a form, plain text, or nothing, all of
 * which come with an origin of their own.
 */
function refuseSimplePost(request: Request): void {
  const { origin, host } = request.headers
  const simple = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']
  const type = mediaTypeOf(request)
  const foreign = origin !== undefined && origin !== `http://${host}`
  if (!foreign && (type === undefined || !simple.includes(type))) return
  throw new ControlError(
    'unsupported_media_type',
    'Changes are taken as application/json, and from no page of another site.',
  )
}

function checked(schema: z.ZodType, value: unknown, code: 'invalid_body' | 'invalid_query'): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const what = code === 'invalid_body' ? 'The body' : 'The query'
  throw new ControlError(code, `${what} does not fit:\n${z.prettifyError(parsed.error)}`)
}
