import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Router } from 'express'
import { readPieces } from '../../base/bytes.js'
import { explainValue } from '../../base/explain.js'
import { isTooDeep, maxDepth } from '../../base/json.js'
import { z } from '../../base/schema.js'
import { didYouMean } from '../../base/text.js'
import { isRead } from '../../service/operations/request.js'
import { createYielder } from '../../service/time/wall-time.js'
import {
  argumentsOf,
  type ControlMethod,
  camelCase,
  placeOf,
  type RequestInput,
} from '../controls/control.js'
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
  for (const route of routes) {
    const [method, path] = placeOf(route)
    const verb = method.toLowerCase() as Lowercase<ControlMethod>
    router[verb](patternOf(path), createHandler(route, simulator, access))
  }
  const places = routes.map(placeOf)
  const paths = [...new Set(places.map(([, path]) => path))]
  for (const path of paths) {
    const methods = places.flatMap(([method, at]) => (at === path ? [method] : []))
    const allow = methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ')
    router.all(patternOf(path), ({ method }, response) => {
      const message = `/_sim${path} supports ${methods.join(' and ')}, not ${method}.`
      sendRejection(response, { status: 405, code: 'method_not_allowed', message, headers: { allow } })
    })
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

/** Returns a path as Express writes it: `/threads/{id}` → `/threads/:id`. */
function patternOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

function createHandler(route: Route, first: Simulator, access: AccessOptions): RequestHandler {
  return async (request, response) => {
    const agent = isOwner(request, access) ? undefined : access.agent
    const refused = agent?.refuse(route)
    if (refused) return sendRejection(response, refused)
    const { world, ...query } = readQuery(route, request)
    const selected = request.headers['x-sim-world']?.toString() ?? world
    const simulator = (await worldOf(route, selected, request, first)).below(`http://${request.headers.host}`)
    const input = { ...request.params, ...named(query), ...(await readBody(route, request)) }
    const refusedInput = agent?.refuse(route, input)
    if (refusedInput) return sendRejection(response, refusedInput)
    if (route.stream) return sendStream(route, simulator, input, request, response)
    // What concerns the server waits for no world, which another server may have claimed.
    const settled = route.ofServer ? undefined : simulator.hold()
    const shown = route.respond?.(simulator, input) ?? (await perform(route, simulator, input))
    await settled?.()
    await send(route, shown, response)
  }
}

/** Performs a control; returns what the control API answers. */
async function perform(route: Route, on: Simulator, input: RequestInput): Promise<unknown> {
  const result = await route.perform(on, ...argumentsOf(route, input))
  return route.show ? route.show(result, on, input) : result
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

const nothing = z.strictObject({})

/** Returns the checked parameters of the query and `world`. @throws ControlError */
function readQuery(route: Route, request: Request): RequestInput {
  const schema = (route.query?.() ?? nothing).extend({ world: z.string().optional() }).strict()
  const { searchParams } = new URL(request.originalUrl, 'http://localhost')
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
  if (isTooDeep(body)) {
    throw new ControlError('invalid_json', `The body nests lists and objects more than ${maxDepth} deep.`)
  }
  const content = checked(schema, body, 'invalid_body')
  return whole === undefined ? named(content as object) : { [whole]: content }
}

/** Reads a body. Not by the parsers of Express, which would bring tables of every charset. @throws ControlError */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const source: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
  const failed = (): never => {
    // A client that disconnects is not a defect of the simulator.
    throw new ControlError('invalid_json', 'The body was cut off; send as many bytes as Content-Length says.')
  }
  const bytes = await readPieces(source, { most: limit, failed })
  if (bytes.length <= limit) return bytes
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

/** Returns the body of a response; a list that is shown in turn comes last, with pauses in which others are answered. */
async function bodyOf({ contentType }: Route, answer: unknown): Promise<Uint8Array> {
  if (contentType) return answer as Uint8Array
  const [name = '', list] = Object.entries(answer ?? {}).at(-1) ?? []
  if (typeof Object(list).next !== 'function') return Buffer.from(JSON.stringify(answer ?? {}))
  const yieldIfDue = createYielder()
  // Without the end of the list.
  const parts = [Buffer.from(JSON.stringify({ ...(answer as object), [name]: [] }).slice(0, -2))]
  for (const item of list as Iterable<unknown>) {
    parts.push(Buffer.from(`${parts.length > 1 ? ',' : ''}${JSON.stringify(item)}`))
    await yieldIfDue()
  }
  return Buffer.concat([...parts, Buffer.from(']}')])
}

async function send(route: Route, answer: unknown, response: ServerResponse): Promise<void> {
  const { contentType, status } = route
  if (status === 204) return void response.writeHead(204).end()
  const body = await bodyOf(route, answer)
  const length = { 'content-length': body.length }
  const type = contentType
    ? { 'content-type': contentType, ...fileHeaders }
    : { 'content-type': 'application/json' }
  response.writeHead(status ?? 200, { ...type, ...length }).end(body)
}

/** Sends a response that goes on until it ends or the client leaves. */
async function sendStream(
  { stream, contentType = '' }: Route,
  simulator: Simulator,
  input: RequestInput,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  // A client that has left looks like one that only ended its side; neither needs later events.
  request.socket.once('end', () => left.abort())
  const lastEventId = request.headers['last-event-id']?.toString()
  const pieces = stream?.(simulator, input, { lastEventId, signal: left.signal }) ?? []
  // Set with `setHeader`, so that `Connections.drain` can recognize a stream of events.
  response.setHeader('content-type', contentType)
  // Otherwise a proxy collects events before it passes them on.
  response.setHeader('cache-control', 'no-store').setHeader('x-accel-buffering', 'no').writeHead(200)
  if (request.method === 'HEAD') return void response.end()
  // A client that disconnects is not a defect of the simulator.
  await pipeline(Readable.from(pieces, { objectMode: false }), response).catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

/** Express recognizes an error handler by its four parameters. */
const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const rejection = rejectionOf(error)
  if (rejection) sendRejection(response, rejection)
  else next(error)
}
