import type { Clock } from '../clock.js'
import { breathe } from '../time.js'
import type { AttemptError } from './delivery.js'
import type { Outcome } from './delivery-record.js'
import type { Ending } from './ending.js'
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
  readonly ending: Ending
  /** Told of what fails otherwise than a request may. */
  readonly onDefect: (error: unknown) => void
}

/** Sends a request and waits for the answer, no longer than its receiver may take. It does not fail. */
export async function attempt(request: OutgoingRequest, frame: AttemptFrame): Promise<Outcome> {
  const { clock, send, limit, ending, onDefect } = frame
  const elapsed = clock.measure()
  const given = new AbortController()
  // A timer may be late: what came before it came in time.
  const duration = (): number => Math.min(limit, elapsed())
  const over = (error: AttemptError): Outcome => ({ duration: duration(), answer: undefined, error })
  return await new Promise<Outcome>((resolve) => {
    const end = (outcome: Outcome): void => {
      cancel()
      forget()
      resolve(outcome)
    }
    const breakOff = (outcome: Outcome): void => {
      end(outcome)
      given.abort()
    }
    const interrupt = (): void => breakOff(over(interrupted))
    const cancel = clock.after(limit, () => {
      breakOff({ duration: limit, answer: undefined, error: timedOut(limit) })
      // No advance goes on before that is taken in: its patience with this may be over.
      return breathe()
    })
    const forget = ending.subscribe(interrupt)
    if (ending.isOver) return interrupt()
    send(request, given.signal).then(
      (answer) => end({ duration: duration(), answer, error: errorIn(answer) }),
      (error: unknown) => {
        // That it fails then is how it takes being broken off.
        if (!given.signal.aborted) end(over(errorOf(error, onDefect)))
      },
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
