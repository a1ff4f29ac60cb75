import { lastInstant } from '../model/instants.js'
import type { Clock } from '../time/clock.js'
import { platform } from '../time/platform-time.js'
import { formatInstant } from '../time/time.js'
import { yieldToEventLoop } from '../time/wall-time.js'
import type { AttemptCause, AttemptResult, DeliveryRecord } from './delivery.js'

/** Requests in flight to one receiver at a time. */
const receiverConcurrency = 10

/** The longest delay, in milliseconds, that only puts attempts in another order: it takes no time on a frozen clock. */
const longestShortDelay = 1000

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
  readonly #soon: SoonQueue

  /** `prepared` resolves once the requests of all attempts that have begun are ready to be sent. */
  constructor(clock: Clock, makeAttempt: MakeAttempt, prepared: () => Promise<unknown>) {
    this.#clock = clock
    this.#makeAttempt = makeAttempt
    this.#soon = new SoonQueue(clock, prepared)
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
    const cancel = isSoon ? this.#soon.add(delay, start) : this.#clock.schedule(at, start)
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
}

/**
 * Calls what is scheduled on a frozen clock, the shortest delay first, once the present turn of the event
 * loop is over. An advance waits for it, so that neither the machine's speed nor the next command changes
 * when it happens.
 */
class SoonQueue {
  readonly #clock: Clock
  readonly #prepared: () => Promise<unknown>
  readonly #waiting = new Set<{ readonly delay: number; readonly start: () => void }>()

  constructor(clock: Clock, prepared: () => Promise<unknown>) {
    this.#clock = clock
    this.#prepared = prepared
  }

  /** Adds a function with its delay in milliseconds; returns a function that removes it. */
  add(delay: number, start: () => void): () => void {
    const entry = { delay, start }
    if (this.#waiting.size === 0) void this.#callAll()
    this.#waiting.add(entry)
    return () => void this.#waiting.delete(entry)
  }

  async #callAll(): Promise<void> {
    const release = this.#clock.hold(waits.attempt)
    await yieldToEventLoop()
    // A signature takes turns of its own: nothing may overtake its attempt, whose receiver may respond at once.
    await this.#prepared()
    await yieldToEventLoop()
    const all = [...this.#waiting].toSorted((one, other) => one.delay - other.delay)
    this.#waiting.clear()
    for (const { start } of all) start()
    release()
  }
}

/** Wall time in milliseconds that an advance of the clock waits for receivers. */
const waits = {
  /** For one attempt, and for one to a receiver that timed out last time. */
  attempt: 2000,
  afterTimeout: 200,
  /** For attempts that then time out, in one advance. */
  timeouts: 10_000,
  /** For one attempt once that is used up; none for a receiver that timed out last time. */
  minimum: 100,
}

/**
 * Makes advances of the clock wait for attempts in flight, so that results come in order. Receivers that do
 * not respond delay an advance for a limited time in total; after that, their attempts time out on the
 * world's clock.
 */
export class ReceiverWaits {
  readonly #clock: Clock
  /** The receivers that timed out last time, by origin. */
  readonly #unresponsive = new Set<string>()
  #advance = 0
  #spent = 0
  #spentUntil = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Makes advances wait for an attempt to a URL that is about to be sent. */
  start(url: string) {
    const { origin } = new URL(url)
    let release = this.#clock.hold(waits.attempt)
    let [sentAt, limit] = [0, 0]
    return {
      /** Limits the wait from now on, as the request has been sent. */
      sent: (): void => {
        const releasePreparation = release
        ;[sentAt, limit] = [platform.now(), this.#limitFor(origin)]
        release = this.#clock.hold(limit)
        releasePreparation()
      },
      /** The receiver has the request: what advances an `auto` clock sees whether it works. */
      received: (): void => {
        if (this.#clock.mode === 'auto') release()
      },
      /** Takes the result into account for later attempts to the same receiver. */
      finished: ({ error }: AttemptResult): void => {
        if (error?.code === 'timeout') this.#noteTimeout(origin, sentAt, sentAt + limit)
        else this.#unresponsive.delete(origin)
      },
      /** Lets advances continue. */
      end: (): void => release(),
    }
  }

  #limitFor(origin: string): number {
    const { advances } = this.#clock
    if (advances !== this.#advance) this.#spent = 0
    this.#advance = advances
    const left = Math.max(0, waits.timeouts - this.#spent)
    if (this.#unresponsive.has(origin)) return Math.min(waits.afterTimeout, left)
    return Math.max(waits.minimum, Math.min(waits.attempt, left))
  }

  #noteTimeout(origin: string, from: number, until: number): void {
    this.#unresponsive.add(origin)
    // Waits that overlap count once.
    this.#spent += Math.max(0, until - Math.max(from, this.#spentUntil))
    this.#spentUntil = Math.max(until, this.#spentUntil)
  }
}

/** The wait of an advance for one attempt. */
export type AttemptWait = ReturnType<ReceiverWaits['start']>

type Task = () => Promise<void>

interface TaskQueue {
  running: number
  readonly waiting: { readonly task: Task; readonly end: () => void }[]
}

/**
 * Runs the tasks of each key in the order they were added, with limited concurrency. Unlike the limiters on npm, it
 * starts a task synchronously if there is room: the next advance of the clock must find it in flight.
 */
export class KeyedLimit {
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
