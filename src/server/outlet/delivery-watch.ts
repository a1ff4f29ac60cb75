import type { AttemptCause, AttemptError, Delivery, DeliveryRecord, World } from '../../world/index.js'

/** One try to deliver an event, as it ended. */
export interface DeliveryTry {
  readonly event: Delivery['event']['type']
  /** The receiver's, but for keys and tokens. */
  readonly url: string
  /** Counts from 1 within its delivery. */
  readonly number: number
  readonly cause: AttemptCause
  /** Null where nothing was answered. */
  readonly status: number | null
  readonly error: AttemptError | null
  /** In milliseconds of the world's time. */
  readonly durationMs: number
}

/** Watches what becomes of deliveries, in every world. */
export class DeliveryWatch {
  readonly #onTry: ((tried: DeliveryTry) => void) | undefined
  readonly #told = new WeakSet<object>()
  #interrupted = 0

  /** `onTry` is told of every attempt once it has ended. */
  constructor(onTry?: (tried: DeliveryTry) => void) {
    this.#onTry = onTry
  }

  /** How many deliveries were interrupted so far. */
  get interrupted(): number {
    return this.#interrupted
  }

  /** Takes in that a delivery of a world has changed. */
  readonly see = (record: DeliveryRecord, world: World): void => {
    if (record.state.status === 'interrupted') this.#interrupted++
    if (this.#onTry) this.#tell(this.#onTry, record, world)
  }

  #tell(onTry: (tried: DeliveryTry) => void, { event, url, state }: DeliveryRecord, { masker }: World): void {
    for (const [index, attempt] of state.attempts.entries()) {
      const { cause, answer, error, duration } = attempt
      if (duration === null || this.#told.has(attempt)) continue
      this.#told.add(attempt)
      onTry({
        event: event.type,
        url: masker.url(url),
        number: index + 1,
        cause,
        status: answer?.status ?? null,
        error: error && { ...error, message: masker.body(error.message) },
        durationMs: duration,
      })
    }
  }
}
