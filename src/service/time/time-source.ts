import { lastInstant } from '../model/instants.js'
import { platform } from './platform-time.js'
import { type ClockMode, speedOf } from './time.js'
import { wallTime } from './wall-time.js'

/**
 * An instant that moves forward at the speed of a mode. It follows the machine's monotonic clock, so setting the
 * machine's time changes nothing.
 */
export class TimeSource {
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
