'use strict'

// Observes a Node process of an agent for `play`, and lets its waits end when story time gets there.
//
// NODE_OPTIONS loads this file with `--require` into each Node process and worker thread of the agent, before anything else.
// (`--import` would have CommonJS programs loaded by way of ES modules, which changes the order of their first ticks.) It
// connects to the socket named by MAILBOX_SIM_OBSERVER, and speaks lines of JSON there: which requests are open, what the
// thread waits for, whether it works. MAILBOX_SIM_AGENT_TIME says how time passes:
//   wall         as always
//   skip, story  waits end when `play` says so, and clocks show story time plus the processor time that was used
// The program notices nothing of it beside time. Whatever fails in here is noted to `play`, and the program goes on.

const { readFileSync } = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const net = require('node:net')
const { isMainThread, parentPort, threadId } = require('node:worker_threads')
const { Clock } = require('./clock.cjs')
const { placeOf, real } = require('./common.cjs')
const { Labour } = require('./labour.cjs')
const { Requests } = require('./requests.cjs')
const { Sockets } = require('./sockets.cjs')
const { Waits } = require('./waits.cjs')

/** Connects a thread to `play`, and answers it. */
class Observer {
  #link
  #clock = new Clock()
  #sockets
  #requests
  #waits
  #labour
  /** Grows with everything that happens. */
  #activity = 0
  /** The last probe that was answered, and how much work there was. */
  #answered
  #hasFailed = false

  constructor({ path, mode, home, isInternal }) {
    const about = {
      ...{ home, mode, clock: this.#clock },
      changed: () => {
        this.#activity += 1
      },
      safely: (act) => this.#safely(act),
    }
    this.#sockets = new Sockets(about)
    this.#labour = new Labour(about)
    this.#requests = new Requests({
      ...about,
      begins: (request) => {
        this.#labour.observeJobs(true)
        this.#waits.requestBegins(request)
        if (!request.own) this.#send({ asks: request.what })
      },
      fails: (reason) => this.#waits.requestFails(reason),
      carries: (socket) => this.#sockets.carriesRequests(socket),
    })
    this.#waits = new Waits({ ...about, requests: this.#requests, sockets: this.#sockets })
    const moment = momentIn(`${path}.now`)
    if (moment) this.#clock.move(moment.now, moment.date)
    this.#connect(path)
    this.#sockets.install(this.#link)
    this.#requests.install()
    this.#labour.install()
    // What a thread of Node waits for is no wait of the program.
    if (!isInternal) this.#waits.install()
    if (mode !== 'wall' && !isInternal) this.#clock.install()
    syncBuiltinESMExports()
    // A simulator in this process has a time of its own.
    const toLeave = { value: () => this.#safely(() => this.#send({ simulates: true })) }
    Object.defineProperty(globalThis, Symbol.for('agent-mailbox-sim.leave'), toLeave)
  }

  #connect(path) {
    this.#link = net.connect(path).setEncoding('utf8').unref()
    this.#link.on('error', () => {})
    this.#link.on('close', () => this.#leave())
    let rest = ''
    this.#link.on('data', (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop()
      for (const line of lines) this.#safely(() => this.#receive(JSON.parse(line)))
    })
    const { pid, ppid, versions } = process
    this.#send({ hello: { pid, ppid, runtime: `node ${versions.node}`, thread: threadId } })
  }

  #send(line) {
    if (this.#link.writable) this.#link.write(`${JSON.stringify(line)}\n`)
  }

  #receive({ now, date, probe, fire }) {
    this.#labour.connected()
    if (now !== undefined) this.#waits.shift(this.#clock.move(now, date))
    if (probe !== undefined) {
      // By the second turn of the event loop, all input that was there has been read.
      real.setImmediate(() => real.setImmediate(() => this.#safely(() => this.#answer(probe))))
    }
    if (fire !== undefined) {
      this.#clock.move(fire)
      this.#waits.fire(fire, (count) => this.#send({ fired: fire, count }))
    }
  }

  #answer(probe) {
    const state = this.#state()
    this.#send({ probe, state })
    this.#answered = { probe, work: workIn(state) }
    if (this.#answered.work > 0) this.#watch(this.#answered, 1)
  }

  /** Tells when there is less work than there was when a probe was answered. */
  #watch(answered, delay) {
    const look = () => {
      if (answered !== this.#answered) return
      if (workIn(this.#state()) < answered.work) this.#send({ rests: answered.probe })
      else this.#watch(answered, Math.min(50, 2 * delay))
    }
    real.setTimeout(() => this.#safely(look), delay).unref()
  }

  #state() {
    const labour = this.#labour.now()
    const requests = this.#requests.list()
    const others = requests.filter(({ own }) => !own)
    return {
      works: this.#waits.work() ?? labour.works,
      asks: [...others, ...this.#sockets.questions()].map(({ what, to }) => ({ what, to })),
      maybe: labour.maybe ?? this.#sockets.unanswered(),
      own: requests.length - others.length,
      listens: this.#sockets.ports(),
      idle: this.#labour.idleChildren(),
      waits: this.#waits.list(),
      looked: this.#clock.lookedAt,
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
      this.#send({ note: `The observer of process ${process.pid} failed: ${error?.stack}` })
      this.#leave()
    }
  }

  /** Leaves the program to itself. */
  #leave() {
    this.#link.end()
    try {
      this.#clock.free()
      this.#waits.free()
    } catch {
      // Some waits may not end before the process does.
    }
  }
}

function workIn({ works, maybe, asks, own }) {
  return (works === null ? 0 : 1) + (maybe === null ? 0 : 1) + asks.length + own
}

/** Where the story is as this process starts, which `play` may write beside its socket; undefined if it does not. */
function momentIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const { MAILBOX_SIM_OBSERVER: path, MAILBOX_SIM_AGENT_TIME: mode, MAILBOX_BASE_URL: url } = process.env
/** Whether this is a thread in which Node loads modules; it may have a compiler as its child process. */
const isInternal = !isMainThread && parentPort === null
if (path) {
  try {
    new Observer({ path, mode, home: url && placeOf(url), isInternal })
  } catch {
    // The program goes on without an observer.
  }
}
