import { ClockError } from './errors.js'
import { Scheduler, type Task, WorkInFlight } from './scheduler.js'
import { type ClockMode, formatInstant, lastInstant, speedOf } from './time.js'
import { longestTimer, Timers } from './wall-time.js'

/** The state of a clock, for another one to go on from. */
export interface ClockState {
  readonly mode: ClockMode
  /** Milliseconds since the epoch, as is `now`. */
  readonly beganAt: number
  readonly now: number
}

/**
 * A world's time: it runs at its speed or when advanced, never back, and does what is due on the way, one thing
 * after another. Once stopped it does nothing any more.
 */
export class Clock {
  readonly #time = new TimeSource()
  readonly #timers = new Timers()
  readonly #inFlight = new WorkInFlight()
  #scheduler = new Scheduler()
  #beganAt: number
  #advances = 0
  #stopped = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Told when the clock was moved on or given another mode, with the instant it showed before. */
  onMoved: ((from: number) => void) | undefined

  /** `start` is the instant at which the scenario begins. */
  constructor(mode: ClockMode, start: number) {
    this.#set(mode === 'real' ? Date.now() : start, mode)
    this.#beganAt = this.now()
  }

  get mode(): ClockMode {
    return this.#time.mode
  }

  /** The instant at which this clock began. */
  get beganAt(): number {
    return this.#beganAt
  }

  /** Its state, for another clock to go on from. */
  get state(): ClockState {
    return { mode: this.mode, beganAt: this.#beganAt, now: this.now() }
  }

  get advances(): number {
    return this.#advances
  }

  now(): number {
    return this.#time.now()
  }

  /**
   * Has time pass otherwise from now on, what is left of waits included; a clock set to `real` goes on from the
   * present instant. @throws ClockError `stopped`
   */
  setMode(mode: ClockMode): void {
    this.#assertGoing()
    const from = this.now()
    this.#set(from, mode)
    this.#arm()
    this.onMoved?.(from)
  }

  /** Stops time at exactly an instant once it gets there by itself; an advance moves it on from there. */
  stopAt(instant: number): void {
    this.#time.stopAt(instant)
  }

  /**
   * Waits until a duration of this clock has passed, by itself or because the clock is moved on; on a frozen one it
   * passes as on a real one. It is over at once when the clock is stopped, or the signal says so.
   */
  wait(duration: number, signal?: AbortSignal): Promise<void> {
    return this.#stopped ? Promise.resolve() : this.#timers.wait(duration, signal)
  }

  /**
   * Has something done at an instant; gives back how to call it off. When the instant has passed, a clock
   * that runs does it at once, a frozen one when it is next advanced, be it by 0. A stopped one never does it.
   */
  schedule(at: number, task: Task): () => void {
    if (this.#stopped) return () => undefined
    const cancel = this.#scheduler.add(at, task)
    this.#arm()
    return cancel
  }

  /**
   * Has something done once a duration of this clock has passed, as `wait` has it pass: on a frozen clock also without
   * its being advanced; an advance does it at its instant. Gives back how to call it off.
   */
  after(duration: number, task: Task): () => void {
    const ended = new AbortController()
    const perform: Task = () => {
      cancel()
      return task()
    }
    const callOff = this.schedule(this.now() + duration, perform)
    const cancel = (): void => {
      callOff()
      // With a reason, since without one the platform makes an error of it, stack trace and all.
      ended.abort('called off')
    }
    const wait = this.#stopped ? undefined : this.#timers.wait(duration, ended.signal, true)
    const scheduler = this.#scheduler
    const performInTurn = async (): Promise<void> => {
      if (!ended.signal.aborted) await perform()
    }
    void wait?.then(() => (ended.signal.aborted ? undefined : scheduler.takeTurn(performInTurn)))
    return cancel
  }

  /**
   * Tells that something is under way that an advance waits for before it moves on; no longer than a limit in
   * milliseconds of wall time. Gives back how to tell that it is over.
   */
  hold(limit: number): () => void {
    return this.#inFlight.hold(limit)
  }

  /** Starts measuring time of this clock, in milliseconds; on a frozen one, what passes on the wall counts as well. */
  measure(): () => number {
    const [from, wall] = [this.now(), performance.now()]
    return () => {
      const moved = this.now() - from
      return this.#time.speed === 0 ? moved + Math.round(performance.now() - wall) : moved
    }
  }

  /**
   * Moves the clock on by a duration in milliseconds, as `advanceTo` does; it counts from where those before it
   * arrive.
   * @throws ClockError `backwards`, `malformed`, `busy`, `stopped`
   */
  advance(duration: number): Promise<void> {
    return this.#move((from) => {
      if (duration < 0) {
        throw new ClockError('backwards', 'A clock only goes forward; advance it by 0 or more.')
      }
      return from + duration
    })
  }

  /**
   * Moves the clock on to an instant and does everything due by then in order, each thing at its own instant and to
   * its end, also what is scheduled on the way. Of several that overlap, each begins when those before it have ended.
   * When something fails, the clock stays there and what comes after is left for the next time; when the clock is
   * stopped meanwhile, it is over.
   * @throws ClockError `backwards`, `malformed`, `stopped`; `busy` where something asks that is itself being done
   */
  advanceTo(target: number): Promise<void> {
    return this.#move((from) => {
      if (target < from) {
        throw new ClockError(
          'backwards',
          `A clock only goes forward; it is ${formatInstant(from)} already, not yet ${formatInstant(target)}.`,
        )
      }
      return target
    })
  }

  /**
   * Goes on from where another clock stood, with nothing scheduled. One that is `real` shows the machine's time;
   * it counts as begun so much later that the time in between has not passed.
   */
  goOn({ mode, beganAt, now }: ClockState): void {
    this.#forget()
    this.#set(mode === 'real' ? Math.max(now, Date.now()) : now, mode)
    this.#beganAt = beganAt + this.now() - now
  }

  /** Stops it for good: forgets everything scheduled, ends every wait, and lets the process end. */
  stop(): void {
    this.#stopped = true
    this.#time.stop()
    this.#forget()
  }

  async #move(targetFrom: (from: number) => number): Promise<void> {
    this.#assertGoing()
    const scheduler = this.#scheduler
    if (scheduler.calling) {
      throw new ClockError(
        'busy',
        'What a clock does at an instant cannot move it on: it would wait for itself.',
      )
    }
    await scheduler.takeTurn(async () => {
      this.#advances++
      const from = this.now()
      const target = targetFrom(from)
      if (!(Math.abs(target) <= lastInstant)) {
        throw new ClockError('malformed', `A clock goes no further than ${formatInstant(lastInstant)}.`)
      }
      try {
        const quiet = () => this.#inFlight.quiet()
        if (await scheduler.runUntil(target, this.#arrive, quiet)) this.#arrive(target)
      } finally {
        if (!scheduler.ended) {
          this.#arm()
          this.onMoved?.(from)
        }
      }
    })
  }

  readonly #arrive = (instant: number): void => {
    this.#timers.skip(this.#time.moveTo(instant))
  }

  #set(instant: number, mode: ClockMode): void {
    this.#time.set(instant, mode)
    this.#timers.setSpeed(this.#time.speed || 1)
  }

  #forget(): void {
    this.#scheduler.end()
    this.#scheduler = new Scheduler()
    this.#timers.end()
    this.#inFlight.end()
    this.#arm()
  }

  #assertGoing(): void {
    if (this.#stopped)
      throw new ClockError(
        'stopped',
        'This clock has stopped, since its world was closed; fork() makes another world.',
      )
  }

  #arm(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    const scheduler = this.#scheduler
    const { speed } = this.#time
    const { next } = scheduler
    if (next === undefined || speed === 0) return
    const delay = Math.min(longestTimer, Math.max(0, (next - this.now()) / speed))
    this.#timer = setTimeout(() => {
      // A task that fails is an unhandled rejection, as loud as can be; those after it are still done.
      void scheduler.takeTurn(() => this.#runDue(scheduler))
    }, delay)
    // A story that is still going on must not keep a finished test process alive.
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

/**
 * An instant that goes on at the speed of a mode, and never back. It follows the machine's monotonic clock, so setting
 * the machine's time back or forward changes nothing.
 */
class TimeSource {
  #mode: ClockMode = 'frozen'
  #speed = 0
  /** The instant it was last set to, or passed on its way from one speed to another, and when that was. */
  #from = 0
  #since = 0
  #latest = 0
  #limit = lastInstant

  get mode(): ClockMode {
    return this.#mode
  }

  /** How many milliseconds pass in one of the machine's; 0 while it stands still. */
  get speed(): number {
    return this.#speed
  }

  now(): number {
    const running = this.#speed === 0 ? 0 : (performance.now() - this.#since) * this.#speed
    this.#latest = Math.min(this.#limit, Math.max(this.#latest, Math.floor(this.#from + running)))
    return this.#latest
  }

  /** Sets it to an instant, earlier ones included, from which time passes as the mode says. */
  set(instant: number, mode: ClockMode): void {
    this.#mode = mode
    this.#speed = speedOf(mode)
    this.#from = instant
    this.#latest = instant
    this.#limit = Math.max(this.#limit, instant)
    this.#since = performance.now()
  }

  /** Stops it at an instant, exactly, once it gets there by itself; it can be moved on from there. */
  stopAt(instant: number): void {
    this.#limit = Math.max(this.now(), instant)
  }

  /** Moves it on to an instant, where it is not there yet; returns by how much. */
  moveTo(instant: number): number {
    const before = this.now()
    this.#limit = Math.max(this.#limit, instant)
    this.#from = Math.max(before, instant)
    this.#since = performance.now()
    return this.#from - before
  }

  stop(): void {
    this.#from = this.now()
    this.#speed = 0
  }
}
