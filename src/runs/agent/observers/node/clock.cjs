'use strict'

const programs = require('node:child_process')
const { real, replace } = require('./common.cjs')

/** Milliseconds without a wait of its own that a program may use for nothing. */
const free = 1000

/** Milliseconds of processor time that the process has used. */
function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Time as the process lives it: story time, which stands still until a wait ends. What the process computes, and for how long it
 * is blocked in real time, counts only beyond a second since its last wait or request: so a loop that looks at a clock ends,
 * and nothing else depends on how fast a machine or a model is.
 */
class Clock {
  /** Milliseconds of story time since the play began. */
  offset = 0
  /** The offset when the process began. */
  #origin = 0
  /** The calendar date when the play began, in milliseconds. */
  #epoch = Date.now()
  #isTold = false
  #start = { now: performance.now(), hrtime: process.hrtime.bigint(), uptime: process.uptime() }
  /** What counts beside story time, in milliseconds; how long it was blocked; and both when its present stretch began. */
  #spent = 0
  #blocked = 0
  #began = processorTime()
  /** Another number for each stretch, and for each time of the story. */
  stretch = 0
  /** How often a clock was read that never shows the same twice. */
  #readings = 0
  /** When time began to run by itself again. */
  #runsSince

  /** Moves to where the story is; returns by how much waits that have begun before the first time shift. */
  move(now, date = this.#epoch) {
    const shift = this.#isTold ? 0 : Math.max(0, now - this.offset)
    if (!this.#isTold) this.#origin = now
    this.#isTold = true
    if (now > this.offset) this.stretch += 1
    this.#show(Math.max(this.offset, now), date)
    return shift
  }

  /** Goes to a time; programs that the process starts know it from their environment. */
  #show(now, date) {
    this.offset = now
    this.#epoch = date
    process.env.MAILBOX_SIM_MOMENT = JSON.stringify({ now, date })
  }

  /** Begins a stretch anew: a wait has ended, or a request begun. */
  begin() {
    this.#began = processorTime() + this.#blocked
    this.stretch += 1
  }

  /** Notes that the process was blocked for some milliseconds of real time. */
  block(milliseconds) {
    this.#blocked += milliseconds
  }

  /** Notes that a wait of some milliseconds passed in real time. */
  pass(milliseconds) {
    this.#spent += milliseconds
  }

  /** Lets time run by itself from now on. */
  free() {
    this.#runsSince ??= real.now()
  }

  /** Milliseconds of the process's time since the play began. */
  #now() {
    const used = processorTime() + this.#blocked - this.#began - free
    if (used > 0) {
      this.#spent += used
      this.#began += used
    }
    const running = this.#runsSince === undefined ? 0 : real.now() - this.#runsSince
    return this.offset + this.#spent + running
  }

  /** Milliseconds since the process began, never the same twice. */
  #elapsed() {
    this.#readings += 1
    return this.#now() - this.#origin + this.#readings / 1000
  }

  #date() {
    return Math.floor(this.#epoch + this.#now())
  }

  /** Shows this time wherever a program looks. */
  install() {
    const { now = 0, date = this.#epoch } = JSON.parse(process.env.MAILBOX_SIM_MOMENT ?? '{}')
    this.#show(now, date)
    const { prototype } = performance.constructor
    replace(prototype, 'now', () => this.#start.now + this.#elapsed())
    const timeOrigin = { get: () => this.#epoch + this.#origin - this.#start.now, configurable: true }
    Object.defineProperty(prototype, 'timeOrigin', { ...timeOrigin, enumerable: true })
    replace(process, 'uptime', () => this.#start.uptime + this.#elapsed() / 1000)
    const nanoseconds = () => this.#start.hrtime + BigInt(Math.round(this.#elapsed() * 1e6))
    replace(process.hrtime, 'bigint', nanoseconds)
    replace(process, 'hrtime', (_, _self, [[seconds, rest] = [0, 0]]) => {
      const passed = nanoseconds() - BigInt(seconds) * 1_000_000_000n - BigInt(rest)
      return [Number(passed / 1_000_000_000n), Number(passed % 1_000_000_000n)]
    })
    this.#installDate()
    this.#installFormats()
    this.#installBlocking()
  }

  #installDate() {
    const RealDate = Date
    const OwnDate = new Proxy(RealDate, {
      apply: () => new RealDate(this.#date()).toString(),
      construct: (_, args, target) => {
        return Reflect.construct(RealDate, args.length > 0 ? args : [this.#date()], target)
      },
    })
    replace(RealDate, 'now', () => this.#date())
    RealDate.prototype.constructor = OwnDate
    globalThis.Date = OwnDate
  }

  /** Lets formats without a date show this one. */
  #installFormats() {
    const { prototype } = Intl.DateTimeFormat
    replace(prototype, 'formatToParts', (original, self, [date = this.#date()]) => {
      return Reflect.apply(original, self, [date])
    })
    const format = Object.getOwnPropertyDescriptor(prototype, 'format')
    const bound = (original, self) => {
      const act = Reflect.apply(original, self, [])
      return (date = this.#date()) => act(date)
    }
    Object.defineProperty(prototype, 'format', { ...format, get: new Proxy(format.get, { apply: bound }) })
  }

  /** Counts what blocks the thread, since no observer can end that. */
  #installBlocking() {
    const counted = (original, self, args) => {
      const began = real.now()
      try {
        return Reflect.apply(original, self, args)
      } finally {
        this.block(real.now() - began)
      }
    }
    replace(Atomics, 'wait', counted)
    for (const name of ['spawnSync', 'execSync', 'execFileSync']) replace(programs, name, counted)
  }
}
module.exports = new Clock()
