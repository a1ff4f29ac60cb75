import { ClockError } from '../model/errors.js'
import { lastInstant } from '../model/instants.js'
import { platform } from './platform-time.js'
import { Scheduler, type Task, WorkInFlight } from './scheduler.js'
import { type ClockMode, formatInstant } from './time.js'
import { TimeSource } from './time-source.js'
import { maxTimerDelay, Timers } from './wall-time.js'

/** The state of a clock, from which another one can resume. */
export interface ClockState {
  readonly mode: ClockMode
  /** Milliseconds since the epoch, as is `now`. */
  readonly beganAt: number
  readonly now: number
  /**
   * Milliseconds by which a real clock is ahead of the machine's time, so that it can resume after a pause
   * from the machine's time; absent if it continues from `now` instead.
   */
  readonly ahead?: number | undefined
}

/**
 * A world's clock: it runs at its speed, can be advanced but never set back, and runs scheduled tasks in order, one at a
 * time. A stopped clock runs nothing.
 */
export class Clock {
  readonly #time = new TimeSource()
  readonly #timers = new Timers(this.#time)
  readonly #outsideTimers = new Timers(this.#time.outsideOf())
  readonly #timeouts = new Set<Timeout>()
  readonly #inFlight = new WorkInFlight()
  readonly #scheduler = new Scheduler()
  readonly #beganAt: number
  #advances = 0
  #target: number | null = null
  #stopped = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Called after the clock was advanced or its mode was set, with the instant before. */
  onMoved: ((from: number) => void) | undefined

  /** `beganAt` is when the clock of a resumed world began, and `ahead` how far a real one was ahead of the machine. */
  constructor(mode: ClockMode, now: number, beganAt = now, ahead?: number) {
    this.#time.set(now, mode, ahead)
    this.#beganAt = beganAt
  }

  get mode(): ClockMode {
    return this.#time.mode
  }

  /** The instant at which this clock began. */
  get beganAt(): number {
    return this.#beganAt
  }

  /** Its state, from which another clock can resume. */
  get state(): ClockState {
    const { mode, ahead } = this.#time
    return { mode, beganAt: this.#beganAt, now: this.now(), ...(mode === 'real' && { ahead }) }
  }

  /** The instant that an advance under way moves to; null if there is none. */
  get target(): number | null {
    return this.#target
  }

  /** The number of advances so far. */
  get advances(): number {
    return this.#advances
  }

  now(): number {
    return this.#time.now()
  }

  /** The number of waits that follow this clock: those of responses that a fault delays. */
  get waiting(): number {
    return this.#timers.count
  }

  /** Whether something that begins outside of the world is still being prepared, or about to be sent. */
  get preparing(): boolean {
    return this.#inFlight.any
  }

  /** The next instant at which a task, a timeout or a wait is due; undefined if there is none. */
  get nextDue(): number | undefined {
    const now = this.now()
    const wait = this.#timers.next
    const dues = [
      this.#scheduler.next,
      wait === undefined ? undefined : now + Math.ceil(wait - this.#time.elapsed()),
    ]
    if (this.#time.speed !== 0)
      for (const { due } of this.#timeouts) dues.push(now + Math.ceil(due - this.#time.outside))
    const known = dues.filter((due) => due !== undefined)
    return known.length === 0 ? undefined : Math.max(now, Math.min(...known))
  }

  /** Milliseconds on the machine's monotonic clock, for durations that this clock does not affect. */
  get monotonic(): number {
    return platform.now()
  }

  /**
   * Changes how time passes from now on, also for the rest of pending waits; a clock set to `real` continues from the
   * present instant. @throws ClockError `stopped`
   */
  setMode(mode: ClockMode): void {
    this.#assertRunning()
    const from = this.now()
    const isOther = mode !== this.mode
    this.#time.set(from, mode)
    if (isOther) this.#placeTimeouts()
    this.#timers.rearm()
    this.#outsideTimers.rearm()
    this.#arm()
    this.onMoved?.(from)
  }

  /** Stops the running clock exactly at an instant; an advance moves it beyond. */
  stopAt(instant: number): void {
    this.#time.stopAt(instant)
  }

  /**
   * Waits for a duration of this clock, which passes by itself or by an advance; on a frozen clock it also
   * passes in wall time, on an `auto` one it does not. Ends immediately if the clock is stopped or the signal aborts.
   */
  wait(duration: number, signal?: AbortSignal): Promise<void> {
    return this.#stopped ? Promise.resolve() : this.#timers.wait(duration, signal)
  }

  /**
   * Schedules a task for an instant; returns a function that cancels it. If the instant has passed, a running
   * clock runs the task immediately and a frozen one at its next advance, even by 0. A stopped clock never
   * runs it.
   */
  schedule(at: number, task: Task): () => void {
    if (this.#stopped) return () => undefined
    const cancel = this.#scheduler.add(at, task)
    this.#arm()
    return cancel
  }

  /**
   * Schedules a task for the end of a duration that concerns programs outside of the world: it passes in wall
   * time at every speed of the clock, and an advance skips it. An advance runs the task at its instant.
   * Returns a function that cancels it.
   */
  after(duration: number, task: Task): () => void {
    if (this.#stopped) return () => undefined
    const ended = new AbortController()
    const timeout: Timeout = {
      due: this.#time.outside + duration,
      perform: () => {
        cancel()
        return task()
      },
      unschedule: undefined,
    }
    const cancel = (): void => {
      timeout.unschedule?.()
      this.#timeouts.delete(timeout)
      // Without a reason, the platform creates an error with a stack trace.
      ended.abort('cancelled')
    }
    this.#timeouts.add(timeout)
    this.#place(timeout, duration)
    const { signal } = ended
    const performInTurn = async (): Promise<void> => {
      if (!signal.aborted) await timeout.perform()
    }
    void this.#outsideTimers.wait(duration, signal, true).then(() => {
      return signal.aborted ? undefined : this.#scheduler.takeTurn(performInTurn)
    })
    return cancel
  }

  /**
   * Makes advances wait for some work before they move on, at most for a limit in milliseconds of wall time. Returns a
   * function that ends the work.
   */
  hold(limit: number): () => void {
    return this.#inFlight.hold(limit)
  }

  /** Starts a stopwatch for programs outside of the world, in milliseconds: of wall time, and of what advances skip. */
  measure(): () => number {
    const from = this.#time.outside
    return () => Math.round(this.#time.outside - from)
  }

  /**
   * Advances the clock by a duration in milliseconds, as `advanceTo` does; the duration starts where pending advances
   * end.
   * @throws ClockError `backwards`, `malformed`, `busy`, `stopped`
   */
  advance(duration: number): Promise<void> {
    return this.#move((from) => {
      if (duration < 0) {
        throw new ClockError('backwards', 'A clock only moves forward; advance it by 0 or more.')
      }
      return from + duration
    })
  }

  /**
   * Advances the clock to an instant. Runs every task due by then in order, each to its end at its own instant, including
   * tasks scheduled on the way. Concurrent advances run one after another. If a task fails, the clock stays at its
   * instant, and later tasks are left to the next advance. Resolves early if the clock is stopped.
   * @throws ClockError `backwards`, `malformed`, `stopped`; `busy` if a task calls it synchronously
   */
  advanceTo(target: number): Promise<void> {
    return this.#move((from) => {
      if (target < from) {
        throw new ClockError(
          'backwards',
          `A clock only moves forward; it is already ${formatInstant(from)}, which is after ${formatInstant(target)}.`,
        )
      }
      return target
    })
  }

  /** Shows a later instant on a clock that has stopped, without running anything. */
  showAt(instant: number): void {
    this.#time.moveTo(instant)
  }

  /** Stops the clock permanently: drops all tasks, ends every wait, and lets the process exit. */
  stop(): void {
    this.#stopped = true
    this.#time.stop()
    this.#scheduler.end()
    this.#timers.end()
    this.#outsideTimers.end()
    this.#inFlight.end()
    this.#arm()
  }

  async #move(targetFrom: (from: number) => number): Promise<void> {
    this.#assertRunning()
    const scheduler = this.#scheduler
    if (scheduler.calling) {
      throw new ClockError(
        'busy',
        'A task that runs on a clock cannot advance that clock: it would wait for itself.',
      )
    }
    await scheduler.takeTurn(async () => {
      this.#advances++
      const from = this.now()
      const target = targetFrom(from)
      if (!(Math.abs(target) <= lastInstant)) {
        throw new ClockError('malformed', `A clock cannot move beyond ${formatInstant(lastInstant)}.`)
      }
      this.#target = target
      if (this.#time.speed !== 0) this.#placeTimeouts()
      try {
        // What advances an `auto` clock knows better than any limit whether something is in flight.
        const quiet = () => (this.mode === 'auto' ? undefined : this.#inFlight.quiet())
        if (await scheduler.runUntil(target, this.#arrive, quiet)) this.#arrive(target)
      } finally {
        this.#target = null
        if (!scheduler.ended) {
          if (this.#time.speed !== 0) this.#placeTimeouts()
          this.#arm()
          this.onMoved?.(from)
        }
      }
    })
  }

  readonly #arrive = (instant: number): void => {
    this.#time.moveTo(instant)
    this.#timers.rearm()
    this.#outsideTimers.rearm()
  }

  #placeTimeouts(): void {
    for (const one of this.#timeouts) this.#place(one, Math.max(0, Math.round(one.due - this.#time.outside)))
  }

  /** Schedules a timeout on a clock that only advances move; on a running clock, wall time alone ends it. */
  #place(timeout: Timeout, left: number): void {
    timeout.unschedule?.()
    const isMoved = this.#time.speed === 0 || this.#target !== null
    timeout.unschedule = isMoved ? this.#scheduler.add(this.now() + left, timeout.perform) : undefined
  }

  #assertRunning(): void {
    if (this.#stopped)
      throw new ClockError(
        'stopped',
        'This clock has stopped because its world was closed; fork() creates another world.',
      )
  }

  #arm(): void {
    if (this.#timer !== undefined) platform.clearTimeout(this.#timer)
    this.#timer = undefined
    const scheduler = this.#scheduler
    const { speed } = this.#time
    const { next } = scheduler
    if (next === undefined || speed === 0) return
    const delay = Math.min(maxTimerDelay, Math.max(0, (next - this.now()) / speed))
    this.#timer = platform.setTimeout(() => {
      // A failed task is an unhandled rejection on purpose; later tasks still run.
      void scheduler.takeTurn(() => this.#runDue(scheduler))
    }, delay)
    // An unfinished story must not keep a finished test process alive.
    ;(this.#timer as { unref?: () => void }).unref?.()
  }

  async #runDue(scheduler: Scheduler): Promise<void> {
    try {
      await scheduler.runUntil(this.now(), this.#arrive)
    } finally {
      if (!scheduler.ended) this.#arm()
    }
  }
}

/** A task that runs after wall time, or after an advance that skips it. */
interface Timeout {
  /** When it is due, on `TimeSource.outside`. */
  readonly due: number
  readonly perform: Task
  unschedule: (() => void) | undefined
}
