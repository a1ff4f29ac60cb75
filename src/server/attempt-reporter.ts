import type { AttemptCause, AttemptError, Delivery, DeliveryRecord, ObservedWorld } from '../world/index.js'

/** A finished attempt to deliver an event. */
export interface DeliveryTry {
  readonly event: Delivery['event']['type']
  /** The receiver's URL, with keys and tokens masked. */
  readonly url: string
  /** Counts from 1 within its delivery. */
  readonly number: number
  readonly cause: AttemptCause
  /** Null where there was no answer. */
  readonly status: number | null
  readonly error: AttemptError | null
  /** In milliseconds of the world's time. */
  readonly durationMs: number
}

/** Reports finished attempts, and counts interrupted deliveries, in every world. */
export class AttemptReporter {
  readonly #onTry: ((attempt: DeliveryTry) => void) | undefined
  readonly #reported = new WeakSet<object>()
  #interrupted = 0

  /** `onTry` is called with every attempt once it has ended. */
  constructor(onTry?: (attempt: DeliveryTry) => void) {
    this.#onTry = onTry
  }

  /** How many deliveries were interrupted so far. */
  get interrupted(): number {
    return this.#interrupted
  }

  /** Takes notice of a delivery that has changed. */
  readonly onDelivery = ({ content, state }: DeliveryRecord, { masker }: ObservedWorld): void => {
    if (state.status === 'interrupted') this.#interrupted++
    if (!this.#onTry) return
    for (const [index, attempt] of state.attempts.entries()) {
      const { cause, answer, error, duration_ms } = attempt
      if (duration_ms === null || this.#reported.has(attempt)) continue
      this.#reported.add(attempt)
      this.#onTry({
        event: content.event.type,
        url: masker.url(content.url),
        number: index + 1,
        cause,
        status: answer?.status ?? null,
        error: error && { ...error, message: masker.text(error.message) },
        durationMs: duration_ms,
      })
    }
  }
}
