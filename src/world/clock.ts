import { ClockError } from './errors.js'
import { formatInstant } from './time.js'

/** `real` is the machine's clock; `frozen` and `10x` begin at the scenario's start. */
export type ClockMode = 'real' | 'frozen' | `${number}x`

/** Something to do at an instant. */
export type Task = () => void | Promise<void>

interface Scheduled {
  readonly at: number
  readonly order: number
  readonly task: Task
}

/** The farthest a timer of the platform reaches. */
const longestTimer = 2_147_483_647

/** Reads a clock mode. @throws ClockError `unknown-mode` */
export function parseClockMode(text: string): ClockMode {
  const speed = /^(\d+(?:\.\d+)?)x$/.exec(text)?.[1]
  if (text === 'real' || text === 'frozen' || (speed !== undefined && Number(speed) > 0)) {
    return text as ClockMode
  }
  throw new ClockError(
    'unknown-mode',
    `There is no clock "${text}"; choose real, frozen or a speed such as 10x.`,
  )
}

/** A world's time: it runs at its speed or when advanced, never back, and does what is due on the way. */
export class Clock {
  readonly mode: ClockMode
  readonly #start: number
  readonly #speed: number
  #story = 0
  #wall = 0
  #last = Number.NEGATIVE_INFINITY
  #queue: Scheduled[] = []
  #order = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `start` is the instant at which the scenario begins. */
  constructor(mode: ClockMode, start: number) {
    this.mode = mode
    this.#start = start
    this.#speed = mode === 'frozen' ? 0 : mode === 'real' ? 1 : Number.parseFloat(mode)
    this.reset()
  }

  /** The present instant, in whole milliseconds since the epoch. */
  now(): number {
    const running = this.#speed === 0 ? 0 : (Date.now() - this.#wall) * this.#speed
    this.#last = Math.max(this.#last, Math.floor(this.#story + running))
    return this.#last
  }

  /** Has something done at an instant, at once if it has passed; gives back how to call it off. */
  schedule(at: number, task: Task): () => void {
    const scheduled: Scheduled = { at, order: this.#order++, task }
    const before = this.#queue.findIndex((other) => other.at > at)
    this.#queue.splice(before < 0 ? this.#queue.length : before, 0, scheduled)
    this.#arm()
    return () => {
      this.#queue = this.#queue.filter((other) => other !== scheduled)
    }
  }

  /** Moves the clock on by a duration in milliseconds and does everything due on the way, in order. */
  async advance(duration: number): Promise<void> {
    if (!(duration >= 0))
      throw new ClockError('backwards', 'A clock only goes forward; advance it by 0 or more.')
    await this.advanceTo(this.now() + duration)
  }

  /** Moves the clock on to an instant and does everything due on the way, in order. */
  async advanceTo(target: number): Promise<void> {
    if (target < this.now()) {
      throw new ClockError(
        'backwards',
        `A clock only goes forward; it is ${formatInstant(this.now())} already, not yet ${formatInstant(target)}.`,
      )
    }
    await this.#runUntil(target)
    this.#moveTo(target)
    this.#arm()
  }

  /** Back to the start, with nothing scheduled. */
  reset(): void {
    this.stop()
    this.#wall = Date.now()
    this.#story = this.mode === 'real' ? this.#wall : this.#start
    this.#last = Number.NEGATIVE_INFINITY
  }

  /** Forgets everything scheduled and lets the process end. */
  stop(): void {
    this.#queue = []
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #runUntil(target: number): Promise<void> {
    for (let next = this.#queue[0]; next && next.at <= target; next = this.#queue[0]) {
      this.#queue.shift()
      this.#moveTo(next.at)
      await next.task()
    }
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
      void this.#runUntil(this.now()).then(() => this.#arm())
    }, delay)
    // A story that is still going on must not keep a finished test process alive.
    ;(this.#timer as { unref?: () => void }).unref?.()
  }
}
