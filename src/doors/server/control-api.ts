import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Router } from 'express'
import { explainValue } from '../../base/explain.js'
import { z } from '../../base/schema.js'
import { didYouMean } from '../../base/text.js'
import { StateError } from '../../service/model/errors.js'
import { isRead } from '../../service/operations/request.js'
import { createYielder } from '../../service/time/wall-time.js'
import { camelCase, type RequestInput } from '../controls/control.js'
import { ControlError, rejectionOf } from '../controls/errors.js'
import { type Route, routes } from '../controls/table.js'
import { existingWorld } from '../controls/worlds.js'
import type { Simulator } from '../simulator/simulator.js'
import { isAwaited } from './connections.js'
import { type AccessOptions, isOwner, rejectAccess, sendRejection } from './guards.js'

/** The simulator that the control API controls, and which clients may use it. */
export interface ControlOptions extends AccessOptions {
  readonly simulator: Simulator
}

/** Creates the router of the control API, for use below `/_sim`. */
export function createControlApi({ simulator, ...access }: ControlOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.use((request, response, next) => {
    const rejection = rejectAccess(request, access)
    if (rejection) sendRejection(response, rejection)
    else next()
  })
  const paths = [...new Set(routes.map((route) => placeOf(route).path))]
  for (const path of paths) {
    const atPath = routes.filter((route) => placeOf(route).path === path)
    router.all(path.replace(/\{(\w+)\}/g, ':$1'), createHandler(path, atPath, simulator, access))
  }
  router.use(({ originalUrl }, response) => {
    const path = originalUrl.split('?', 1)[0] as string
    const known = paths.map((one) => `/_sim${one}`)
    const hint = didYouMean(path, known) || '.'
    const message = `The control API has no ${path}${hint} GET /_sim/control.json describes all routes.`
    sendRejection(response, { status: 404, code: 'not_found', message })
  })
  return router.use(answerError)
}

function placeOf({ route }: Route): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = route.split(' ')
  return { method, path }
}

function createHandler(
  path: string,
  atPath: readonly Route[],
  first: Simulator,
  access: AccessOptions,
): RequestHandler {
  const methods = atPath.map((route) => placeOf(route).method)
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  const answer: RequestHandler = async (request, response) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = atPath.find((one) => placeOf(one).method === method)
    if (!route) {
      const message = `/_sim${path} supports ${methods.join(' and ')}, not ${method}.`
      const rejection = { status: 405, code: 'method_not_allowed', message, headers: { allow } }
      return sendRejection(response, rejection)
    }
    const agent = isOwner(request, access) ? undefined : access.agent
    const refused = agent?.refuse(route)
    if (refused) return sendRejection(response, refused)
    const { world, ...query } = readQuery(route, request)
    const simulator = (await worldOf(route, selectedWorld(request, world), request, first)).below(
      `http://${request.headers.host}`,
    )
    const input = { ...request.params, ...named(query), ...(await readBody(route, request)) }
    const refusedInput = agent?.refuse(route, input)
    if (refusedInput) return sendRejection(response, refusedInput)
    if (route.pieces) return sendPieces(route, simulator, input, request, response)
    // What concerns the server waits for no world, which another server may have claimed.
    const settled = route.ofServer ? undefined : simulator.hold()
    const result = await route.perform(simulator, ...(route.given?.(input) ?? [input]))
    const shown = route.show ? route.show(result, simulator, input) : result
    await settled?.()
    send(route, shown, response)
  }
  return async (request, response, next) => {
    try {
      await answer(request, response, next)
    } catch (error) {
      const id = new URL(request.originalUrl, 'http://localhost').searchParams.get('world')
      const world = request.headers['x-sim-world']?.toString() ?? id
      const isMoved = error instanceof StateError && error.code === 'moved' && world && world !== first.id
      // The world was deleted meanwhile.
      if (isMoved && !(await first.persistence?.find(world))) existingWorld(world, first)
      throw error
    }
  }
}

/** Returns the world that a request is about. @throws ControlError `unknown_world`, StateError */
async function worldOf(
  { ofServer }: Route,
  id: string | undefined,
  request: Request,
  first: Simulator,
): Promise<Simulator> {
  if (!ofServer || id !== undefined) {
    await first.persistence?.admitWorld(id ?? first.id, () => isAwaited(request))
  }
  return id === undefined ? first : existingWorld(id, first)
}

/** Returns the world that the header or the query selects. @throws ControlError `invalid_query` if the two differ */
function selectedWorld({ headers }: Request, inQuery: string | undefined): string | undefined {
  const inHeader = headers['x-sim-world']?.toString()
  if (inHeader === undefined || inQuery === undefined || inHeader === inQuery) return inHeader ?? inQuery
  const message = `X-Sim-World is "${inHeader}", but the query selects the world "${inQuery}"; use one of them.`
  throw new ControlError('invalid_query', message)
}

const nothing = z.strictObject({})

/** Returns the checked parameters of the query and `world`. @throws ControlError */
function readQuery(route: Route, request: Request): RequestInput {
  const schema = (route.query?.() ?? z.object({})).extend({ world: z.string().optional() })
  const names = Object.keys(schema.shape)
  const { searchParams } = new URL(request.originalUrl, 'http://localhost')
  for (const name of searchParams.keys()) {
    if (!names.includes(name)) {
      const message = `There is no query parameter "${name}"; expected one of ${names.join(', ')}.`
      throw new ControlError('invalid_query', message)
    }
    if (searchParams.getAll(name).length > 1) {
      throw new ControlError('invalid_query', `The query has "${name}" more than once; give it once.`)
    }
  }
  return checked(schema, Object.fromEntries(searchParams), 'invalid_query') as RequestInput
}

/** The most bytes of a body of which a control says nothing else, and of mail in RFC 5322 format. */
const [usualLimit, mailLimit] = [65_536, 36_700_160]

/** Returns what a body gives the control. @throws ControlError */
async function readBody(route: Route, request: Request): Promise<RequestInput> {
  if (isRead(request)) return {}
  const { limit = usualLimit, whole, takesMail = false } = route
  const schema = route.body?.() ?? nothing
  const isOptional = route.bodyOptional ?? route.body === undefined
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  const { 'transfer-encoding': encoding, 'content-length': length = 0 } = request.headers
  const isAbsent = encoding === undefined && Number(length) === 0
  if (takesMail && type === 'message/rfc822') return { eml: await readBytes(request, mailLimit) }
  // Pages of other sites can send several types without a preflight, more than the three that are well known.
  if (type !== 'application/json' && !(type === undefined && isAbsent && isOptional)) {
    const mail = takesMail ? ', or message/rfc822 for raw mail' : ''
    const message = `The body needs the header Content-Type: application/json${mail}.`
    throw new ControlError('unsupported_media_type', message)
  }
  const body = isAbsent && isOptional ? {} : parseBody(await readBytes(request, limit))
  if (isDeeper(body, maxDepth)) {
    throw new ControlError('invalid_json', `The body nests lists and objects more than ${maxDepth} deep.`)
  }
  const content = checked(schema, body, 'invalid_body')
  return whole === undefined ? named(content as object) : { [whole]: content }
}

/** Reads a body. Not by the parsers of Express, which would bring tables of every charset. @throws ControlError */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length
      if (length > limit) break
      chunks.push(chunk)
    }
  } catch {
    // A client that disconnects is not a defect of the simulator.
    const remedy = 'send as many bytes as Content-Length says'
    throw new ControlError('invalid_json', `The body was cut off; ${remedy}.`)
  }
  if (length <= limit) return Buffer.concat(chunks)
  throw new ControlError('content_too_large', `The body may have ${limit} bytes at most.`)
}

/** @throws ControlError `invalid_json` */
function parseBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new ControlError('invalid_json', `The body is not JSON in UTF-8: ${(error as Error).message}`)
  }
}

/** How deep a body may nest: checking one is recursive. */
const maxDepth = 100

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1))
}

/** Returns fields with names as the library has them. */
function named(fields: object): RequestInput {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [camelCase(name), value]))
}

/** Returns a value that is valid under a schema. @throws ControlError with the code */
function checked(schema: z.ZodType, value: unknown, code: 'invalid_body' | 'invalid_query'): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const what = code === 'invalid_body' ? 'body' : 'query'
  throw new ControlError(code, `The ${what} is not valid:\n${explainValue(schema, value)}`)
}

/** Headers of what came from strangers, which a browser must not render as a page. */
const fileHeaders = {
  'content-disposition': 'attachment',
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
}

function send({ contentType, status }: Route, answer: unknown, response: ServerResponse): void {
  if (status === 204) return void response.writeHead(204).end()
  const body = contentType ? (answer as Uint8Array) : Buffer.from(JSON.stringify(answer ?? {}))
  const length = { 'content-length': body.length }
  const type = contentType
    ? { 'content-type': contentType, ...fileHeaders }
    : { 'content-type': 'application/json' }
  response.writeHead(status ?? 200, { ...type, ...length }).end(body)
}

/** Sends a response in pieces, as fast as the client reads it. */
async function sendPieces(
  route: Route,
  simulator: Simulator,
  input: RequestInput,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  // A client that has left looks like one that only ended its side; neither needs later events.
  if (route.contentType) request.socket.once('end', () => left.abort())
  const lastEventId = request.headers['last-event-id']?.toString()
  const pieces = route.pieces?.(simulator, input, { lastEventId, signal: left.signal }) ?? []
  // Set with `setHeader`, so that `Connections.drain` can recognize a stream of events.
  response.setHeader('content-type', route.contentType ?? 'application/json')
  // Otherwise a proxy collects events before it passes them on.
  if (route.contentType) response.setHeader('cache-control', 'no-store').setHeader('x-accel-buffering', 'no')
  response.writeHead(200)
  if (request.method === 'HEAD') return void response.end()
  const chunks = route.contentType ? pieces : inChunks(pieces as Iterable<string>)
  // A client that disconnects is not a defect of the simulator.
  await pipeline(Readable.from(chunks, { objectMode: false }), response).catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

/** The characters that are sent at a time, at least. */
const chunkLength = 65_536

/** Joins pieces of JSON to larger ones, with pauses in which others are answered. */
async function* inChunks(pieces: Iterable<string>): AsyncGenerator<string> {
  const yieldIfDue = createYielder()
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    // A client that reads fast would otherwise keep the server busy until the end.
    const due = yieldIfDue()
    if (due) await due
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** Express recognizes an error handler by its four parameters. */
const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const rejection = rejectionOf(error)
  if (rejection) sendRejection(response, rejection)
  else next(error)
}
