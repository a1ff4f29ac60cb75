'use strict'

// Observes a Node process of an agent for a play, and ends its waits when story time gets there.
//
// NODE_OPTIONS loads this file with `--require` into each Node process and worker thread of the agent, before anything else.
// (`--import` would have CommonJS programs loaded by way of ES modules, which changes the order of their first ticks.) It
// connects to the port named by MAILBOX_SIM_OBSERVER, and speaks lines of JSON there: which requests are open, what the
// thread waits for, whether something computes for it. MAILBOX_SIM_AGENT_TIME says how time passes:
//   wall         as always
//   skip, story  waits end when the play says so, and clocks show story time
// With MAILBOX_SIM_THINK_TIME, a request to somebody else is a wait of so many milliseconds before its response comes.
// The program notices nothing of it beside time. Whatever fails in here is noted to the play, and the program goes on.

const { AsyncResource } = require('node:async_hooks')
const { syncBuiltinESMExports } = require('node:module')
const net = require('node:net')
const { isMainThread, parentPort, threadId } = require('node:worker_threads')
const { Clock } = require('./clock.cjs')
const { placeOf, real } = require('./common.cjs')
const { Links } = require('./links.cjs')
const { quietOf, Requests } = require('./requests.cjs')
const { Threads } = require('./threads.cjs')
const { Waits } = require('./waits.cjs')

/** How many asynchronous resources the observer itself begins while it ends a wait: two turns, and what counts them. */
const ownResources = 3

/** Connects a thread to a play, and answers it. */
class Observer {
  #line
  #clock = new Clock()
  #links
  #requests
  #waits
  #threads
  /** Grows with everything that happens. */
  #activity = 0
  /** What ends waits at present, as `{ go, until }`. */
  #run
  #thinkTime
  #hasFailed = false

  constructor({ host, port, isWall, thinkTime, home, isInternal }) {
    this.#thinkTime = isWall ? 0 : thinkTime
    const about = {
      ...{ home, clock: this.#clock },
      changed: () => {
        this.#activity += 1
      },
      asks: () => this.#asks(),
      safely: (act) => this.#safely(act),
    }
    this.#requests = new Requests({
      ...about,
      begins: (request) => this.#begins(request),
      answers: ({ own, method, host, status }) => {
        if (!own && status >= 400) this.#waits.requestFails(`${status} of ${method} http://${host}`)
      },
      ends: (request) => this.#ends(request),
      carries: (socket, upgrade) => this.#links.carries(socket, upgrade),
    })
    this.#links = new Links(about)
    this.#threads = new Threads(about)
    this.#waits = new Waits({ ...about, requestOn: (socket) => this.#requests.on(socket) })
    this.#connect({ host, port, noDelay: true })
    this.#links.install(this.#line)
    this.#requests.install()
    this.#threads.install()
    // What a thread of Node waits for is no wait of the program.
    if (!isWall && !isInternal) {
      this.#waits.install()
      this.#clock.install(() => this.#safely(() => this.#asks()))
    }
    syncBuiltinESMExports()
    // A simulator in this process has a time of its own.
    const leave = () => this.#safely(() => this.#send({ leave: 'it simulates a mailbox itself' }))
    Object.defineProperty(globalThis, Symbol.for('agent-mailbox-sim.leave'), { value: leave })
  }

  #connect(place) {
    this.#line = net.connect(place).setEncoding('utf8').unref()
    this.#line.on('error', () => {})
    this.#line.on('close', () => this.#leave())
    let rest = ''
    this.#line.on('data', (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop()
      for (const line of lines) this.#safely(() => this.#receive(JSON.parse(line)))
    })
    const { pid, ppid, versions } = process
    this.#send({ hello: { pid, ppid, runtime: `node ${versions.node}`, thread: threadId } })
  }

  #send(line) {
    if (this.#line.writable) this.#line.write(`${JSON.stringify(line)}\n`)
  }

  #receive({ now, date, look, go, until, later = [] }) {
    if (now !== undefined) this.#waits.shift(this.#clock.move(now, date))
    // By the second turn of the event loop, all input that was there has been read.
    if (look !== undefined) this.#afterTurns(() => this.#send({ look, state: this.#state() }))
    if (go === undefined) return
    for (const [id, due] of later) this.#waits.postpone(id, due)
    this.#run = { go, until }
    this.#endNext()
  }

  #afterTurns(act) {
    real.setImmediate(() => real.setImmediate(() => this.#safely(act)))
  }

  /** Ends waits, one after another, as long as the thread asks nothing. */
  #endNext() {
    const before = this.#begun()
    if (this.#waits.endNext(this.#run.until)) return this.#settle(before)
    this.#clock.move(this.#run.until)
    const [[, next = null] = []] = this.#waits.list()
    this.#endRun(next)
  }

  /** Goes on once what followed the end of a wait is over: the timer itself ends in the next turn. */
  #settle(before) {
    this.#afterTurns(() => {
      if (!this.#run) return
      // If it began nothing, nothing has to be looked at.
      if (this.#begun() === before + ownResources || this.#works() === null) this.#endNext()
      else real.setTimeout(() => this.#settle(), 1)
    })
  }

  /** How many asynchronous resources Node has begun so far, without those of waits. */
  #begun() {
    return new AsyncResource('Observer').asyncId() - this.#waits.count
  }

  /** Says how far the thread has come; `next` is when its next wait is due, if it has asked nothing. */
  #endRun(next) {
    const { go } = this.#run
    this.#run = undefined
    this.#send({ gone: go, now: this.#clock.offset, ended: this.#waits.ended, next })
  }

  /** Takes notice that the thread asks somebody something. */
  #asks() {
    this.#activity += 1
    if (this.#run) this.#endRun()
  }

  #begins(request) {
    const { own, id, method, host, path } = request
    this.#clock.begin()
    this.#waits.requestBegins(request)
    this.#asks()
    if (own) return
    this.#send({ ask: { id, method, host, path } })
    if (!(this.#thinkTime > 0)) return
    request.isWaiting = true
    request.cancel = this.#waits.begin(this.#thinkTime, () => this.#requests.release(request))
  }

  #ends({ own, id, method, host, status, body, cancel }) {
    if (own) return
    cancel?.()
    if (status === null) this.#waits.requestFails(`no response to ${method} http://${host}`)
    this.#send({ end: { id, status, body: body.hex } })
  }

  #works() {
    return this.#waits.work() ?? this.#threads.work()
  }

  #state() {
    const requests = this.#requests.list()
    const others = requests.filter(({ own }) => !own)
    const open = others.filter(({ isWaiting }) => !isWaiting)
    return {
      works: this.#works(),
      own: requests.length - others.length,
      asks: open.map((request) => {
        const { id, status, isEvents: events, body } = request
        return { id, body: body.hex, status, events, quiet: quietOf(request) }
      }),
      links: this.#links.list(),
      listens: this.#links.ports(),
      idle: this.#threads.idleChildren(),
      waits: this.#waits.list(),
      readsDate: this.#clock.hasReadDate,
      activity: this.#activity,
    }
  }

  /** Does something that must not disturb the program. */
  #safely(act) {
    if (this.#hasFailed) return
    try {
      act()
    } catch (error) {
      this.#hasFailed = true
      const [message, place = ''] = String(error?.stack).split('\n')
      this.#send({ note: `The observer of process ${process.pid} failed: ${message} ${place.trim()}` })
      this.#leave()
    }
  }

  /** Leaves the program to itself. */
  #leave() {
    this.#line.end()
    try {
      this.#clock.free()
      this.#waits.free()
    } catch {
      // Some waits may not end before the process does.
    }
  }
}

const { MAILBOX_SIM_OBSERVER: observer, MAILBOX_SIM_AGENT_TIME: mode, MAILBOX_BASE_URL: url } = process.env
const thinkTime = Number(process.env.MAILBOX_SIM_THINK_TIME ?? 0)
/** Whether this is a thread in which Node loads modules; it may have a compiler as its child process. */
const isInternal = !isMainThread && parentPort === null
if (observer) {
  try {
    const [host, port] = observer.split(':')
    new Observer({ host, port, isWall: mode === 'wall', thinkTime, home: url && placeOf(url), isInternal })
  } catch {
    // The program goes on without an observer.
  }
}
