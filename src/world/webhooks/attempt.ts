import type { Clock } from '../clock.js'
import type { AttemptError } from './delivery.js'
import type { Outcome } from './delivery-record.js'
import { type OutgoingRequest, OutletError, type ReceiverAnswer } from './outlet.js'

/** What sends a request: a receiver in this process, or whatever leads out of it. */
export type Send = (request: OutgoingRequest, signal: AbortSignal) => Promise<ReceiverAnswer | undefined>

/** What an attempt runs within. */
export interface AttemptFrame {
  readonly clock: Clock
  readonly send: Send
  /** Milliseconds that a receiver may take. */
  readonly limit: number
  /** Says that the world ends, or begins anew. */
  readonly ended: AbortSignal
  /** Told of what fails otherwise than a request may. */
  readonly onDefect: (error: unknown) => void
}

/** Sends a request and waits for the answer, no longer than its receiver may take. It does not fail. */
export async function attempt(request: OutgoingRequest, frame: AttemptFrame): Promise<Outcome> {
  const { clock, send, limit, ended, onDefect } = frame
  const elapsed = clock.measure()
  const given = new AbortController()
  const over = (error: AttemptError): Outcome => ({ duration: elapsed(), answer: undefined, error })
  return await new Promise<Outcome>((resolve) => {
    const end = (outcome: Outcome): void => {
      cancel()
      ended.removeEventListener('abort', interrupt)
      resolve(outcome)
      // What is still being sent, or read, is of no use any more.
      given.abort()
    }
    const interrupt = (): void => end(over(interrupted))
    const cancel = clock.after(limit, () =>
      end({ duration: limit, answer: undefined, error: timedOut(limit) }),
    )
    if (ended.aborted) return interrupt()
    ended.addEventListener('abort', interrupt, { once: true })
    send(request, given.signal).then(
      (answer) => end({ duration: elapsed(), answer, error: errorIn(answer) }),
      (error: unknown) => end(over(errorOf(error, onDefect))),
    )
  })
}

const interrupted: AttemptError = {
  code: 'interrupted',
  message: 'The world was closed before the receiver had answered.',
}

function timedOut(limit: number): AttemptError {
  return { code: 'timeout', message: `The receiver had not answered after ${limit / 1000} s.` }
}

function errorIn(answer: ReceiverAnswer | undefined): AttemptError | null {
  if (!answer) {
    return {
      code: 'captured',
      message:
        'Nothing in this process receives it; sim.webhooks.on(url, handler) does, and so do handlers of MSW.',
    }
  }
  const { incomplete } = answer
  return incomplete === undefined
    ? null
    : { code: 'incomplete', message: `The answer ended before it was whole: ${incomplete}` }
}

function errorOf(error: unknown, onDefect: AttemptFrame['onDefect']): AttemptError {
  if (error instanceof OutletError) return { code: error.code, message: error.message }
  onDefect(error)
  return { code: 'broken-off', message: 'The simulator failed; its log has the stack trace.' }
}
