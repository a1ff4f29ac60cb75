import type { Clock } from '../clock.js'
import { CodedError } from '../errors.js'
import { yieldToEventLoop } from '../wall-time.js'
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
   * Sends a request and returns the answer; undefined when there is no receiver.
   * @throws TransportError
   */
  send(request: OutgoingRequest, signal: AbortSignal): Promise<ReceiverAnswer | undefined>
}

/** A request that could not be sent, or got no answer. */
export class TransportError extends CodedError<'blocked' | 'unreachable' | 'broken-off' | 'threw'> {
  override readonly name = 'TransportError'
}

/** Sends nothing, so that deliveries can only be inspected. */
export const capturing: DeliveryTransport = { send: async () => undefined }

/** Parameters of one attempt. */
export interface AttemptOptions {
  readonly clock: Clock
  readonly timeout: number
  readonly send: DeliveryTransport['send']
  /** Ends the attempt early when aborted with an `AttemptError` as the reason. */
  readonly controller: AbortController
  readonly onDefect: (error: unknown) => void
}

/** Sends a request and waits for the answer until the timeout on the world's clock. Never rejects. */
export function sendWithTimeout(
  request: OutgoingRequest,
  { clock, timeout, send, controller, onDefect }: AttemptOptions,
): Promise<AttemptResult> {
  const { signal } = controller
  const elapsed = clock.measure()
  return new Promise((resolve) => {
    const finish = (error: AttemptError | null, answer: ReceiverAnswer | null = null): void => {
      cancelTimeout()
      // A timer may fire late: an answer that came before it was in time.
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
  message: 'The world was closed before the receiver answered.',
}

function timedOut(timeout: number): AttemptError {
  return { code: 'timeout', message: `The receiver timed out after ${timeout / 1000} s.` }
}

const captured: AttemptError = {
  code: 'captured',
  message:
    'Nothing in this process receives it; sim.webhooks.on(url, handler) does, and so do handlers of MSW.',
}

function errorIn(answer: ReceiverAnswer | undefined): AttemptError | null {
  if (!answer) return captured
  const { incomplete } = answer
  if (incomplete === undefined) return null
  return { code: 'incomplete', message: `The answer was cut off: ${incomplete}` }
}

function errorOf(error: unknown, onDefect: AttemptOptions['onDefect']): AttemptError {
  if (error instanceof TransportError) return { code: error.code, message: error.message }
  onDefect(error)
  return { code: 'broken-off', message: 'The simulator failed; its log has the stack trace.' }
}
