import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'
import { JsonReader, JsonReadingError } from '../../../base/json-reader.js'
import { isRead } from '../../../service/operations/request.js'
import { isAwaited } from '../connections.js'
import type { RouteRequest } from './calls.js'
import { ControlError } from './control-error.js'
import type { BodyLimit, ControlRoute } from './route.js'

/** The limits for the bodies of requests. */
export const bodyLimits = {
  json: { bytes: 65_536, values: 65_536 },
  /** A scenario, which may contain files. */
  scenario: { bytes: 10_485_760, values: 200_000 },
  /** A message, which may contain files in base64. */
  jsonWithFiles: { bytes: 52_428_800, values: 50_000 },
  /** All data that a world wrote, including files; it is read in pieces. */
  snapshot: { bytes: 134_217_728, values: 10_000_000 },
} as const satisfies Record<string, BodyLimit>

/** The maximum size of raw mail, in bytes. */
const maxMailBytes = 36_700_160

/** Returns what a request over HTTP asks of a route. @throws ControlError for a wrong query */
export function routeRequest(route: ControlRoute, request: Request): RouteRequest {
  const { world: inQuery, ...query } = readQuery(route, request)
  return {
    world: selectedWorld(request, inQuery),
    origin: `http://${request.headers.host}`,
    parameters: request.params as Record<string, string>,
    query,
    isAwaited: () => isAwaited(request),
    readBody: () => readBody(route, request),
  }
}

/**
 * Returns the world that the header or the query parameter selects.
 * @throws ControlError `invalid_query` if the two differ
 */
function selectedWorld({ headers }: Request, inQuery: string | undefined): string | undefined {
  const inHeader = headers['x-sim-world']?.toString()
  if (inHeader !== undefined && inQuery !== undefined && inHeader !== inQuery) {
    throw new ControlError(
      'invalid_query',
      `X-Sim-World is "${inHeader}", but the query selects the world "${inQuery}"; use one of them.`,
    )
  }
  return inHeader ?? inQuery
}

/** Returns the parameters of the route and `world`, each once. */
function readQuery(route: ControlRoute, request: Request): Record<string, string> {
  const { searchParams } = new URL(request.originalUrl, 'http://localhost')
  const names = [...Object.keys(route.query?.shape ?? {}), 'world']
  for (const name of searchParams.keys()) {
    if (!names.includes(name)) {
      const message = `There is no query parameter "${name}"; expected one of ${names.join(', ')}.`
      throw new ControlError('invalid_query', message)
    }
    if (searchParams.getAll(name).length > 1) {
      throw new ControlError('invalid_query', `The query has "${name}" more than once; give it once.`)
    }
  }
  return Object.fromEntries(searchParams)
}

async function readBody(route: ControlRoute, request: Request): Promise<unknown> {
  if (isRead(request)) return undefined
  const { bodyOptional = route.body === undefined, takesMail = false } = route
  const type = mediaTypeOf(request)
  const absent = !hasBody(request)
  if (takesMail && type === 'message/rfc822') return readRequestBytes(request, maxMailBytes)
  // Pages of other sites can send several types without a preflight, more than the three that are well known.
  if (type !== 'application/json' && !(type === undefined && absent && bodyOptional)) {
    const mail = takesMail ? ', or message/rfc822 for raw mail' : ''
    const message = `The body needs the header Content-Type: application/json${mail}.`
    throw new ControlError('unsupported_media_type', message)
  }
  return absent && bodyOptional ? {} : readJson(request, route.bodyLimit ?? bodyLimits.json)
}

function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * The maximum number of keys in one object: an object is validated without a pause, and no body needs more.
 */
const maxMembers = 1_000

/** The maximum nesting depth of a body: parsing and checking are recursive. */
const maxDepth = 100

async function readJson(request: IncomingMessage, limit: BodyLimit): Promise<unknown> {
  const reader = new JsonReader({ depth: maxDepth, values: limit.values, members: maxMembers })
  try {
    await receive(request, limit.bytes, (chunk) => reader.add(chunk))
    return reader.end()
  } catch (error) {
    if (!(error instanceof JsonReadingError)) throw error
    if (error.code === 'malformed') {
      throw new ControlError('invalid_json', `The body is not JSON in UTF-8: ${error.message}`)
    }
    const code = error.code === 'too-deep' ? 'invalid_json' : 'content_too_large'
    throw new ControlError(code, `The body cannot be read: ${error.message}.`)
  }
}

/** Reads a body up to a maximum size. @throws ControlError */
async function readRequestBytes(request: IncomingMessage, maximum: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  await receive(request, maximum, (chunk) => void chunks.push(chunk))
  return Buffer.concat(chunks)
}

/** Passes on a body up to a maximum size as it arrives. @throws ControlError, or what `take` throws */
function receive(request: IncomingMessage, maximum: number, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let length = 0
    let taking = take
    const refuse = (error: unknown): void => {
      // Listeners live as long as the request, and with them what they hold.
      taking = () => undefined
      reject(error)
    }
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maximum) {
        refuse(new ControlError('content_too_large', `The body may have ${maximum} bytes at most.`))
      }
      try {
        taking(chunk)
      } catch (error) {
        refuse(error)
      }
    })
    request.once('end', () => {
      taking = () => undefined
      resolve()
    })
    // A client that disconnects is not a defect of the simulator.
    request.once('error', () =>
      refuse(
        new ControlError('invalid_json', 'The body was cut off; send as many bytes as Content-Length says.'),
      ),
    )
  })
}
