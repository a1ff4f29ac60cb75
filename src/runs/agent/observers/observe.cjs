'use strict'

// Observes the process of an agent for `play`, and lets its waits end when story time gets there.
//
// NODE_OPTIONS loads this file with `--require` into each Node process and worker thread of the agent, before anything else.
// (`--import` would load a CommonJS program by way of the loader of ES modules, which changes the order of its first ticks.)
// It connects to the socket named by MAILBOX_SIM_OBSERVER and answers there, in lines of JSON, what the thread is doing:
// which requests are open, what it is waiting for, whether it works. MAILBOX_SIM_AGENT_TIME says how time passes:
//   wall         nothing is changed
//   skip, story  waits end when `play` says so, and clocks show story time plus the processor time that was used
// A wait is an ordinary timer of Node, begun with the longest duration instead of its own. To end it, its duration is set to
// a millisecond, so Node itself calls the callback, in its context, and knows whether it keeps the process alive.
// Whatever fails in here is noted to `play`, and the process goes on as without this file.

const { createHook } = require('node:async_hooks')
const { subscribe } = require('node:diagnostics_channel')
const { errorMonitor } = require('node:events')
const { readFileSync } = require('node:fs')
const http = require('node:http')
const { syncBuiltinESMExports } = require('node:module')
const net = require('node:net')
const timers = require('node:timers')
const promises = require('node:timers/promises')
const threads = require('node:worker_threads')

/** The longest duration of a timer in Node, 24.8 days. */
const longest = 2 ** 31 - 1

/** Node's own functions, for use in here. */
const real = {
  setTimeout: timers.setTimeout,
  clearTimeout: timers.clearTimeout,
  setImmediate: timers.setImmediate,
  now: performance.now.bind(performance),
}

/** Replaces a function by one that looks the same; `act` gets the function, `this` and the arguments. */
function replace(object, name, act) {
  const original = object[name]
  object[name] = new Proxy(original, { apply: (_, self, args) => act(original, self, args) })
}

/** The host and port of an address, with one name for this machine. */
function placeOf(address) {
  const { hostname, port, protocol } = new URL(address)
  return `${machine(hostname)}:${port || (/^(https|wss):/.test(protocol) ? 443 : 80)}`
}

function machine(host) {
  return /^(localhost|127\.[\d.]+|\[?::1\]?|\[?::ffff:127\.[\d.]+\]?)$/.test(host) ? '127.0.0.1' : host
}

/** Story time as this process lives it. Until `play` tells where the story is, it is at its start. */
class Clock {
  #running = true
  #origin = 0
  #moved = false
  /** Milliseconds since the play began. */
  offset = 0
  #start = {
    hrtime: process.hrtime.bigint(),
    now: performance.now(),
    uptime: process.uptime(),
    processor: processorTime(),
  }
  /** The calendar date at which the play began, in milliseconds. */
  #epoch = Date.now()
  #used = 0
  #stopped = 0

  /** Moves to where the story is; returns how far that is for waits that have begun already. */
  move({ now, date }) {
    const shift = this.#moved ? 0 : now - this.offset
    if (!this.#moved) this.#origin = now
    this.#moved = true
    this.#epoch = date ?? this.#epoch
    this.offset = Math.max(this.offset, now)
    return shift
  }

  /** Lets time run by itself from now on. */
  stop() {
    this.#used = this.#usedTime()
    this.#stopped = real.now()
    this.#running = false
  }

  #usedTime() {
    if (!this.#running) return this.#used + real.now() - this.#stopped
    return processorTime() - this.#start.processor
  }

  /** Milliseconds since this process began to be observed. */
  #elapsed() {
    return this.offset - this.#origin + this.#usedTime()
  }

  #date() {
    return Math.floor(this.#epoch + this.offset + this.#usedTime())
  }

  /** Shows this time wherever a program may look. */
  install() {
    const nanoseconds = () => this.#start.hrtime + BigInt(Math.round(this.#elapsed() * 1e6))
    const hrtime = process.hrtime
    replace(Object.getPrototypeOf(performance), 'now', () => this.#start.now + this.#elapsed())
    replace(process, 'uptime', () => this.#start.uptime + this.#elapsed() / 1000)
    replace(hrtime, 'bigint', nanoseconds)
    replace(process, 'hrtime', (_, self, [before]) => {
      if (before !== undefined) Reflect.apply(hrtime, self, [before])
      const [seconds, rest] = before ?? [0, 0]
      const passed = nanoseconds() - BigInt(seconds) * 1_000_000_000n - BigInt(rest)
      const whole = passed / 1_000_000_000n
      const [full, part] = [Number(whole), Number(passed - whole * 1_000_000_000n)]
      return part < 0 ? [full - 1, part + 1e9] : [full, part]
    })
    const RealDate = Date
    replace(RealDate, 'now', () => this.#date())
    globalThis.Date = new Proxy(RealDate, {
      apply: () => new RealDate(this.#date()).toString(),
      construct: (_, args, target) =>
        Reflect.construct(
          RealDate,
          args.length > 0 ? args : [this.#date()],
          target === globalThis.Date ? RealDate : target,
        ),
    })
    RealDate.prototype.constructor = globalThis.Date
  }
}

/** Milliseconds of processor time that the process has used. */
function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Whether the caller of the function that calls this one is Node or undici, whose own timers concern connections. */
function isInternal() {
  const { stackTraceLimit, prepareStackTrace } = Error
  try {
    Error.stackTraceLimit = 5
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '')
    const files = new Error().stack
    const caller = files.find((file) => file !== __filename) ?? ''
    return caller.startsWith('node:') || /[\\/]node_modules[\\/]undici[\\/]lib[\\/]/.test(caller)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    Error.prepareStackTrace = prepareStackTrace
  }
}

/** The waits of this thread: timers, and time-outs of sockets. */
class Waits {
  #waits = new Set()
  #byTimer = new WeakMap()
  /** Those begun in this turn of the event loop. */
  #fresh = []
  #order = 0
  #pruneAt = 100
  #running = true
  #refresh
  /** Set by a request that somebody else refused: what begins to wait then, waits in real time. */
  #refused = null
  /** The number of waits whose end is near. */
  firing = 0

  constructor({ clock, mode, requests, sockets, changed, safely }) {
    Object.assign(this, { clock, mode, requests, sockets, changed, safely })
  }

  install() {
    const probe = real.setTimeout(() => {}, 1)
    real.clearTimeout(probe)
    const Timer = Object.getPrototypeOf(probe)
    this.#refresh = Timer.refresh
    replace(Timer, 'refresh', (original, self, args) => {
      this.safely(() => this.#restart(self))
      return Reflect.apply(original, self, args)
    })
    const begin = (options) => (original, self, args) => this.#begin(original, self, args, options)
    for (const [name, repeats] of Object.entries({ setTimeout: false, setInterval: true })) {
      replace(timers, name, begin({ at: 1, repeats, take: (act) => [act(), undefined] }))
      globalThis[name] = timers[name]
    }
    const later = { at: 0, repeats: false, take: takeTimer() }
    replace(promises, 'setTimeout', begin(later))
    replace(Object.getPrototypeOf(promises.scheduler), 'wait', begin(later))
    replace(AbortSignal, 'timeout', begin(later))
    replace(promises, 'setInterval', (original, self, args) => {
      // Its timer starts with the first `next`.
      const isOwn = !isInternal()
      const whole = { ...later, repeats: true, isOwn }
      const duration = isOwn ? this.#duration(args[0]) : undefined
      const iterator = Reflect.apply(original, self, duration > 1 ? args.with(0, longest) : args)
      if (!(duration > 1)) return iterator
      const next = iterator.next
      let hasStarted = false
      iterator.next = (...values) => {
        const act = () => Reflect.apply(next, iterator, values)
        if (hasStarted || !this.#running) return act()
        hasStarted = true
        const [result, timer] = whole.take(act)
        this.safely(() => timer && this.#add({ timer, duration, repeats: true, real: false }))
        return result
      }
      return iterator
    })
    if (this.mode !== 'wall') {
      replace(net.Socket.prototype, 'setTimeout', (original, self, args) => {
        return this.#guardSocket(original, self, args)
      })
    }
  }

  /** Begins a wait with a function of Node whose argument `at` is the duration; `take` gets hold of its timer. */
  #begin(original, self, args, { at, repeats, take }) {
    const duration = this.#duration(args[at], at === 1)
    if (duration === undefined || isInternal()) return Reflect.apply(original, self, args)
    const refused = this.#refusedNow()
    const isReal = this.mode === 'wall' || duration <= 1 || (refused !== null && !repeats)
    const given = isReal ? args : args.with(at, longest)
    const [result, timer = result] = take(() => Reflect.apply(original, self, given))
    this.safely(() => {
      if (typeof timer?.refresh !== 'function') return
      this.#add({ timer, duration, repeats, real: isReal, after: duration > 1 ? refused : null })
    })
    return result
  }

  /** The duration that Node would make of a value; undefined if this is no wait, or nothing is observed any more. */
  #duration(value, isLenient = false) {
    if (!this.#running) return undefined
    if (isLenient && (value === undefined || typeof value === 'string')) value = Number(value)
    if (typeof value !== 'number') return undefined
    return value >= 1 && value <= longest ? Math.trunc(value) : 1
  }

  #guardSocket(original, socket, args) {
    const [duration, ...rest] = args
    const isWait = this.#running && typeof duration === 'number' && duration > 1 && duration <= longest
    if (!isWait || socket.destroyed || this.sockets.isIdle(socket))
      return Reflect.apply(original, socket, args)
    const result = Reflect.apply(original, socket, [longest, ...rest])
    this.safely(() => {
      socket.timeout = duration
      const timer = socket[Object.getOwnPropertySymbols(socket).find((key) => key.description === 'timeout')]
      if (timer) this.#guard(this.#add({ timer, duration: Math.trunc(duration), socket, real: false }))
    })
    return result
  }

  #add(wait) {
    Object.assign(wait, { due: this.clock.offset + wait.duration, order: ++this.#order })
    this.#waits.add(wait)
    this.#byTimer.set(wait.timer, wait)
    if (!wait.repeats && !wait.socket && wait.duration > 1) {
      if (this.#fresh.length === 0) real.setImmediate(() => (this.#fresh.length = 0))
      this.#fresh.push(wait)
    }
    if (this.#waits.size > this.#pruneAt) this.#prune()
    this.changed()
    return wait
  }

  #restart(timer) {
    const wait = this.#byTimer.get(timer)
    if (!wait || wait.real || !this.#running || !(timer._idleTimeout > 0)) return
    timer._idleTimeout = longest
    this.#waits.add(wait)
    wait.due = this.clock.offset + wait.duration
    wait.order = ++this.#order
    if (wait.clock) wait.clock.refresh()
  }

  /** Also lets a wait end in real time, as long as it is a time-out of something that happens in real time. */
  #guard(wait) {
    const end = () => {
      if (!this.#isOver(wait) && this.#isReal(wait)) this.#end(wait)
    }
    wait.clock ??= real.setTimeout(() => this.safely(end), wait.duration).unref()
  }

  #isReal({ real, socket, guarded }) {
    if (socket) return this.sockets.isForeign(socket)
    return real || (guarded !== undefined && this.requests.isOpen(guarded))
  }

  #isOver({ timer, repeats }) {
    return timer._destroyed || (!repeats && timer._idleNext === null)
  }

  #prune() {
    for (const wait of this.#waits) {
      if (!this.#isOver(wait)) continue
      this.#waits.delete(wait)
      real.clearTimeout(wait.clock)
      this.changed()
    }
    this.#pruneAt = 100 + 2 * this.#waits.size
  }

  /** Takes notice that a request has begun. */
  requestBegins(request) {
    this.#refused = null
    for (const wait of this.#fresh) {
      if (this.mode === 'wall' || this.#isOver(wait)) continue
      if (wait.real) {
        // It was taken for a wait after a refusal, but is the time-out of this request.
        Object.assign(wait, { real: false, after: null })
        this.#setDuration(wait, longest)
      }
      if (request.own) continue
      wait.guarded = request
      this.#guard(wait)
    }
  }

  /** Takes notice that somebody else has refused a request, or has not answered it. */
  requestIsRefused(reason) {
    this.#refused = reason
  }

  #refusedNow() {
    if (this.#refused === null) return null
    const isPast = [...this.#waits].some((wait) => wait.after === this.#refused && this.#isOver(wait))
    if (isPast) this.#refused = null
    return this.#refused
  }

  #setDuration({ timer }, duration) {
    timer._idleTimeout = duration
    Reflect.apply(this.#refresh, timer, [])
  }

  /** Makes Node end a wait next. */
  #end(wait) {
    this.#setDuration(wait, 1)
    this.changed()
    if (!wait.repeats) {
      this.#waits.delete(wait)
      return
    }
    wait.due = this.clock.offset + wait.duration
    wait.order = ++this.#order
  }

  /** Ends all waits that are due by a story time; then calls back with their number. */
  fire(time, callback) {
    this.#prune()
    const due = [...this.#waits]
      .filter((wait) => wait.due <= time && !this.#isReal(wait))
      .toSorted((one, other) => one.due - other.due || one.order - other.order)
    for (const wait of due) this.#end(wait)
    this.firing += 1
    // Timers of the same duration end in the order of their beginnings.
    const fired = () => {
      this.firing -= 1
      callback(due.length)
    }
    real.setTimeout(() => this.safely(fired), 1).unref()
  }

  shift(by) {
    for (const wait of this.#waits) wait.due += by
  }

  /** What is being waited for in real time, in words; null if nothing is. */
  work() {
    this.#prune()
    for (const { real, after, duration } of this.#waits) {
      if (duration <= 1) return 'runs'
      if (real && after) return `waits ${duration / 1000} s after ${after}`
    }
    return this.firing > 0 ? 'runs' : null
  }

  /** The earliest waits, as [due, duration]. */
  list() {
    this.#prune()
    if (this.mode === 'wall') {
      return [...this.#waits].slice(0, 50).map(({ duration }) => [null, duration])
    }
    return [...this.#waits]
      .filter((wait) => !this.#isReal(wait) && !(wait.socket && this.sockets.isQuiet(wait.socket)))
      .map(({ due, duration }) => [due, duration])
      .toSorted(([one], [other]) => one - other)
      .slice(0, 50)
  }

  /** Lets all waits end in real time from now on. */
  stop() {
    this.#running = false
    for (const wait of this.#waits) {
      if (wait.real || this.#isOver(wait)) continue
      if (wait.repeats) wait.timer._repeat = wait.duration
      this.#setDuration(wait, Math.max(1, wait.due - this.clock.offset))
    }
  }
}

/** Returns a function that gives the result of another and the timer that it began out of sight. */
function takeTimer() {
  let timer
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'Timeout') timer ??= resource
    },
  })
  return (act) => {
    timer = undefined
    hook.enable()
    try {
      return [act(), timer ?? null]
    } finally {
      hook.disable()
    }
  }
}

/** The requests of this thread that have no complete response. */
class Requests {
  #open = new Map()

  constructor({ home, begins, refused, changed, safely }) {
    Object.assign(this, { home, begins, refused, changed, safely })
  }

  install() {
    const on = (name, act) => subscribe(name, (message) => this.safely(() => act(message)))
    on('undici:request:create', ({ request }) => {
      this.#begin(request, request.method, `${request.origin}${request.path}`)
    })
    on('undici:client:sendHeaders', ({ request, socket }) => {
      const found = this.#open.get(request)
      if (found) found.isUnread = () => found.status !== undefined && socket.readableLength > 0
    })
    on('undici:request:headers', ({ request, response: { statusCode, headers } }) => {
      const at = headers.findIndex((name, index) => index % 2 === 0 && /^content-type$/i.test(name))
      this.#answer(request, statusCode, at < 0 ? '' : String(headers[at + 1]))
    })
    on('undici:request:trailers', ({ request }) => this.#end(request))
    on('undici:request:error', ({ request }) => this.#end(request, true))
    on('http.client.request.created', ({ request }) => this.#beginClassic(request))
    on('http.client.request.start', ({ request }) => this.#beginClassic(request))
    on('http.client.response.finish', ({ request, response }) => {
      const found = this.#open.get(request)
      if (found) found.isUnread = () => isUnreadMessage(response)
      if (found) found.isComplete = () => response.complete
      this.#answer(request, response.statusCode, response.headers['content-type'])
    })
    on('http.server.request.start', this.changed)
    on('http.server.response.finish', this.changed)
    // Before Node 22.12, nothing tells of a request that is waiting for a connection.
    for (const [prototype, name] of [
      [http.Agent.prototype, 'addRequest'],
      [http.ClientRequest.prototype, 'onSocket'],
    ]) {
      replace(prototype, name, (original, self, args) => {
        const request = name === 'onSocket' ? self : args[0]
        this.safely(() => this.#beginClassic(request))
        return Reflect.apply(original, self, args)
      })
    }
  }

  #beginClassic(request) {
    if (this.#open.has(request) || request.destroyed || request.res) return
    const host = request.getHeader('host') ?? request.host
    this.#begin(request, request.method, `${request.protocol}//${host}${request.path}`)
    request.on(errorMonitor, () => this.safely(() => this.#end(request, true)))
    request.once('close', () => this.safely(() => this.#end(request, !request.res?.complete)))
  }

  #begin(key, method, address) {
    const to = placeOf(address)
    const what = `${method} ${address.replace(/[?#].*/s, '').replace(/\/\/[^/]*@/, '//')}`
    const request = { what, to, method, own: to === this.home, isUnread: no, isComplete: no }
    this.#open.set(key, request)
    this.changed()
    this.begins(request)
  }

  #answer(key, status, type) {
    const request = this.#open.get(key)
    if (!request || status < 200) return
    this.changed()
    request.status = status
    request.isStream = request.method === 'GET' && /^text\/event-stream\b/i.test(type ?? '')
    if (status >= 400 && !request.own) this.refused(`${status} of ${request.what}`)
  }

  #end(key, hasFailed = false) {
    const request = this.#open.get(key)
    if (!request) return
    this.#open.delete(key)
    request.isOver = true
    this.changed()
    if (hasFailed && !request.own && !request.isStream && !request.isComplete()) {
      this.refused(`no response to ${request.what}`)
    }
  }

  /** Returns whether a request waits for somebody else: it has no complete response, and is no stream of events. */
  isOpen({ isOver, isStream, isComplete, isUnread }) {
    return !isOver && !isStream && !isComplete() && !isUnread()
  }

  list() {
    return [...this.#open.values()].filter((request) => this.isOpen(request))
  }
}

const no = () => false

/** Returns whether nobody reads a response. */
function isUnreadMessage(response) {
  return response.readableFlowing !== true && response.listenerCount('readable') === 0
}

/** The connections of this thread as a client, and its servers. */
class Sockets {
  #clients = new Map()
  #servers = new Set()

  constructor({ home, changed, safely }) {
    Object.assign(this, { home, changed, safely })
  }

  /** `link` is the observer's own connection. */
  install(link) {
    const before = (prototype, name, act) => {
      replace(prototype, name, (original, self, args) => {
        this.safely(() => act(self, args))
        return Reflect.apply(original, self, args)
      })
    }
    before(net.Socket.prototype, 'connect', (socket, [first, second]) => {
      const options = Array.isArray(first) ? first[0] : first
      const { host, port } = typeof options === 'object' ? options : { port: options, host: second }
      this.#clients.set(socket, {
        own: `${machine(typeof host === 'string' ? host : 'localhost')}:${port}` === this.home,
        read: 0,
        isAsked: false,
      })
      this.changed()
    })
    // Node calls this for each piece that is read or written.
    before(net.Socket.prototype, '_unrefTimer', (socket) => {
      if (socket === link) return
      this.changed()
      const client = this.#clients.get(socket)
      if (!client) return
      client.isAsked = client.read === socket.bytesRead
      client.read = socket.bytesRead
    })
    before(http.ClientRequest.prototype, 'onSocket', (_, [socket]) => this.isHttp(socket))
    subscribe('undici:client:sendHeaders', ({ socket }) => this.safely(() => this.isHttp(socket)))
    before(net.Server.prototype, 'listen', (server) => {
      this.#servers.add(server)
      this.changed()
    })
  }

  /** Takes notice that a connection serves requests, which are observed by themselves. */
  isHttp(socket) {
    const client = this.#clients.get(socket)
    if (client) client.isHttp = true
  }

  /** Returns whether a connection leads to somebody else than the service. */
  isForeign(socket) {
    return this.#clients.get(socket)?.own === false
  }

  /** Returns whether a connection for HTTP is between requests. */
  isIdle(socket) {
    const { _httpMessage: message, parser } = socket
    if (!this.#clients.get(socket)?.isHttp && !parser) return false
    return !message || message.res?.complete === true
  }

  /** Returns whether a time-out of a connection has no effect that anybody asked for. */
  isQuiet(socket) {
    // Pools and servers have a listener of their own.
    const own = this.#clients.get(socket)?.isHttp || socket.parser ? 1 : 0
    return this.isIdle(socket) || socket.listenerCount('timeout') <= own
  }

  /** The port of a connection on which something was written and nothing read since, in words; null if there is none. */
  question() {
    for (const [socket, { isHttp, isAsked }] of this.#clients) {
      if (socket.destroyed) this.#clients.delete(socket)
      else if (isAsked && !isHttp)
        return `waits for an answer from ${socket.remoteAddress}:${socket.remotePort}`
    }
    return null
  }

  /** The ports on which this thread listens. */
  ports() {
    const ports = []
    for (const server of this.#servers) {
      const address = server.listening ? server.address() : undefined
      if (typeof address?.port === 'number') ports.push(address.port)
    }
    return ports
  }
}

/** What else keeps a process in Node without being work, by the names of `process.getActiveResourcesInfo`. */
const passive =
  /^(?:(?:TCP|Pipe)(?:Socket|Server)?Wrap|TLSWrap|TTYWrap|UDPWrap|ProcessWrap|SignalWrap|FSEventWrap|StatWatcher|MessagePort|Worker|Timeout)$/

/** What may be work, but may also be of no consequence. */
const doubtful = /^(?:(?:TCP|Pipe)?ConnectWrap|WriteWrap|ShutdownWrap|UDPSendWrap)$/

/** Connects a thread's observer to `play`, and answers it. */
class Observer {
  #activity = 0
  #hasFailed = false
  #answered = null

  constructor({ path, mode, home }) {
    const safely = (act) => this.#safely(act)
    const changed = () => (this.#activity += 1)
    const about = { home, mode, changed, safely }
    this.mode = mode
    this.clock = new Clock()
    this.sockets = new Sockets(about)
    this.requests = new Requests({
      ...about,
      begins: (request) => {
        this.waits.requestBegins(request)
        if (!request.own) this.#send({ asks: request.what })
      },
      refused: (reason) => this.waits.requestIsRefused(reason),
    })
    this.waits = new Waits({ ...about, clock: this.clock, requests: this.requests, sockets: this.sockets })
    const moment = momentIn(`${path}.now`)
    if (moment) this.clock.move(moment)
    this.#connect(path)
    this.sockets.install(this.link)
    this.requests.install()
    this.waits.install()
    if (mode !== 'wall') this.clock.install()
    syncBuiltinESMExports()
  }

  #connect(path) {
    this.link = net.connect(path).setEncoding('utf8').unref()
    let text = ''
    this.link.on('data', (chunk) => {
      const lines = (text + chunk).split('\n')
      text = lines.pop()
      for (const line of lines) this.#safely(() => this.#receive(JSON.parse(line)))
    })
    this.link.on('error', () => {})
    this.link.on('close', () => this.#stop())
    const { pid, ppid } = process
    const runtime = process.versions.bun ? `bun ${process.versions.bun}` : `node ${process.versions.node}`
    this.#send({ hello: { pid, ppid, runtime, thread: threads.threadId } })
  }

  #send(line) {
    if (this.link.writable) this.link.write(`${JSON.stringify(line)}\n`)
  }

  /** Runs what must never disturb the program. */
  #safely(act) {
    if (this.#hasFailed) return
    try {
      act()
    } catch (error) {
      this.#hasFailed = true
      this.#send({ note: `The observer of process ${process.pid} failed: ${error.stack}` })
      this.#stop()
    }
  }

  #stop() {
    this.link.destroy()
    try {
      this.clock.stop()
      this.waits.stop()
    } catch {
      // What is left are waits that end later than they should.
    }
  }

  #receive({ now, date, probe, fire }) {
    if (now !== undefined) this.waits.shift(this.clock.move({ now, date }))
    if (probe !== undefined) this.#answer(probe)
    if (fire !== undefined) {
      this.clock.move({ now: Math.max(fire, this.clock.offset) })
      this.waits.fire(fire, (count) => this.#send({ fired: fire, count }))
    }
  }

  /** Answers a probe when all input that has arrived by now has been read. */
  #answer(probe) {
    const answer = () => {
      const state = this.#state()
      this.#send({ probe, state })
      this.#answered = { probe, weight: weightOf(state) }
      if (this.#answered.weight > 0) this.#watch(this.#answered, 1)
    }
    real.setImmediate(() => real.setImmediate(() => this.#safely(answer)))
  }

  /** Tells when there is less work than there was when a probe was answered. */
  #watch(answered, delay) {
    const look = () => {
      if (answered !== this.#answered) return
      if (weightOf(this.#state()) < answered.weight) this.#send({ rests: answered.probe })
      else this.#watch(answered, Math.min(50, 2 * delay))
    }
    real.setTimeout(() => this.#safely(look), delay).unref()
  }

  #state() {
    const requests = this.requests.list()
    const resources = process.getActiveResourcesInfo().filter((name) => !passive.test(name))
    const busy = resources.find((name) => !doubtful.test(name))
    return {
      works: this.waits.work() ?? (busy === undefined ? null : `runs (${busy})`),
      asks: requests.filter(({ own }) => !own).map(({ what, to }) => ({ what, to })),
      maybe: this.sockets.question() ?? (resources[0] === undefined ? null : `runs (${resources[0]})`),
      own: requests.filter(({ own }) => own).length,
      listens: this.sockets.ports(),
      waits: this.waits.list(),
      activity: this.#activity,
    }
  }
}

function weightOf({ works, asks, maybe, own }) {
  return (works ? 1 : 0) + (maybe ? 1 : 0) + asks.length + own
}

/** Where the story is when this process starts, if `play` has written that down beside its socket. */
function momentIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const { MAILBOX_SIM_OBSERVER: path, MAILBOX_SIM_AGENT_TIME: mode, MAILBOX_BASE_URL: home } = process.env
if (path) {
  try {
    new Observer({ path, mode, home: home && placeOf(home) })
  } catch {
    // The program runs without being observed.
  }
}
