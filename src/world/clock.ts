import { Agenda, type Task } from './agenda.js'
import type { ClockMode } from './clock-mode.js'
import { ClockError } from './errors.js'
import { Hands, lastInstant } from './hands.js'
import { formatInstant } from './time.js'
import { Underway } from './underway.js'
import { longestTimer, Waits } from './waits.js'

/** Where a clock stands: what it takes for another to go on from there. */
export interface ClockStand {
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
  readonly #start: number
  readonly #firstMode: ClockMode
  readonly #hands = new Hands()
  readonly #waits = new Waits()
  readonly #underway = new Underway()
  #agenda = new Agenda()
  #beganAt = 0
  #stopped = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Told when the clock was moved on or given another mode, with the instant it showed before. */
  onMoved: ((from: number) => void) | undefined

  /** `start` is the instant at which the scenario begins. */
  constructor(mode: ClockMode, start: number) {
    this.#start = start
    this.#firstMode = mode
    this.reset()
  }

  /** How time passes. */
  get mode(): ClockMode {
    return this.#hands.mode
  }

  /** The instant at which this clock began, or was last reset. */
  get beganAt(): number {
    return this.#beganAt
  }

  /** Where it stands, for another to go on from there. */
  get stand(): ClockStand {
    return { mode: this.mode, beganAt: this.#beganAt, now: this.now() }
  }

  /** The present instant, in whole milliseconds since the epoch. */
  now(): number {
    return this.#hands.now()
  }

  /**
   * Has time pass otherwise from now on, what is left of waits included; a clock set to `real` goes on from the
   * present instant. @throws ClockError `stopped`
   */
  setMode(mode: ClockMode): void {
    this.#assertGoing()
    const from = this.now()
    this.#put(from, mode)
    this.#arm()
    this.onMoved?.(from)
  }

  /** Has time stand still at an instant, exactly, once it gets there by itself; it can be moved on from there. */
  stopAt(instant: number): void {
    this.#hands.stopAt(instant)
  }

  /**
   * Waits until a duration of this clock has passed, by itself or because the clock is moved on; on a frozen one it
   * passes as on a real one. It is over at once when the clock is reset or stopped, or the signal says so.
   */
  wait(duration: number, signal?: AbortSignal): Promise<void> {
    return this.#stopped ? Promise.resolve() : this.#waits.begin(duration, signal)
  }

  /**
   * Has something done at an instant; gives back how to call it off. When the instant has passed, a clock
   * that runs does it at once, a frozen one when it is next advanced, be it by 0. A stopped one never does it.
   */
  schedule(at: number, task: Task): () => void {
    if (this.#stopped) return () => undefined
    const cancel = this.#agenda.add(at, task)
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
    const wait = this.#stopped ? undefined : this.#waits.begin(duration, ended.signal, true)
    const agenda = this.#agenda
    const performInTurn = async (): Promise<void> => {
      if (!ended.signal.aborted) await perform()
    }
    void wait?.then(() => (ended.signal.aborted ? undefined : agenda.takeTurn(performInTurn)))
    return cancel
  }

  /**
   * Tells that something is under way that an advance waits for before it moves on; no longer than its patience, in
   * milliseconds of wall time. Gives back how to tell that it is over.
   */
  hold(patience: number): () => void {
    return this.#underway.hold(patience)
  }

  /** Starts measuring time of this clock, in milliseconds; on a frozen one, what passes on the wall counts as well. */
  measure(): () => number {
    const [from, wall] = [this.now(), Date.now()]
    return () => {
      const moved = this.now() - from
      return this.#hands.speed === 0 ? moved + Math.max(0, Date.now() - wall) : moved
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
   * reset or stopped meanwhile, it is over.
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

  /** Back to the start, with nothing scheduled, and to how time passed there; ends every wait. */
  reset(): void {
    if (this.#stopped) return
    this.#forget()
    this.#put(this.#firstMode === 'real' ? Date.now() : this.#start, this.#firstMode)
    this.#beganAt = this.now()
  }

  /**
   * Goes on from where another clock stood, with nothing scheduled. One that is `real` shows the machine's time;
   * it counts as begun so much later that the time in between has not passed.
   */
  goOn({ mode, beganAt, now }: ClockStand): void {
    this.#forget()
    this.#put(mode === 'real' ? Math.max(now, Date.now()) : now, mode)
    this.#beganAt = beganAt + this.now() - now
  }

  /** Stops it for good: forgets everything scheduled, ends every wait, and lets the process end. */
  stop(): void {
    this.#stopped = true
    this.#hands.stop()
    this.#forget()
  }

  async #move(targetFrom: (from: number) => number): Promise<void> {
    this.#assertGoing()
    const agenda = this.#agenda
    if (agenda.calling) {
      throw new ClockError(
        'busy',
        'What a clock does at an instant cannot move it on: it would wait for itself.',
      )
    }
    await agenda.takeTurn(async () => {
      const from = this.now()
      const target = targetFrom(from)
      if (!(Math.abs(target) <= lastInstant)) {
        throw new ClockError('malformed', `A clock goes no further than ${formatInstant(lastInstant)}.`)
      }
      try {
        const quiet = () => this.#underway.quiet()
        if (await agenda.runUntil(target, this.#arrive, quiet)) this.#arrive(target)
      } finally {
        if (!agenda.ended) {
          this.#arm()
          this.onMoved?.(from)
        }
      }
    })
  }

  readonly #arrive = (instant: number): void => {
    this.#waits.skip(this.#hands.moveTo(instant))
  }

  #put(instant: number, mode: ClockMode): void {
    this.#hands.put(instant, mode)
    this.#waits.setSpeed(this.#hands.speed || 1)
  }

  #forget(): void {
    this.#agenda.end()
    this.#agenda = new Agenda()
    this.#waits.end()
    this.#underway.end()
    this.#arm()
  }

  #assertGoing(): void {
    if (this.#stopped) throw new ClockError('stopped', 'This clock has stopped, since its world was closed.')
  }

  #arm(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    const agenda = this.#agenda
    const { speed } = this.#hands
    const { next } = agenda
    if (next === undefined || speed === 0) return
    const delay = Math.min(longestTimer, Math.max(0, (next - this.now()) / speed))
    this.#timer = setTimeout(() => {
      // A task that fails is an unhandled rejection, as loud as can be; those after it are still done.
      void agenda.takeTurn(() => this.#runDue(agenda))
    }, delay)
    // A story that is still going on must not keep a finished test process alive.
    ;(this.#timer as { unref?: () => void }).unref?.()
  }

  async #runDue(agenda: Agenda): Promise<void> {
    try {
      await agenda.runUntil(this.now(), this.#arrive)
    } finally {
      if (!agenda.ended) this.#arm()
    }
  }
}
