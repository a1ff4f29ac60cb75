import { ClockError } from './errors.js'
import { formatInstant } from './time.js'

/** `real` is the machine's clock; `frozen` and `10x` begin at the scenario's start. */
export type ClockMode = 'real' | 'frozen' | `${number}x`

/** Something to do at an instant. */
export type Task = () => void | Promise<void>

interface Scheduled {
  readonly at: number
  readonly task: Task
}

/** The farthest a timer of the platform reaches. */
const longestTimer = 2_147_483_647

/** The last instant a timestamp can show: after it, a year has more than four digits. */
const lastInstant = 253_402_300_799_999

/** Reads a clock mode. @throws ClockError `unknown-mode` */
export function parseClockMode(text: string): ClockMode {
  const speed = Number(/^(\d+(?:\.\d+)?)x$/.exec(text)?.[1])
  if (text === 'real' || text === 'frozen' || (speed > 0 && Number.isFinite(speed))) {
    return text as ClockMode
  }
  throw new ClockError(
    'unknown-mode',
    `There is no clock "${text}"; choose real, frozen or a speed such as 10x.`,
  )
}

function speedOf(mode: ClockMode): number {
  return mode === 'frozen' ? 0 : mode === 'real' ? 1 : Number.parseFloat(mode)
}

/** A world's time: it runs at its speed or when advanced, never back, and does what is due on the way. */
export class Clock {
  readonly #start: number
  #mode: ClockMode
  #speed: number
  #beganAt = 0
  #story = 0
  #wall = 0
  #last = 0
  #queue: Scheduled[] = []
  readonly #waiting = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `start` is the instant at which the scenario begins. */
  constructor(mode: ClockMode, start: number) {
    this.#mode = mode
    this.#start = start
    this.#speed = speedOf(mode)
    this.reset()
  }

  /** How time passes. */
  get mode(): ClockMode {
    return this.#mode
  }

  /** Has time pass otherwise from now on; a clock set to `real` goes on from the present instant. */
  setMode(mode: ClockMode): void {
    this.#story = this.now()
    this.#wall = Date.now()
    this.#mode = mode
    this.#speed = speedOf(mode)
    this.#arm()
  }

  /** The instant at which this clock began, or was last reset. */
  get beganAt(): number {
    return this.#beganAt
  }

  /** The present instant, in whole milliseconds since the epoch. */
  now(): number {
    const running = this.#speed === 0 ? 0 : (Date.now() - this.#wall) * this.#speed
    this.#last = Math.max(this.#last, Math.floor(this.#story + running))
    return this.#last
  }

  /**
   * Waits on the wall as long as a duration of this clock takes there, a frozen one as a real one; no longer
   * than until the clock is stopped or the signal says so.
   */
  wait(duration: number, signal?: AbortSignal): Promise<void> {
    const onWall = this.#speed === 0 ? duration : duration / this.#speed
    return new Promise((resolve) => {
      const goOn = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(goOn)
        resolve()
      }
      const timer = setTimeout(goOn, Math.min(longestTimer, onWall))
      signal?.addEventListener('abort', goOn, { once: true })
      this.#waiting.add(goOn)
    })
  }

  /**
   * Has something done at an instant; gives back how to call it off. When the instant has passed, a clock
   * that runs does it at once, a frozen one when it is next advanced, by however little.
   */
  schedule(at: number, task: Task): () => void {
    const scheduled: Scheduled = { at, task }
    const before = this.#queue.findIndex((other) => other.at > at)
    this.#queue.splice(before < 0 ? this.#queue.length : before, 0, scheduled)
    this.#arm()
    return () => {
      const place = this.#queue.indexOf(scheduled)
      if (place >= 0) this.#queue.splice(place, 1)
    }
  }

  /**
   * Moves the clock on by a duration in milliseconds and does everything due on the way, in order.
   * @throws ClockError `backwards`, `malformed`
   */
  async advance(duration: number): Promise<void> {
    if (duration < 0) {
      throw new ClockError('backwards', 'A clock only goes forward; advance it by 0 or more.')
    }
    await this.advanceTo(this.now() + duration)
  }

  /**
   * Moves the clock on to an instant and does everything due on the way, in order.
   * @throws ClockError `backwards`, `malformed`
   */
  async advanceTo(target: number): Promise<void> {
    if (!(Math.abs(target) <= lastInstant)) {
      throw new ClockError('malformed', `A clock goes no further than ${formatInstant(lastInstant)}.`)
    }
    if (target < this.now()) {
      throw new ClockError(
        'backwards',
        `A clock only goes forward; it is ${formatInstant(this.now())} already, not yet ${formatInstant(target)}.`,
      )
    }
    try {
      if (await this.#runUntil(target)) this.#moveTo(target)
    } finally {
      this.#arm()
    }
  }

  /** Back to the start, with nothing scheduled. */
  reset(): void {
    this.stop()
    this.#wall = Date.now()
    this.#story = this.#mode === 'real' ? this.#wall : this.#start
    this.#last = this.#story
    this.#beganAt = this.#story
  }

  /** Forgets everything scheduled, ends every wait, and lets the process end. */
  stop(): void {
    this.#queue = []
    for (const goOn of this.#waiting) goOn()
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Does what is due by then; false when the clock was stopped or reset meanwhile, and all that is off. */
  async #runUntil(target: number): Promise<boolean> {
    const queue = this.#queue
    for (let next = queue[0]; next && next.at <= target; next = queue[0]) {
      queue.shift()
      this.#moveTo(next.at)
      await next.task()
      if (queue !== this.#queue) return false
    }
    return true
  }

  #moveTo(instant: number): void {
    this.#story = Math.max(this.now(), instant)
    this.#wall = Date.now()
  }

  #arm(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    const next = this.#queue[0]
    if (!next || this.#speed === 0) return
    const delay = Math.min(longestTimer, Math.max(0, (next.at - this.now()) / this.#speed))
    this.#timer = setTimeout(() => {
      // A task that fails is an unhandled rejection, as loud as can be; those after it are still done.
      void this.#runUntil(this.now()).finally(() => this.#arm())
    }, delay)
    // A story that is still going on must not keep a finished test process alive.
    ;(this.#timer as { unref?: () => void }).unref?.()
  }
}
