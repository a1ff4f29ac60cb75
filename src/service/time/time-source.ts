import { lastInstant } from '../model/instants.js'
import { platform } from './platform-time.js'
import { type ClockMode, speedOf } from './time.js'
import { wallTime } from './wall-time.js'

/**
 * An instant that moves forward at the speed of a mode, and the duration that has passed. It follows the machine's monotonic clock, so setting the
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
  /** The duration that had passed at `#since`. */
  #elapsed = 0
  #ahead = 0
  /** The time outside that had passed at `#since`. */
  #outside = 0

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

  /** Milliseconds that pass for waits per millisecond of the machine: while frozen, wall time passes. */
  get rate(): number {
    return this.#mode === 'auto' ? 0 : this.#speed || 1
  }

  /** Returns the duration that has passed for waits, by itself or by moving the instant. */
  elapsed(): number {
    return this.#elapsed + (platform.now() - this.#since) * this.rate
  }

  /** Milliseconds for programs outside of the world: of wall time unless the clock is `auto`, and of what was skipped. */
  get outside(): number {
    return this.#outside + (platform.now() - this.#since) * this.#outsideRate
  }

  get #outsideRate(): number {
    return this.#mode === 'auto' ? 0 : 1
  }

  /** Returns a source for waits of programs outside of the world. */
  outsideOf(): { readonly rate: number; elapsed(): number } {
    const rateOf = (): number => this.#outsideRate
    return {
      get rate() {
        return rateOf()
      },
      elapsed: () => this.outside,
    }
  }

  /** Milliseconds by which it is ahead of the machine's time, as that was when the mode was set. */
  get ahead(): number {
    return this.#ahead
  }

  /** Sets the instant, which may be an earlier one, and the mode. */
  set(instant: number, mode: ClockMode, ahead = instant - wallTime()): void {
    this.#ahead = ahead
    this.#elapsed = this.elapsed()
    this.#outside = this.outside
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
    this.#elapsed = this.elapsed() + skipped
    this.#outside = this.outside + skipped
    this.#ahead += skipped
    this.#from = Math.max(before, instant)
    this.#since = platform.now()
  }

  stop(): void {
    this.#from = this.now()
    this.#speed = 0
  }
}
