import { CommandError } from '../errors.js'
import { isText } from '../exchange.js'
import type { ReceiverAnswer } from './delivery.js'
import { type OutgoingRequest, TransportError } from './transport.js'

// biome-ignore lint/suspicious/noConfusingVoidType: an async function that sometimes answers returns just that.
type ReceiverResult = Response | undefined | void

/** Receives deliveries in this process. */
export type Receiver = (request: Request) => ReceiverResult | Promise<ReceiverResult>

/** Receivers in this process, by the URL whose deliveries they take. */
export class Receivers {
  readonly #byUrl = new Map<string, Receiver>()

  /**
   * Registers the receiver of a URL, or with `*` of every URL without one; returns a function that removes it.
   * @throws CommandError `invalid` when the URL is not valid
   */
  on(url: string, receiver: Receiver): () => void {
    const key = url === '*' ? url : URL.canParse(url) ? new URL(url).href : undefined
    if (key === undefined) {
      throw new CommandError('invalid', `"${url}" is not a URL; give a complete one, or "*" for any.`)
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
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new TransportError('threw', `The receiver threw ${message}`)
  }
}

/** The meaning of `Response.error()`. */
const networkError = new TransportError(
  'broken-off',
  'No answer: the receiver answered with a network error.',
)

function createRequest({ url, headers, body }: OutgoingRequest, signal: AbortSignal): Request {
  try {
    const request = new Request(url, { method: 'POST', headers, body, signal })
    return Object.defineProperty(request, deliveryMark, { value: true })
  } catch {
    // The platform's own message may contain the token.
    throw new TransportError(
      'unreachable',
      'The request cannot be created: the URL must not contain a user name, and the token only what a header can carry.',
    )
  }
}

/** Bytes of an answer's body that are kept. */
const keptBytes = 4096

/** An answer of a receiver whose body is yet to be read. */
export interface IncomingAnswer {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Is released when its reader stops before the end. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Reads the part of an answer that is kept and releases the rest. Never rejects. */
export async function readAnswer({ status, headers, body }: IncomingAnswer): Promise<ReceiverAnswer> {
  const kept = new Uint8Array(keptBytes)
  let length = 0
  let incomplete: string | undefined
  try {
    for await (const chunk of body) {
      const start = chunk.subarray(0, keptBytes - length)
      kept.set(start, length)
      length += start.length
      if (length === keptBytes) break
    }
  } catch (error) {
    incomplete = innermostMessage(error)
  }
  const readable = length > 0 && isText(headers['content-type'])
  // `stream` drops a character that was cut in the middle.
  const text = readable ? new TextDecoder().decode(kept.subarray(0, length), { stream: true }) : null
  return { status, headers, body: text, incomplete }
}

function readResponse({ status, headers, body }: Response, signal: AbortSignal): Promise<ReceiverAnswer> {
  return readAnswer({ status, headers: Object.fromEntries(headers), body: chunksOf(body, signal) })
}

async function* chunksOf(body: Response['body'], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  // The rest of the body is not needed; a failure to cancel it does not matter.
  const cancel = (): void => void reader?.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel)
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Returns the message of the innermost cause, since the outer ones say little. */
function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? innermostMessage(error.cause) : error.message
}
