import { WorldError } from '../model/errors.js'
import { Scheduler, type Task, WorkInFlight } from './scheduler.js'
import { type ClockMode, formatInstant, lastInstant, speedOf } from './time.js'
import { maxTimerDelay, platform, startTimer, wallTime } from './wall-time.js'

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
  readonly #waits = new Set<Wait>()
  readonly #inFlight = new WorkInFlight()
  readonly #scheduler = new Scheduler()
  readonly #beganAt: number
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

  now(): number {
    return this.#time.now()
  }

  /** The number of responses that a fault delays and for which somebody still waits. */
  get waiting(): number {
    return [...this.#waits].filter(({ holdsProcess }) => holdsProcess).length
  }

  /** Whether something that begins outside of the world is still being prepared, or about to be sent. */
  get preparing(): boolean {
    return this.#inFlight.any
  }

  /** The next instant at which a task or a wait is due; undefined if there is none. */
  get nextDue(): number | undefined {
    const { next } = this.#scheduler
    return next === undefined ? undefined : Math.max(this.now(), next)
  }

  /** Milliseconds on the machine's monotonic clock, for durations that this clock does not affect. */
  get monotonic(): number {
    return platform.now()
  }

  /**
   * Changes how time passes from now on, also for the rest of pending waits; a clock set to `real` continues from the
   * present instant. @throws WorldError `stopped`
   */
  setMode(mode: ClockMode): void {
    this.#assertRunning()
    const from = this.now()
    const isOther = mode !== this.mode
    this.#time.set(from, mode)
    if (isOther) for (const wait of this.#waits) this.#armTimer(wait)
    this.#arm()
    this.onMoved?.(from)
  }

  /** Stops the running clock exactly at an instant; an advance moves it beyond. */
  stopAt(instant: number): void {
    this.#time.stopAt(instant)
  }

  /**
   * Waits for a duration of this clock, which passes by itself or by an advance; on a frozen clock it also
   * passes in wall time, on an `auto` one it does not. Ends immediately if the clock is stopped; if the signal aborts, it ends
   * too, or goes on without keeping the process alive.
   */
  wait(duration: number, signal?: AbortSignal, aborted: 'ends' | 'goes on' = 'ends'): Promise<void> {
    if (this.#stopped || (signal?.aborted && aborted === 'ends')) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        wait.cancel()
        // A signal may live as long as the program; its listeners must not accumulate.
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = (): void => {
        if (aborted === 'ends') end()
        else this.#release(wait)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const wait = this.#begin({ duration, isOfResponse: true, end, onTimer: end })
      if (signal?.aborted) this.#release(wait)
    })
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
   * Runs a task at the end of a duration of this clock or of the machine, whichever comes first; on an `auto` clock, at the
   * end of the former. Returns a function that cancels it.
   */
  after(duration: number, task: Task): () => void {
    if (this.#stopped) return () => undefined
    const end = (): void | Promise<void> => {
      wait.cancel()
      return task()
    }
    const inTurn = async (): Promise<void> => {
      if (this.#waits.has(wait)) await end()
    }
    const onTimer = (): void => void this.#scheduler.takeTurn(inTurn)
    const wait = this.#begin({ duration, isOfResponse: false, end, onTimer })
    return wait.cancel
  }

  /**
   * Makes advances wait for some work before they move on, at most for a limit in milliseconds of wall time. Returns a
   * function that ends the work.
   */
  hold(limit: number): () => void {
    return this.#inFlight.hold(limit)
  }

  /** Starts a stopwatch, in milliseconds of this clock or of the machine, whichever are more; on an `auto` clock, of the former. */
  measure(): () => number {
    const [from, started] = [this.now(), platform.now()]
    return () => {
      const passed = this.now() - from
      return Math.round(this.mode === 'auto' ? passed : Math.max(passed, platform.now() - started))
    }
  }

  /**
   * Advances the clock by a duration in milliseconds, as `advanceTo` does; the duration starts where pending advances
   * end.
   * @throws WorldError `backwards`, `malformed`, `busy`, `stopped`
   */
  advance(duration: number): Promise<void> {
    return this.#move((from) => {
      if (duration < 0) {
        throw new WorldError('backwards', 'A clock only moves forward; advance it by 0 or more.')
      }
      return from + duration
    })
  }

  /**
   * Advances the clock to an instant. Runs every task due by then in order, each to its end at its own instant, including
   * tasks scheduled on the way. Concurrent advances run one after another. If a task fails, the clock stays at its
   * instant, and later tasks are left to the next advance. Resolves early if the clock is stopped.
   * @throws WorldError `backwards`, `malformed`, `stopped`; `busy` if a task calls it synchronously
   */
  advanceTo(target: number): Promise<void> {
    return this.#move((from) => {
      if (target < from) {
        throw new WorldError(
          'backwards',
          `A clock only moves forward; it is already ${formatInstant(from)}, which is after ${formatInstant(target)}.`,
        )
      }
      return target
    })
  }

  /** Stops the clock permanently: drops all tasks, ends every wait, and lets the process exit. */
  stop(): void {
    this.#stopped = true
    this.#time.stop()
    this.#scheduler.end()
    for (const { isOfResponse, cancel, end } of this.#waits) {
      if (isOfResponse) void end()
      else cancel()
    }
    this.#inFlight.end()
    this.#arm()
  }

  async #move(targetFrom: (from: number) => number): Promise<void> {
    this.#assertRunning()
    const scheduler = this.#scheduler
    if (scheduler.calling) {
      throw new WorldError(
        'busy',
        'A task that runs on a clock cannot advance that clock: it would wait for itself.',
      )
    }
    await scheduler.takeTurn(async () => {
      const from = this.now()
      const target = targetFrom(from)
      if (!(Math.abs(target) <= lastInstant)) {
        throw new WorldError('malformed', `A clock cannot move beyond ${formatInstant(lastInstant)}.`)
      }
      this.#target = target
      try {
        // What advances an `auto` clock knows better than any limit whether something is in flight.
        const quiet = () => (this.mode === 'auto' ? undefined : this.#inFlight.quiet())
        if (await scheduler.runUntil(target, this.#arrive, quiet)) this.#arrive(target)
      } finally {
        this.#target = null
        if (!scheduler.ended) {
          this.#arm()
          this.onMoved?.(from)
        }
      }
    })
  }

  readonly #arrive = (instant: number): void => this.#time.moveTo(instant)

  /** Begins a wait, which a task of the scheduler or a timer of the machine ends. */
  #begin({
    duration,
    ...ending
  }: Pick<Wait, 'isOfResponse' | 'end' | 'onTimer'> & { readonly duration: number }): Wait {
    const at = this.now() + duration
    const wait: Wait = {
      ...ending,
      at,
      holdsProcess: ending.isOfResponse,
      cancel: () => {
        unschedule()
        wait.disarm()
        this.#waits.delete(wait)
      },
      disarm: () => undefined,
    }
    const unschedule = this.schedule(at, wait.end)
    this.#waits.add(wait)
    this.#armTimer(wait)
    return wait
  }

  /** Lets the process exit before the end of a wait. */
  #release(wait: Wait): void {
    wait.holdsProcess = false
    this.#armTimer(wait)
  }

  /** Starts the timer of a wait anew, for what is left of it; by default for what is left on this clock. */
  #armTimer(
    wait: Wait,
    left = (wait.at - this.now()) / (wait.isOfResponse ? this.#time.speed || 1 : 1),
  ): void {
    wait.disarm()
    if (this.mode === 'auto') return
    const next = left > maxTimerDelay ? () => this.#armTimer(wait, left - maxTimerDelay) : wait.onTimer
    wait.disarm = startTimer(next, Math.min(maxTimerDelay, Math.max(0, left)), !wait.holdsProcess)
  }

  #assertRunning(): void {
    if (this.#stopped)
      throw new WorldError(
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

/** What ends at an instant of the clock, or by a timer of the machine. */
interface Wait {
  readonly at: number
  /** Whether a response waits: it passes at the speed of the clock. */
  readonly isOfResponse: boolean
  holdsProcess: boolean
  readonly end: Task
  readonly onTimer: () => void
  readonly cancel: () => void
  disarm: () => void
}

/**
 * An instant that moves forward at the speed of a mode. It follows the machine's monotonic clock, so setting the
 * machine's time changes nothing.
 */
class TimeSource {
  #mode: ClockMode = 'frozen'
  #speed = 0
  /** The instant to which it was last set or moved. */
  #from = 0
  /** When that was, on the machine's monotonic clock. */
  #since = 0
  #latest = 0
  #limit = lastInstant
  #ahead = 0

  get mode(): ClockMode {
    return this.#mode
  }

  /** Milliseconds that pass per millisecond of the machine; 0 while frozen. */
  get speed(): number {
    return this.#speed
  }

  now(): number {
    const running = this.#speed === 0 ? 0 : (platform.now() - this.#since) * this.#speed
    this.#latest = Math.min(this.#limit, Math.max(this.#latest, Math.floor(this.#from + running)))
    return this.#latest
  }

  /** Milliseconds by which it is ahead of the machine's time, as that was when the mode was set. */
  get ahead(): number {
    return this.#ahead
  }

  /** Sets the instant, which may be an earlier one, and the mode. */
  set(instant: number, mode: ClockMode, ahead = instant - wallTime()): void {
    this.#ahead = ahead
    this.#mode = mode
    this.#speed = speedOf(mode)
    this.#from = instant
    this.#latest = instant
    this.#limit = Math.max(this.#limit, instant)
    this.#since = platform.now()
  }

  /** Stops exactly at an instant once it gets there by itself; `moveTo` goes beyond. */
  stopAt(instant: number): void {
    this.#limit = Math.max(this.now(), instant)
  }

  /** Moves forward to an instant unless it has passed. */
  moveTo(instant: number): void {
    const before = this.now()
    const skipped = Math.max(0, instant - before)
    this.#limit = Math.max(this.#limit, instant)
    this.#ahead += skipped
    this.#from = Math.max(before, instant)
    this.#since = platform.now()
  }

  stop(): void {
    this.#from = this.now()
    this.#speed = 0
  }
}
