import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { SetupServer } from 'msw/node'
import { createHandlersReceiver, isForService, withoutPassthrough } from '../handlers/index.js'
import type { Receiver } from '../world/index.js'

/** A request as undici dispatches it. */
interface DispatchOptions {
  readonly origin?: string | URL
  readonly path: string
  readonly method: string
  readonly headers?: unknown
  readonly body?: unknown
}

/** What an answer is handed to: the methods of undici 7 and later, and those of before. */
interface DispatchHandler {
  onRequestStart?(controller: object, context: object): void
  onResponseStart?(controller: object, status: number, headers: object, statusText: string): void
  onResponseData?(controller: object, bytes: Buffer): void
  onResponseEnd?(controller: object, trailers: object): void
  onResponseError?(controller: object, error: unknown): void
  onConnect?(abort: (reason: unknown) => void): void
  onHeaders?(status: number, headers: Buffer[], resume: () => void, statusText: string): void
  onData?(bytes: Buffer): void
  onComplete?(trailers: Buffer[]): void
  onError?(error: unknown): void
}

/** A request that undici tells of on its diagnostics channel: with the one method from version 8 on, before with the other. */
interface UndiciRequest {
  readonly method: string
  readonly path: string
  readonly origin: unknown
  onResponseError?(error: Error): void
  onError?(error: Error): void
}

interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean
}

/** Where every copy of undici in a process, Node's own as well, looks for its dispatcher: up to version 7, and from 8 on. */
const places = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name))

/**
 * Has the requests to the service that the npm package undici sends (`request`, `stream`, `fetch`) answered by a server's
 * handlers, as MSW does not; a request by a dispatcher of its own is refused. Returns what ends that.
 */
export function interceptUndici({ listHandlers }: Pick<SetupServer, 'listHandlers'>): () => void {
  const isTaken = (origin: unknown, path: unknown) => {
    const url = `${origin}${path}`
    return URL.canParse(url) && isForService(listHandlers(), url)
  }
  const receiver = withoutPassthrough(createHandlersReceiver(listHandlers))
  const putBack = places.map((place) => {
    const elsewhere = (globalThis as { [place: symbol]: Dispatcher | undefined })[place]
    return (
      elsewhere &&
      replaceDispatcher(place, elsewhere, (options, handler) => {
        if (isTaken(options.origin, options.path)) return answer(options, handler, receiver)
        return elsewhere.dispatch(options, handler)
      })
    )
  })
  const onCreate = (message: unknown) => refuseOther(message, isTaken)
  subscribe('undici:request:create', onCreate)
  return () => {
    unsubscribe('undici:request:create', onCreate)
    for (const putOneBack of putBack) putOneBack?.()
  }
}

/** Replaces a dispatcher by one that dispatches as given, and is like it in everything else. Returns what puts it back. */
function replaceDispatcher(
  place: symbol,
  previous: Dispatcher,
  dispatch: Dispatcher['dispatch'],
): () => void {
  const globals = globalThis as { [place: symbol]: Dispatcher }
  const dispatcher: Dispatcher = Object.assign(Object.create(previous), { dispatch })
  globals[place] = dispatcher
  return () => {
    if (globals[place] === dispatcher) globals[place] = previous
  }
}

/** Fails a request to the service that goes by a dispatcher of its own: it would leave the process. */
function refuseOther(message: unknown, isTaken: (origin: unknown, path: unknown) => boolean): void {
  const { request } = message as { request: UndiciRequest }
  const { method, origin, path } = request
  if (!isTaken(origin, path)) return
  const error = new TypeError(
    `${method} ${origin}${path} goes by a dispatcher of its own (an Agent, Pool or Client of undici, or one that was ` +
      'there later than the mailbox), which cannot be intercepted. Import undici first, and leave "dispatcher" out in ' +
      'tests, or give the client getGlobalDispatcher().',
  )
  if (request.onResponseError) request.onResponseError(error)
  else request.onError?.(error)
}

/** Answers as a connection does: to a handler, step by step. */
function answer(options: DispatchOptions, handler: DispatchHandler, receiver: Receiver): boolean {
  const aborting = new AbortController()
  let ended = false
  const end = (finish: () => void): void => {
    if (!ended) finish()
    ended = true
  }
  const abort = (reason: unknown): void => {
    aborting.abort(reason)
    end(() => fail(handler, controller, reason))
  }
  const controller = {
    abort,
    // What is answered is in memory already.
    pause() {},
    resume() {},
    paused: false,
    get aborted() {
      return aborting.signal.aborted
    },
    get reason() {
      return aborting.signal.reason
    },
  }
  if (handler.onRequestStart) handler.onRequestStart(controller, {})
  else handler.onConnect?.(abort)
  respond(options, aborting.signal, receiver)
    .then(async (response) => {
      if (ended) return
      start(handler, controller, response)
      for await (const piece of response.body ?? []) {
        if (ended) return
        const bytes = Buffer.from(piece)
        if (handler.onResponseData) handler.onResponseData(controller, bytes)
        else handler.onData?.(bytes)
      }
      end(() => (handler.onResponseEnd ? handler.onResponseEnd(controller, {}) : handler.onComplete?.([])))
    })
    // `fetch` wraps what a connection fails with; so does undici's own.
    .catch((error) => end(() => fail(handler, controller, error.cause ?? error)))
  return true
}

function fail(handler: DispatchHandler, controller: object, error: unknown): void {
  if (handler.onResponseError) handler.onResponseError(controller, error)
  else handler.onError?.(error)
}

async function respond(
  { origin, path, method, headers, body }: DispatchOptions,
  signal: AbortSignal,
  receiver: Receiver,
): Promise<Response> {
  const sent = method === 'GET' || method === 'HEAD' ? null : await bytesOf(body)
  const request = new Request(`${origin}${path}`, { method, headers: fieldsOf(headers), body: sent, signal })
  const response = await receiver(request)
  if (response) return response
  throw new TypeError(`No handler answers ${method} ${request.url}.`)
}

/** The fields of a request: names and values by turns, pairs, or an object. */
function fieldsOf(headers: unknown): [string, string][] {
  if (!headers) return []
  const isFlat = Array.isArray(headers) && !Array.isArray(headers[0])
  const pairs = isFlat
    ? headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []))
    : Symbol.iterator in Object(headers)
      ? [...(headers as Iterable<[unknown, unknown]>)]
      : Object.entries(headers)
  return pairs.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined)
      .map((one): [string, string] => [String(name), String(one)]),
  )
}

async function bytesOf(body: unknown): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null || body === undefined) return null
  const pieces: BlobPart[] = []
  if (Symbol.asyncIterator in Object(body)) {
    for await (const piece of body as AsyncIterable<BlobPart>) pieces.push(piece)
  } else {
    pieces.push(body as BlobPart)
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}

function start(handler: DispatchHandler, controller: object, response: Response): void {
  const { status, statusText, headers } = response
  const cookies = headers.getSetCookie()
  const fields = Object.fromEntries<string | string[]>(headers)
  if (cookies.length > 0) fields['set-cookie'] = cookies
  const raw = [...headers].flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value, 'latin1')])
  Object.assign(controller, { rawHeaders: raw })
  if (handler.onResponseStart) handler.onResponseStart(controller, status, fields, statusText)
  else handler.onHeaders?.(status, raw, () => undefined, statusText)
}
