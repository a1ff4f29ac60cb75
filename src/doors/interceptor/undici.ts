import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readMore } from '../../base/help.js'
import { isRead } from '../../service/operations/request.js'
import { isForService } from '../../service/requests/request-handler.js'
import { Timers } from '../../service/time/wall-time.js'
import {
  createHandlersReceiver,
  type MswServer,
  type Receiver,
  withoutPassthrough,
} from '../../service/webhooks/transport.js'

/** A request as undici dispatches it. */
interface DispatchOptions {
  readonly origin?: string | URL
  readonly path: string
  readonly method: string
  readonly headers?: unknown
  readonly body?: unknown
  readonly headersTimeout?: number | null
  readonly bodyTimeout?: number | null
}

/** The receiver of a response: the methods of undici 7 and later, and those of earlier versions. */
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

/** A request on undici's diagnostics channel. It has the first method from version 8 on, and the second one before. */
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

/**
 * The globals in which every copy of undici, including Node's, looks for its dispatcher: up to version 7, and
 * from version 8.
 */
const dispatcherKeys = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) =>
  Symbol.for(name),
)

/**
 * Handles requests to the service by the npm package undici (`request`, `stream`, `fetch`) with a server's
 * handlers, because MSW does not intercept them. Requests through another dispatcher are refused. Returns a
 * function that stops this.
 */
export function interceptUndici({ listHandlers }: Pick<MswServer, 'listHandlers'>): () => void {
  const isIntercepted = (origin: unknown, path: unknown) => {
    const url = `${origin}${path}`
    return URL.canParse(url) && isForService(listHandlers(), url)
  }
  const receiver = withoutPassthrough(createHandlersReceiver(listHandlers))
  const globals = globalThis as { [key: symbol]: Dispatcher | undefined }
  const restores = dispatcherKeys.map((key) => {
    const original = globals[key]
    if (!original) return undefined
    const dispatch: Dispatcher['dispatch'] = (options, handler) => {
      if (isIntercepted(options.origin, options.path)) return answer(options, handler, receiver)
      return original.dispatch(options, handler)
    }
    // It inherits everything else.
    const dispatcher: Dispatcher = Object.assign(Object.create(original), { dispatch })
    globals[key] = dispatcher
    return () => {
      if (globals[key] === dispatcher) globals[key] = original
    }
  })
  const onCreate = (message: unknown) => refuseOther(message, isIntercepted)
  subscribe('undici:request:create', onCreate)
  return () => {
    unsubscribe('undici:request:create', onCreate)
    for (const restore of restores) restore?.()
  }
}

/** Fails a request to the service through another dispatcher, because it would leave the process. */
function refuseOther(message: unknown, isIntercepted: (origin: unknown, path: unknown) => boolean): void {
  const { request } = message as { request: UndiciRequest }
  const { method, origin, path } = request
  if (!isIntercepted(origin, path)) return
  const error = new TypeError(
    `${method} ${origin}${path} uses its own dispatcher (an Agent, Pool or Client of undici, or one that was ` +
      'created after the mailbox), which cannot be intercepted. Import undici first, and leave "dispatcher" out in ' +
      'tests, or give the client getGlobalDispatcher().' +
      readMore('own-dispatcher'),
  )
  if (request.onResponseError) request.onResponseError(error)
  else request.onError?.(error)
}

/** Responds to a request as a connection would, by calling the methods of its handler in order. */
function answer(options: DispatchOptions, handler: DispatchHandler, receiver: Receiver): boolean {
  const aborting = new AbortController()
  let ended = false
  let waiting = new Timers()
  const waitFor = (part: 'Headers' | 'Body' | undefined, milliseconds?: number | null): void => {
    waiting.end()
    waiting = new Timers()
    const current = waiting
    if (!part || !milliseconds) return
    void current.wait(milliseconds).then(() => {
      if (waiting === current) abort(timeoutError(part))
    })
  }
  const end = (finish: () => void): void => {
    waitFor(undefined)
    if (!ended) finish()
    ended = true
  }
  const abort = (reason: unknown): void => {
    aborting.abort(reason)
    end(() => fail(handler, controller, reason))
  }
  const controller = {
    abort,
    // No backpressure: the whole response is already in memory.
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
  waitFor('Headers', options.headersTimeout)
  respond(options, aborting.signal, receiver)
    .then(async (response) => {
      if (ended) return
      waitFor('Body', options.bodyTimeout)
      start(handler, controller, response)
      for await (const piece of response.body ?? []) {
        if (ended) return
        waitFor('Body', options.bodyTimeout)
        const bytes = Buffer.from(piece)
        if (handler.onResponseData) handler.onResponseData(controller, bytes)
        else handler.onData?.(bytes)
      }
      end(() => (handler.onResponseEnd ? handler.onResponseEnd(controller, {}) : handler.onComplete?.([])))
    })
    // undici's `fetch` wraps the error of a connection, so our own error is unwrapped first.
    .catch((error) => end(() => fail(handler, controller, error.cause ?? error)))
  return true
}

/** Returns the error of undici's own time-out; all copies of undici know it by the symbol. */
function timeoutError(part: 'Headers' | 'Body'): Error {
  const code = `UND_ERR_${part.toUpperCase()}_TIMEOUT`
  const error = new Error(`${part} Timeout Error`)
  return Object.assign(error, {
    name: `${part}TimeoutError`,
    code,
    [Symbol.for(`undici.error.${code}`)]: true,
  })
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
  const sent = isRead({ method }) ? null : await bytesOf(body)
  const request = new Request(`${origin}${path}`, { method, headers: fieldsOf(headers), body: sent, signal })
  const response = await receiver(request)
  if (response) return response
  throw new TypeError(`No handler responds to ${method} ${request.url}.`)
}

/** Normalizes the header fields of a request: a flat list of names and values, pairs, or an object. */
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
