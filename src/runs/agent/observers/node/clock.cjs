'use strict'

const { callingFile, isInstalled, isInternal, real, replace } = require('./common.cjs')

/** Milliseconds of processor time that the process has used. */
function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Time as the process lives it: story time, which stands still until `play` moves it, plus the processor time that the process
 * uses, so that a loop that waits for a clock ends and nothing depends on how fast a machine or a model is.
 */
exports.Clock = class {
  /** Milliseconds of story time since the play began. */
  offset = 0
  /** The offset when the process began. */
  #origin = 0
  /** The calendar date when the play began, in milliseconds. */
  #epoch = Date.now()
  #isTold = false
  /** When the program last looked at the time, in story time; null if it never did. */
  lookedAt = null
  /** Whether its own code, not that of a package, has looked at the date. */
  hasReadDate = false
  #start = {
    now: performance.now(),
    hrtime: process.hrtime.bigint(),
    uptime: process.uptime(),
    processor: processorTime(),
  }
  /** Set when time runs by itself again: when that was, and the time used until then. */
  #free

  /** Moves to where the story is; returns by how much waits that have begun before the first time shift. */
  move(now, date = this.#epoch) {
    const isFirst = !this.#isTold
    const shift = isFirst ? now - this.offset : 0
    if (isFirst) this.#origin = now
    if (this.lookedAt !== null) this.lookedAt += shift
    this.#isTold = true
    this.#epoch = date
    this.offset = Math.max(this.offset, now)
    return shift
  }

  /** Lets time run by itself from now on. */
  free() {
    this.#free ??= { since: real.now(), used: this.#used() }
  }

  #used() {
    if (this.#free) return this.#free.used + real.now() - this.#free.since
    return processorTime() - this.#start.processor
  }

  #elapsed() {
    this.#noteLook()
    return this.offset - this.#origin + this.#used()
  }

  #date() {
    this.#noteLook(true)
    return Math.floor(this.#epoch + this.offset + this.#used())
  }

  #noteLook(isDate = false) {
    if (this.lookedAt === this.offset && (!isDate || this.hasReadDate)) return
    const file = callingFile()
    if (isInternal(file)) return
    this.lookedAt = this.offset
    if (isDate && !isInstalled(file)) this.hasReadDate = true
  }

  /** Shows this time wherever a program looks. */
  install() {
    replace(Object.getPrototypeOf(performance), 'now', () => this.#start.now + this.#elapsed())
    replace(process, 'uptime', () => this.#start.uptime + this.#elapsed() / 1000)
    const nanoseconds = () => this.#start.hrtime + BigInt(Math.round(this.#elapsed() * 1e6))
    const { hrtime } = process
    replace(hrtime, 'bigint', nanoseconds)
    replace(process, 'hrtime', (_, self, [before = [0, 0]]) => {
      // Refuses what is no time.
      Reflect.apply(hrtime, self, [before])
      const passed = nanoseconds() - BigInt(before[0]) * 1_000_000_000n - BigInt(before[1])
      const seconds = Math.floor(Number(passed / 1_000_000n) / 1000)
      return [seconds, Number(passed - BigInt(seconds) * 1_000_000_000n)]
    })
    this.#installDate()
    if (globalThis.Temporal) this.#installTemporal(globalThis.Temporal)
  }

  #installDate() {
    const RealDate = Date
    const OwnDate = new Proxy(RealDate, {
      apply: () => new RealDate(this.#date()).toString(),
      construct: (_, args, target) => {
        const values = args.length > 0 ? args : [this.#date()]
        return Reflect.construct(RealDate, values, target === OwnDate ? RealDate : target)
      },
    })
    replace(RealDate, 'now', () => this.#date())
    RealDate.prototype.constructor = OwnDate
    globalThis.Date = OwnDate
  }

  #installTemporal({ Now, Instant }) {
    const here = () => Now.timeZoneId()
    const zoned = (zone = here()) => Instant.fromEpochMilliseconds(this.#date()).toZonedDateTimeISO(zone)
    replace(Now, 'instant', () => Instant.fromEpochMilliseconds(this.#date()))
    replace(Now, 'zonedDateTimeISO', (_, _self, [zone]) => zoned(zone))
    replace(Now, 'plainDateTimeISO', (_, _self, [zone]) => zoned(zone).toPlainDateTime())
    replace(Now, 'plainDateISO', (_, _self, [zone]) => zoned(zone).toPlainDate())
    replace(Now, 'plainTimeISO', (_, _self, [zone]) => zoned(zone).toPlainTime())
  }
}
