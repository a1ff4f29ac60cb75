'use strict'

const { createHook } = require('node:async_hooks')
const net = require('node:net')
const timers = require('node:timers')
const promises = require('node:timers/promises')
const clock = require('./clock.cjs')
const { before, isInternal, longest, real, replace, requestsOn, safely, thread } = require('./common.cjs')

/** The longest wait, in milliseconds, that is for somebody who has failed to work again. */
const longestBackOff = 60_000

/**
 * The waits of a thread: its timers, and the time-outs of its sockets. A wait is an ordinary timer of Node, which was begun
 * with the longest duration instead of its own. To end it, its duration becomes nothing: so Node calls the callback, in its
 * context and in its order, and knows whether the timer keeps the process alive, and how it is cancelled.
 *
 * Some waits are real: those of a millisecond, which are work; and the next one, up to a minute, after a request at which
 * somebody else failed, unless another request or time comes first. What guards a request to somebody else does not end
 * before it would in life, unless the last one there failed, as one does that is never answered.
 */
class Waits {
  /** In the order in which they began. */
  #waits = new Set()
  /** Those that began in this turn of the event loop. */
  #fresh = []
  #byTimer = new WeakMap()
  #id = 0
  /** How many resources of Node have begun for them. */
  count = 0
  /** The wait that ended last, and its timer. */
  ended = 0
  #ending
  #isObserved = false
  #refresh
  /** Why the next wait is real, in words. */
  #refusal

  install() {
    this.#isObserved = true
    const timer = real.setTimeout(() => {}, 1)
    real.clearTimeout(timer)
    const prototype = Object.getPrototypeOf(timer)
    this.#refresh = prototype.refresh
    before(prototype, 'refresh', (self) => this.#restart(self))

    const begin = (kind) => (original, self, args) => {
      // Those of Node and undici for themselves concern connections, and are always real.
      return isInternal() ? Reflect.apply(original, self, args) : this.#begin(original, self, args, kind)
    }
    const hidden = { at: 0, take: timerTaker() }
    replace(timers, 'setTimeout', begin({ at: 1 }))
    replace(timers, 'setInterval', begin({ at: 1, repeats: true }))
    globalThis.setTimeout = timers.setTimeout
    globalThis.setInterval = timers.setInterval
    replace(promises, 'setTimeout', (original, self, args) => {
      if (args.length > 2) return begin(hidden)(original, self, args)
      // Watching resources of Node, as for what has a signal, costs more than the wait itself.
      return new Promise((resolve) => timers.setTimeout(resolve, ...args))
    })
    replace(Object.getPrototypeOf(promises.scheduler), 'wait', begin(hidden))
    replace(AbortSignal, 'timeout', begin({ ...hidden, guards: true }))
    replace(promises, 'setInterval', (_, _self, args) => ticks(...args))
    replace(net.Socket.prototype, 'setTimeout', (original, socket, args) => {
      const [duration] = args
      const isWait = duration > 1 && duration <= longest && !socket.destroyed && !socket.server
      // Pools keep their connections tidy in real time.
      if (!isWait || isPooled(socket)) return Reflect.apply(original, socket, args)
      const result = this.#begin(original, socket, args, { ...hidden, guards: true, socket })
      socket.timeout = duration
      return result
    })
  }

  /**
   * Begins a wait by a function of Node whose argument number `at` is the duration. `take` calls it and hands the timer over,
   * unless the function returns the timer.
   */
  #begin(original, self, args, { at, repeats = false, guards = repeats, take, socket }) {
    const duration = this.#isObserved ? durationOf(args[at], at === 1) : undefined
    if (duration === undefined) return Reflect.apply(original, self, args)
    const refusal = guards || duration <= 1 || duration > longestBackOff ? undefined : this.#refusal
    const isReal = duration <= 1 || refusal !== undefined
    const given = isReal ? args : args.with(at, longest)
    const add = (timer) => {
      safely(() => timer && this.#add({ timer, duration, repeats, isReal, refusal, socket }))
    }
    if (take) return take(() => Reflect.apply(original, self, given), add)
    const timer = Reflect.apply(original, self, given)
    add(timer)
    return timer
  }

  /** Begins a wait of a request; it keeps the process alive, as the request does. Returns its timer. */
  begin(duration, act) {
    return this.#begin(real.setTimeout, undefined, [() => safely(act), duration], { at: 1, guards: true })
  }

  #add(wait) {
    // Node may use the timer of a time-out again.
    this.#waits.delete(this.#byTimer.get(wait.timer))
    if (wait.refusal) this.#refusal = undefined
    this.#byTimer.set(wait.timer, wait)
    this.count += 1
    wait.began = real.now()
    this.#begins(wait)
    if (this.#fresh.push(wait) > 1) return
    this.count += 1
    real.setImmediate(() => (this.#fresh.length = 0))
  }

  #begins(wait) {
    this.#id += 1
    Object.assign(wait, { id: this.#id, by: this.ended, due: clock.offset + wait.duration })
    this.#waits.delete(wait)
    this.#waits.add(wait)
    thread.activity += 1
  }

  #restart(timer) {
    const wait = this.#byTimer.get(timer)
    if (!wait || wait.isReal || !this.#isObserved || !(timer._idleTimeout >= 0)) return
    timer._idleTimeout = longest
    this.#begins(wait)
  }

  #prune() {
    for (const wait of this.#waits) {
      if (!isOver(wait)) continue
      this.#waits.delete(wait)
      if (wait.refusal) clock.pass(real.now() - wait.began)
      thread.activity += 1
    }
  }

  /** Takes notice that a request begins: what began to wait in the same turn may be its time-out. */
  requestBegins(request) {
    this.#refusal = undefined
    for (const wait of this.#fresh) if (!request.own && !wait.repeats) wait.request = request
  }

  /** Takes notice that somebody else failed at a request, or did not answer it. */
  requestFails(reason) {
    this.#refusal = reason
  }

  #setDuration({ timer }, duration) {
    timer._idleTimeout = duration
    Reflect.apply(this.#refresh, timer, [])
  }

  /** Gives a wait another end, in story time. */
  postpone(id, due) {
    for (const wait of this.#waits) if (wait.id === id) wait.due = due
  }

  /** Ends the wait that is due next, if it is so by a story time; returns false if none is. */
  endNext(until) {
    this.#prune()
    let next
    for (const wait of this.#waits) {
      if (this.#isStoryTime(wait) && wait.due <= until && !(next?.due <= wait.due)) next = wait
    }
    if (!next) return false
    clock.move(next.due)
    clock.begin()
    this.#refusal = undefined
    this.ended = next.id
    this.#ending = next.timer
    this.#setDuration(next, 0)
    if (next.repeats) this.#begins(next)
    else this.#waits.delete(next)
    thread.activity += 1
    return true
  }

  /** Returns whether a wait may end by story time, and matters. */
  #isStoryTime({ isReal, socket, request = requestsOn.get(socket), began, duration }) {
    if (isReal || (socket && isPooled(socket))) return false
    const isOpen = request && !request.isOver && !request.own && !request.isWaiting && !request.isRetry
    return !isOpen || real.now() - began >= duration
  }

  /** Whether Node has still to call what waited last: beside other timers, that may take it a millisecond. */
  get isEnding() {
    const { _idleTimeout: duration, _idleNext: next, _destroyed: isGone } = this.#ending
    return duration === 0 && next !== null && !isGone
  }

  shift(by) {
    for (const wait of this.#waits) wait.due += by
  }

  /** What the thread waits for in real time, in words; null if nothing. */
  work() {
    this.#prune()
    for (const { refusal, duration } of this.#waits) {
      if (refusal) return `waits ${duration / 1000} s after ${refusal}`
      if (duration <= 1) return 'runs'
    }
    return null
  }

  /** The earliest waits, as [id, due, duration, by]. */
  list() {
    this.#prune()
    return [...this.#waits]
      .filter((wait) => this.#isStoryTime(wait))
      .sort((one, other) => one.due - other.due || one.id - other.id)
      .slice(0, 50)
      .map(({ id, due, duration, by }) => [id, due, duration, by])
  }

  /** Lets all waits end in real time from now on. */
  free() {
    if (!this.#isObserved) return
    this.#isObserved = false
    for (const wait of this.#waits) {
      if (wait.isReal || isOver(wait)) continue
      if (wait.repeats) wait.timer._repeat = wait.duration
      this.#setDuration(wait, wait.duration)
    }
  }
}
module.exports = new Waits()

/** Returns whether a connection for HTTP is between requests. */
function isPooled(socket) {
  const request = requestsOn.get(socket)
  return request ? request.isOver : Boolean(socket.parser) && !socket._httpMessage
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

/** Yields a value after each wait of some milliseconds. */
async function* ticks(...args) {
  for (;;) yield await promises.setTimeout(...args)
}
