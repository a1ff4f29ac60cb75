import type { AttemptError } from './delivery.js'

/** A request to a receiver; its method is POST. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a receiver answered. */
export interface ReceiverAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As far as it is kept; null where it was none or no text. */
  readonly body: string | null
  /** Why it ended before it was whole; undefined where it is whole, or more of it than is kept. */
  readonly incomplete?: string
}

/** How deliveries leave a world, where no receiver in this process takes them. */
export interface Outlet {
  /** Prepares for what is to be sent, where that takes time: none that a receiver is charged with. */
  ready?(): Promise<void>
  /**
   * Sends a request and gives what was answered, or nothing where nobody is to receive it.
   * @throws OutletError
   */
  send(request: OutgoingRequest, signal: AbortSignal): Promise<ReceiverAnswer | undefined>
}

/** A request that was not sent, or not answered. */
export class OutletError extends Error {
  override readonly name = 'OutletError'
  readonly code: Extract<AttemptError['code'], 'blocked' | 'unreachable' | 'broken-off' | 'threw'>

  constructor(code: OutletError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Sends nothing: deliveries are there to be looked at. */
export const capturing: Outlet = { send: async () => undefined }
