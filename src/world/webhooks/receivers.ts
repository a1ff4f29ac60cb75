import { CommandError } from '../errors.js'
import { answerOf } from './answer-of.js'
import { createDeliveryRequest } from './delivery-request.js'
import { type OutgoingRequest, OutletError, type ReceiverAnswer } from './outlet.js'

/** What a receiver may give: an answer, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: an async function that sometimes answers gives just that.
type Given = Response | undefined | void

/** Takes deliveries in this process. */
export type Receiver = (request: Request) => Given | Promise<Given>

/** Receivers in this process, by the URL they take deliveries at. */
export class Receivers {
  readonly #byUrl = new Map<string, Receiver>()

  /**
   * Has deliveries to a URL, or with `*` to any other, go to a receiver; gives back how to have that end.
   * @throws CommandError `invalid` where it is no URL
   */
  on(url: string, receiver: Receiver): () => void {
    const key = url === '*' ? url : URL.canParse(url) ? new URL(url).href : undefined
    if (key === undefined) {
      throw new CommandError('invalid', `"${url}" is no URL to receive at; name one in full, or "*" for any.`)
    }
    this.#byUrl.set(key, receiver)
    return () => {
      if (this.#byUrl.get(key) === receiver) this.#byUrl.delete(key)
    }
  }

  /** Has nothing go to any of them any more. */
  clear(): void {
    this.#byUrl.clear()
  }

  /** The receiver of a URL, if one in this process takes its deliveries. */
  of(url: string): Receiver | undefined {
    return this.#byUrl.get(url) ?? this.#byUrl.get('*')
  }
}

/**
 * Has a receiver in this process take a request; gives nothing where it gave nothing.
 * @throws OutletError `threw`, `broken-off`, `unreachable`
 */
export async function receiveHere(
  receiver: Receiver,
  { url, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<ReceiverAnswer | undefined> {
  const request = requestTo(url, { method: 'POST', headers, body, signal })
  try {
    const response = await receiver(request)
    if (response?.type === 'error') throw networkError
    return response ? await answerOf(response, signal) : undefined
  } catch (error) {
    if (error instanceof OutletError) throw error
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new OutletError('threw', `The receiver threw ${message}`)
  }
}

/** What `Response.error()` stands for. */
const networkError = new OutletError('broken-off', 'No answer: the receiver answered with a network error.')

function requestTo(url: string, init: RequestInit): Request {
  try {
    return createDeliveryRequest(url, init)
  } catch {
    // Without the words of the platform, which may have the token in them.
    throw new OutletError(
      'unreachable',
      'No request can be made of the URL and the token: a URL has no user name in it, a token only what a header can carry.',
    )
  }
}
