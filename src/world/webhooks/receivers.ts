import { answerOf } from './answer-of.js'
import { type OutgoingRequest, OutletError, type ReceiverAnswer } from './outlet.js'

/** Takes deliveries in this process. */
export type Receiver = (
  request: Request,
) => Response | undefined | Promise<Response | undefined> | Promise<void> | void

/** Receivers in this process, by the URL they take deliveries at. */
export class Receivers {
  readonly #byUrl = new Map<string, Receiver>()

  /** Has deliveries to a URL, or with `*` to any other, go to a receiver; gives back how to have that end. */
  on(url: string, receiver: Receiver): () => void {
    const key = url === '*' ? url : new URL(url).href
    this.#byUrl.set(key, receiver)
    return () => {
      if (this.#byUrl.get(key) === receiver) this.#byUrl.delete(key)
    }
  }

  /** The receiver of a URL, if one in this process takes its deliveries. */
  of(url: string): Receiver | undefined {
    return this.#byUrl.get(url) ?? this.#byUrl.get('*')
  }
}

/** Has a receiver in this process take a request; gives nothing where it gave nothing. @throws OutletError `threw` */
export async function receiveHere(
  receiver: Receiver,
  { url, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<ReceiverAnswer | undefined> {
  const request = new Request(url, { method: 'POST', headers, body, signal })
  try {
    const response = await receiver(request)
    return response ? await answerOf(response) : undefined
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new OutletError('threw', `The receiver threw ${message}`)
  }
}
