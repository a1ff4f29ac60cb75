import { type ClockMode, speedOf } from './clock-mode.js'

/** The last instant a timestamp can show, and so a clock: after it, a year has more than four digits. */
export const lastInstant = 253_402_300_799_999

/** What a clock shows: an instant that goes on with the wall's time, at the speed of a mode, and never back. */
export class Hands {
  #mode: ClockMode = 'frozen'
  #speed = 0
  /** The instant they were last put to, or passed on their way from one speed to another, and when that was. */
  #from = 0
  #wall = 0
  #latest = 0
  #stop = lastInstant

  /** How time passes. */
  get mode(): ClockMode {
    return this.#mode
  }

  /** How many milliseconds pass in one of the wall's; 0 while they stand still. */
  get speed(): number {
    return this.#speed
  }

  /** The instant they show, in whole milliseconds since the epoch. */
  now(): number {
    const running = this.#speed === 0 ? 0 : (Date.now() - this.#wall) * this.#speed
    this.#latest = Math.min(this.#stop, Math.max(this.#latest, Math.floor(this.#from + running)))
    return this.#latest
  }

  /** Puts them to an instant, be it back, whence time passes as a mode has it. */
  put(instant: number, mode: ClockMode): void {
    this.#mode = mode
    this.#speed = speedOf(mode)
    this.#from = instant
    this.#latest = instant
    this.#stop = Math.max(this.#stop, instant)
    this.#wall = Date.now()
  }

  /** Has them go no further than to an instant by themselves, exactly; they stand there until they are moved on. */
  stopAt(instant: number): void {
    this.#stop = Math.max(this.now(), instant)
  }

  /** Moves them on to an instant, where they are not there yet; gives back by how much. */
  moveTo(instant: number): number {
    const before = this.now()
    this.#stop = Math.max(this.#stop, instant)
    this.#from = Math.max(before, instant)
    this.#wall = Date.now()
    return this.#from - before
  }

  /** Has them stand still from now on. */
  stop(): void {
    this.#from = this.now()
    this.#speed = 0
  }
}
