'use strict'

const { createHook } = require('node:async_hooks')
const net = require('node:net')
const timers = require('node:timers')
const promises = require('node:timers/promises')
const { before, isInternal, longest, real, replace } = require('./common.cjs')

/**
 * The waits of a thread: its timers, and the time-outs of its sockets. A wait is an ordinary timer of Node, which was begun
 * with the longest duration instead of its own. To end it, its duration becomes a millisecond: so Node calls the callback, in
 * its context and in its order, and knows whether the timer keeps the process alive, and how it is cancelled.
 *
 * Some waits are real: those of the mode `wall`; those of a millisecond, which are work; those that begin after somebody else
 * refused a request, until another request begins or they end; and time-outs of what happens in real time, while it happens.
 */
exports.Waits = class {
  #waits = new Set()
  #byTimer = new WeakMap()
  /** Those that began in this turn of the event loop. */
  #fresh = []
  #count = 0
  #pruneAt = 100
  #isObserved = true
  #refresh
  /** Why waits are real at the moment, as `{ reason }`. */
  #refusal
  /** How often waits are about to end. */
  #firing = 0

  constructor({ clock, mode, requests, sockets, changed, safely }) {
    Object.assign(this, { clock, mode, requests, sockets, changed, safely })
  }

  install() {
    const timer = real.setTimeout(() => {}, 1)
    real.clearTimeout(timer)
    const prototype = Object.getPrototypeOf(timer)
    this.#refresh = prototype.refresh
    before(prototype, 'refresh', (self) => this.safely(() => this.#restart(self)))

    const begin = (kind) => (original, self, args) => this.#begin(original, self, args, kind)
    const take = timerTaker()
    const hidden = { at: 0, take }
    replace(timers, 'setTimeout', begin({ at: 1 }))
    replace(timers, 'setInterval', begin({ at: 1, repeats: true }))
    globalThis.setTimeout = timers.setTimeout
    globalThis.setInterval = timers.setInterval
    replace(promises, 'setTimeout', begin(hidden))
    replace(Object.getPrototypeOf(promises.scheduler), 'wait', begin(hidden))
    replace(AbortSignal, 'timeout', begin(hidden))
    replace(promises, 'setInterval', begin({ at: 0, repeats: true, take: takerOfFirst(take) }))
    if (this.mode === 'wall') return
    replace(net.Socket.prototype, 'setTimeout', (original, socket, args) => {
      return this.#beginTimeOut(original, socket, args)
    })
  }

  /**
   * Begins a wait by a function of Node whose argument number `at` is the duration. `take` calls it and hands the timer over,
   * unless the function returns the timer.
   */
  #begin(original, self, args, { at, repeats = false, take }) {
    const duration = this.#isObserved ? durationOf(args[at], at === 1) : undefined
    // Those of Node and undici for themselves concern connections, and are always real.
    if (duration === undefined || isInternal()) return Reflect.apply(original, self, args)
    const refusal = repeats || duration <= 1 ? undefined : this.#currentRefusal()
    const isReal = this.mode === 'wall' || duration <= 1 || refusal !== undefined
    const given = isReal ? args : args.with(at, longest)
    const add = (timer) =>
      this.safely(() => timer && this.#add({ timer, duration, repeats, isReal, refusal }))
    if (take) return take(() => Reflect.apply(original, self, given), add)
    const timer = Reflect.apply(original, self, given)
    add(timer)
    return timer
  }

  #beginTimeOut(original, socket, args) {
    const [given, ...rest] = args
    const duration = this.#isObserved ? durationOf(given) : undefined
    if (!(duration > 1) || given > longest || socket.destroyed || this.sockets.isIdle(socket)) {
      return Reflect.apply(original, socket, args)
    }
    const result = Reflect.apply(original, socket, [longest, ...rest])
    this.safely(() => {
      socket.timeout = given
      const name = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'timeout')
      const timer = socket[name]
      if (timer) this.#alsoReal(this.#add({ timer, duration, repeats: false, isReal: false, socket }))
    })
    return result
  }

  #add(wait) {
    // Node may use the timer of a time-out again.
    const former = this.#byTimer.get(wait.timer)
    if (former) this.#remove(former)
    this.#begins(wait)
    this.#byTimer.set(wait.timer, wait)
    if (!wait.repeats && !wait.socket && wait.duration > 1) {
      if (this.#fresh.length === 0) real.setImmediate(() => (this.#fresh.length = 0))
      this.#fresh.push(wait)
    }
    if (this.#waits.size > this.#pruneAt) this.#prune()
    return wait
  }

  #begins(wait) {
    wait.due = this.clock.offset + wait.duration
    this.#count += 1
    wait.order = this.#count
    this.#waits.add(wait)
    this.changed()
  }

  #restart(timer) {
    const wait = this.#byTimer.get(timer)
    if (!wait || wait.isReal || !this.#isObserved || !(timer._idleTimeout > 0)) return
    timer._idleTimeout = longest
    this.#begins(wait)
    if (wait.clock) wait.clock.refresh()
  }

  /** Lets a wait also end after its duration in real time, if it is a time-out of something that happens in real time. */
  #alsoReal(wait) {
    const end = () => {
      if (!isOver(wait) && this.#isReal(wait)) this.#end(wait)
    }
    wait.clock ??= real.setTimeout(() => this.safely(end), wait.duration).unref()
  }

  #isReal({ isReal, socket, request }) {
    if (socket) return this.sockets.isForeign(socket)
    return isReal || (request !== undefined && this.requests.isOpen(request))
  }

  #prune() {
    for (const wait of this.#waits) {
      if (!isOver(wait)) continue
      this.#remove(wait)
      this.changed()
    }
    this.#pruneAt = 100 + 2 * this.#waits.size
  }

  #remove(wait) {
    this.#waits.delete(wait)
    real.clearTimeout(wait.clock)
  }

  /** Takes notice of a request that begins: what began to wait in the same turn may be its time-out. */
  requestBegins(request) {
    this.#refusal = undefined
    for (const wait of this.#fresh) {
      if (this.mode === 'wall' || isOver(wait)) continue
      if (wait.isReal) {
        wait.isReal = false
        wait.refusal = undefined
        this.#setDuration(wait, longest)
      }
      if (request.own) continue
      wait.request = request
      this.#alsoReal(wait)
    }
  }

  /** Takes notice that somebody else refused a request, or did not answer it. */
  requestFails(reason) {
    this.#refusal = { reason }
  }

  #currentRefusal() {
    const refusal = this.#refusal
    if (refusal && [...this.#waits].some((wait) => wait.refusal === refusal && isOver(wait))) {
      this.#refusal = undefined
    }
    return this.#refusal
  }

  #setDuration({ timer }, duration) {
    timer._idleTimeout = duration
    Reflect.apply(this.#refresh, timer, [])
  }

  /** Makes Node end a wait next. */
  #end(wait) {
    this.#setDuration(wait, 1)
    if (wait.repeats) this.#begins(wait)
    else this.#waits.delete(wait)
    this.changed()
  }

  /** Ends all waits that are due by a story time; then calls back with their number. */
  fire(time, callback) {
    this.#prune()
    const due = [...this.#waits].filter((wait) => wait.due <= time && !this.#isReal(wait))
    due.sort((one, other) => one.due - other.due || one.order - other.order)
    for (const wait of due) this.#end(wait)
    this.#firing += 1
    const end = () => {
      this.#firing -= 1
      callback(due.length)
    }
    // Timers of the same duration end in the order in which they began.
    real.setTimeout(() => this.safely(end), 1).unref()
  }

  shift(by) {
    for (const wait of this.#waits) wait.due += by
  }

  /** What the thread waits for in real time, in words; null if nothing. */
  work() {
    this.#prune()
    for (const { refusal, duration } of this.#waits) {
      if (duration <= 1) return 'runs'
      if (refusal) return `waits ${duration / 1000} s after ${refusal.reason}`
    }
    return this.#firing > 0 ? 'runs' : null
  }

  /** The earliest waits, as [due, duration]. */
  list() {
    this.#prune()
    const waits = [...this.#waits]
    if (this.mode === 'wall') return waits.slice(0, 50).map(({ duration }) => [null, duration])
    return waits
      .filter((wait) => !this.#isReal(wait) && !(wait.socket && this.sockets.isQuiet(wait.socket)))
      .map(({ due, duration }) => [due, duration])
      .sort(([one], [other]) => one - other)
      .slice(0, 50)
  }

  /** Lets all waits end in real time from now on. */
  free() {
    this.#isObserved = false
    if (!this.#refresh) return
    for (const wait of this.#waits) {
      if (wait.isReal || isOver(wait)) continue
      if (wait.repeats) wait.timer._repeat = wait.duration
      this.#setDuration(wait, Math.max(1, wait.due - this.clock.offset))
    }
  }
}

/** Returns the duration that Node makes of a value; undefined if it would refuse the value. */
function durationOf(value, isLenient = false) {
  const number = isLenient && /^(undefined|string)$/.test(typeof value) ? Number(value) : value
  if (typeof number !== 'number') return undefined
  return number >= 1 && number <= longest ? Math.trunc(number) : 1
}

/** Returns whether a wait has ended or is just ending, or was cancelled. */
function isOver({ timer, repeats }) {
  return timer._destroyed || (!repeats && timer._idleNext === null)
}

/** Returns a function that calls another, and hands over the timer that it begins out of sight. */
function timerTaker() {
  let timer
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'Timeout') timer ??= resource
    },
  })
  return (act, hand) => {
    timer = undefined
    hook.enable()
    try {
      return act()
    } finally {
      hook.disable()
      hand(timer)
    }
  }
}

/** The same for an iterator, which begins its timer when its first value is asked for. */
function takerOfFirst(take) {
  return (act, hand) => {
    const iterator = act()
    const { next } = iterator
    let isFirst = true
    iterator.next = (...args) => {
      const go = () => Reflect.apply(next, iterator, args)
      if (!isFirst) return go()
      isFirst = false
      return take(go, hand)
    }
    return iterator
  }
}
