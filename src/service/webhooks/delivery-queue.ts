import type { Clock } from '../time/clock.js'
import { formatInstant, lastInstant } from '../time/time.js'
import { yieldToEventLoop } from '../time/wall-time.js'
import type { AttemptCause, DeliveryRecord } from './delivery.js'

/** Requests in flight to one receiver at a time. */
const receiverConcurrency = 10

/** The longest delay, in milliseconds, that only puts attempts in another order: it takes no time on a frozen clock. */
const longestShortDelay = 1000

/** Milliseconds of wall time for which an advance of the clock waits for an attempt. */
export const attemptWait = 2000

/** Makes one attempt of a delivery; resolves when it has ended. Never rejects. */
type MakeAttempt = (record: DeliveryRecord, cause: AttemptCause) => Promise<void>

/** Decides when attempts are made: immediately, in order, or later; never two of one delivery at a time. */
export class DeliveryQueue {
  readonly #clock: Clock
  readonly #makeAttempt: MakeAttempt
  readonly #subscriptions = new KeyedLimit(1)
  readonly #deliveries = new KeyedLimit(1)
  readonly #receivers = new KeyedLimit(receiverConcurrency)
  readonly #scheduled = new Map<string, () => void>()
  /** Attempts that are made in the next turn, in the order of their delays. */
  #soon: { readonly delay: number; readonly start: () => void }[] = []

  constructor(clock: Clock, makeAttempt: MakeAttempt) {
    this.#clock = clock
    this.#makeAttempt = makeAttempt
  }

  /** Makes an attempt after those of its delivery, as soon as its receiver has room; resolves when it has ended. */
  add(record: DeliveryRecord, cause: AttemptCause): Promise<void> {
    const { id, url } = record.state
    const { origin } = new URL(url)
    return this.#deliveries.run(id, () => {
      return this.#receivers.run(origin, () => this.#makeAttempt(record, cause))
    })
  }

  /** Makes the first attempt of a delivery after the earlier first attempts of its subscription. */
  addInOrder(record: DeliveryRecord): void {
    void this.#subscriptions.run(record.state.webhook_id, () => this.add(record, 'event'))
  }

  /**
   * Schedules the next attempt on the clock; on a frozen one, attempts with short delays are made
   * immediately, in their order.
   */
  schedule(record: DeliveryRecord, cause: AttemptCause, delay: number): void {
    const { id } = record.state
    const at = this.#clock.now() + delay
    const start = (): void => {
      this.#scheduled.delete(id)
      record.update({ next_attempt_at: null })
      if (cause === 'duplicate') record.addDue(cause)
      void this.add(record, cause)
    }
    // No clock moves beyond the last instant, and no snapshot contains a later one.
    record.update({ next_attempt_at: formatInstant(Math.min(at, lastInstant)) })
    // Events within one advance are shuffled; when an attempt ends depends on its receiver.
    const isOnTheWay = cause === 'event' && at <= (this.#clock.target ?? Number.NEGATIVE_INFINITY)
    const isShort = cause !== 'retry' && delay <= longestShortDelay
    const isSoon = this.#clock.mode === 'frozen' && isShort && !isOnTheWay
    const cancel = isSoon ? this.#addSoon(delay, start) : this.#clock.schedule(at, start)
    this.#scheduled.set(id, cancel)
  }

  cancel(record: DeliveryRecord): void {
    const { id } = record.state
    this.#scheduled.get(id)?.()
    this.#scheduled.delete(id)
    record.update({ next_attempt_at: null })
  }

  /** Makes no attempt any more that has not begun. */
  cancelAll(): void {
    for (const cancel of this.#scheduled.values()) cancel()
    this.#scheduled.clear()
    for (const limit of [this.#subscriptions, this.#deliveries, this.#receivers]) limit.clear()
  }

  #addSoon(delay: number, start: () => void): () => void {
    const entry = { delay, start }
    if (this.#soon.length === 0) {
      const release = this.#clock.hold(attemptWait)
      void yieldToEventLoop().then(() => {
        const all = this.#soon.toSorted((one, other) => one.delay - other.delay)
        this.#soon = []
        for (const { start } of all) start()
        release()
      })
    }
    this.#soon.push(entry)
    return () => {
      this.#soon = this.#soon.filter((other) => other !== entry)
    }
  }
}

type Task = () => Promise<void>

interface TaskQueue {
  running: number
  readonly waiting: { readonly task: Task; readonly end: () => void }[]
}

/**
 * Runs the tasks of each key in the order they were added, with limited concurrency. Unlike the limiters on npm, it
 * starts a task synchronously if there is room: the next advance of the clock must find it in flight.
 */
class KeyedLimit {
  readonly #concurrency: number
  readonly #queues = new Map<string, TaskQueue>()

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  /** Runs a task as soon as there is room; resolves when it has ended. */
  run(key: string, task: Task): Promise<void> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] }
    this.#queues.set(key, queue)
    return new Promise((resolve) => {
      queue.waiting.push({ task, end: resolve })
      this.#start(key, queue)
    })
  }

  /** Ends the tasks that wait without running them. */
  clear(): void {
    for (const { waiting } of this.#queues.values()) for (const { end } of waiting.splice(0)) end()
  }

  #start(key: string, queue: TaskQueue): void {
    while (queue.running < this.#concurrency) {
      const next = queue.waiting.shift()
      if (!next) return
      queue.running++
      void next.task().then(() => {
        next.end()
        queue.running--
        this.#start(key, queue)
        if (queue.running === 0) this.#queues.delete(key)
      })
    }
  }
}
