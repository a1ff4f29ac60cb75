import type { RequestHandler } from 'msw'
import { piecesOf, readPieces } from '../../base/bytes.js'
import { isError } from '../../base/platform.js'
import { isText } from '../../base/text.js'
import { CodedError, WorldError } from '../model/errors.js'
import type { Clock } from '../time/clock.js'
import { yieldToEventLoop } from '../time/wall-time.js'
import type { AttemptError, AttemptResult, ReceiverAnswer } from './delivery.js'

/** A request to a receiver; its method is POST. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends deliveries that no receiver in this process takes. */
export interface DeliveryTransport {
  /** Prepares for sending; the time this takes does not count against the receiver. */
  ready?(): Promise<void>
  /**
   * Sends a request and returns the response; undefined when there is no receiver. `onSent` is called once the request was
   * written to its connection.
   * @throws TransportError
   */
  send(
    request: OutgoingRequest,
    signal: AbortSignal,
    onSent?: () => void,
  ): Promise<ReceiverAnswer | undefined>
}

/** A request that could not be sent or got no response. */
export class TransportError extends CodedError<'blocked' | 'unreachable' | 'broken-off' | 'threw'> {
  override readonly name = 'TransportError'
}

/** Sends nothing, so that deliveries can only be inspected. */
export const capturing: DeliveryTransport = { send: async () => undefined }

/** Parameters of one attempt. */
interface AttemptOptions {
  readonly clock: Clock
  readonly timeout: number
  readonly send: DeliveryTransport['send']
  /** Ends the attempt early when aborted with an `AttemptError` as the reason. */
  readonly controller: AbortController
  readonly onDefect: (error: unknown) => void
}

/**
 * Sends a request and waits for the response until the timeout, in wall time unless an advance skips it.
 * Never rejects.
 */
export function sendWithTimeout(
  request: OutgoingRequest,
  { clock, timeout, send, controller, onDefect }: AttemptOptions,
): Promise<AttemptResult> {
  const { signal } = controller
  const elapsed = clock.measure()
  return new Promise((resolve) => {
    const finish = (error: AttemptError | null, answer: ReceiverAnswer | null = null): void => {
      cancelTimeout()
      // A timer may fire late: a response that came before it was in time.
      const duration_ms = error?.code === 'timeout' ? timeout : Math.min(timeout, elapsed())
      resolve({ duration_ms, answer, error })
    }
    const cancelTimeout = clock.after(timeout, () => {
      controller.abort(timedOut(timeout))
      // The result is recorded before an advance continues, even if it no longer waits for this attempt.
      return yieldToEventLoop()
    })
    signal.addEventListener('abort', () => finish(signal.reason as AttemptError), { once: true })
    if (signal.aborted) return finish(signal.reason as AttemptError)
    send(request, signal).then(
      (answer) => finish(errorIn(answer), answer),
      (error: unknown) => {
        // After an abort, a failure of the transport is expected.
        if (!signal.aborted) finish(errorOf(error, onDefect))
      },
    )
  })
}

/** The reason with which an attempt is aborted when its world is closed. */
export const interrupted: AttemptError = {
  code: 'interrupted',
  message: 'The world was closed before the receiver responded.',
}

function timedOut(timeout: number): AttemptError {
  return { code: 'timeout', message: `The receiver timed out after ${timeout / 1000} s.` }
}

const captured: AttemptError = {
  code: 'captured',
  message:
    'Nothing in this process receives it; register a receiver with sim.webhooks.on(url, handler) or an MSW handler.',
}

function errorIn(answer: ReceiverAnswer | undefined): AttemptError | null {
  if (!answer) return captured
  const { incomplete } = answer
  if (incomplete === undefined) return null
  return { code: 'incomplete', message: `The response was cut off: ${incomplete}` }
}

function errorOf(error: unknown, onDefect: AttemptOptions['onDefect']): AttemptError {
  if (error instanceof TransportError) return { code: error.code, message: error.message }
  onDefect(error)
  return { code: 'broken-off', message: 'The simulator failed; its log has the stack trace.' }
}

// biome-ignore lint/suspicious/noConfusingVoidType: an async function that may not respond returns it.
type ReceiverResult = Response | undefined | void

/** Receives deliveries in this process. */
export type Receiver = (request: Request) => ReceiverResult | Promise<ReceiverResult>

/** Receivers in this process, by the URL whose deliveries they take. */
export class Receivers {
  readonly #byUrl = new Map<string, Receiver>()

  /**
   * Registers the receiver of a URL, or with `*` of every URL without one; returns a function that removes it.
   * @throws WorldError `invalid` when the URL is not valid
   */
  on(url: string, receiver: Receiver): () => void {
    const key = url === '*' ? url : URL.canParse(url) ? new URL(url).href : undefined
    if (key === undefined) {
      throw new WorldError('invalid', `"${url}" is not a URL; give a complete one, or "*" for any.`)
    }
    this.#byUrl.set(key, receiver)
    return () => {
      if (this.#byUrl.get(key) === receiver) this.#byUrl.delete(key)
    }
  }

  clear(): void {
    this.#byUrl.clear()
  }

  find(url: string): Receiver | undefined {
    return this.#byUrl.get(url) ?? this.#byUrl.get('*')
  }
}

const deliveryMark = Symbol('delivery')

/** Returns whether a request is a delivery to a receiver in this process. */
export function isDeliveryRequest(request: Request): boolean {
  return deliveryMark in request
}

/**
 * Hands a request to a receiver in this process; returns undefined if the receiver returned nothing.
 * @throws TransportError `threw`, `broken-off`, `unreachable`
 */
export async function callReceiver(
  receiver: Receiver,
  outgoing: OutgoingRequest,
  signal: AbortSignal,
): Promise<ReceiverAnswer | undefined> {
  const request = createRequest(outgoing, signal)
  try {
    const response = await receiver(request)
    if (response?.type === 'error') throw networkError
    return response ? await readResponse(response, signal) : undefined
  } catch (error) {
    if (error instanceof TransportError) throw error
    throw new TransportError('threw', `The receiver threw ${String(error)}`)
  }
}

/** By what a delivery leaves. */
interface Ways {
  readonly receivers: Receivers
  readonly transport: DeliveryTransport
  readonly signal: AbortSignal
}

/**
 * Sends a request to the receiver in this process, or else by the transport; returns undefined when there is no receiver.
 * @throws TransportError
 */
export async function transmit(
  request: OutgoingRequest,
  { receivers, transport, signal }: Ways,
  onSent: () => void,
): Promise<ReceiverAnswer | undefined> {
  const { username, password } = new URL(request.url)
  if (username !== '' || password !== '') throw credentialsInUrl
  const receiver = receivers.find(request.url)
  if (!receiver) return transport.send(request, signal, onSent)
  onSent()
  // A registered receiver that returns nothing has accepted the delivery.
  return (await callReceiver(receiver, request, signal)) ?? { status: 200, headers: {}, body: null }
}

/** The meaning of `Response.error()`. */
const networkError = new TransportError('broken-off', 'No response: the receiver returned a network error.')

function createRequest({ url, headers, body }: OutgoingRequest, signal: AbortSignal): Request {
  try {
    const request = new Request(url, { method: 'POST', headers, body, signal })
    return Object.defineProperty(request, deliveryMark, { value: true })
  } catch {
    // The platform's own message may contain the token.
    throw new TransportError(
      'unreachable',
      'The request cannot be created: the URL must not contain a user name, and the token must contain only characters that a header allows.',
    )
  }
}

/** Bytes of a response's body that are kept. */
const keptBytes = 4096

/** A response of a receiver whose body has not been read yet. */
interface IncomingAnswer {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Is released when its reader stops before the end. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Reads the part of a response that is kept and releases the rest. Never rejects. */
export async function readAnswer({ status, headers, body }: IncomingAnswer): Promise<ReceiverAnswer> {
  let incomplete: string | undefined
  const failed = (error: unknown): void => {
    incomplete = innermostMessage(error)
  }
  const kept = (await readPieces(body, { most: keptBytes - 1, failed })).subarray(0, keptBytes)
  const readable = kept.length > 0 && isText(headers['content-type'])
  // `stream` drops a character that was cut in the middle.
  const text = readable ? new TextDecoder().decode(kept, { stream: true }) : null
  return { status, headers, body: text, incomplete }
}

function readResponse({ status, headers, body }: Response, signal: AbortSignal): Promise<ReceiverAnswer> {
  return readAnswer({ status, headers: Object.fromEntries(headers), body: piecesOf(body, signal) })
}

/** Returns the message of the innermost cause, since the outer ones are not informative. */
function innermostMessage(error: unknown): string {
  if (!isError(error)) return String(error)
  return isError(error.cause) ? innermostMessage(error.cause) : error.message
}

/** Some transports drop credentials silently, others refuse them; here they are always refused. */
const credentialsInUrl = new TransportError(
  'unreachable',
  'The URL contains a user name or a password, which deliveries do not carry; give the subscription a token instead.',
)

/** A handler of MSW 2 or MSW 3. To TypeScript, their classes are unrelated, so no other type fits both. */
// biome-ignore lint/suspicious/noExplicitAny: handlers are passed on to one of them.
export type MswHandler = any

/** A server of MSW 2 or MSW 3, as `setupServer` returns it. */
export interface MswServer {
  use(...handlers: MswHandler[]): void
  listHandlers(): readonly MswHandler[]
}

/** A handler as MSW lists it; some kinds do not handle requests. */
type ListedHandler = RequestHandler | { readonly kind: string }

/**
 * Creates a receiver that passes each delivery to the MSW handlers that are in use at that time. The
 * service's own handlers ignore deliveries.
 * @throws any error of a handler
 */
export function createHandlersReceiver(listed: () => readonly ListedHandler[]): Receiver {
  return async (request) => {
    // Loaded on use, since a server has no handlers.
    const { getResponse } = await import('msw')
    return getResponse(listed().filter(handlesRequests), request)
  }
}

function handlesRequests(handler: ListedHandler): handler is RequestHandler {
  return !('kind' in handler && handler.kind === 'websocket')
}

/**
 * Wraps a receiver so that MSW's `passthrough()` counts as no response: no delivery may leave the process.
 */
export function withoutPassthrough(receiver: Receiver): Receiver {
  return async (request) => {
    const response = await receiver(request)
    return response && !isPassthrough(response) ? response : undefined
  }
}

function isPassthrough({ status, headers }: Response): boolean {
  return status === 302 && headers.get('x-msw-intention') === 'passthrough'
}
