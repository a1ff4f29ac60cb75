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
const clock = require('./clock.cjs')
const { on, placeOf, real, safely, thread } = require('./common.cjs')
const links = require('./links.cjs')
const requests = require('./requests.cjs')
const threads = require('./threads.cjs')
const waits = require('./waits.cjs')

/** How many asynchronous resources the observer itself begins while it ends a wait: two turns, and what counts them. */
const ownResources = 3

let line
/** What ends waits at present, as `{ go, until }`. */
let run

function observe(place) {
  const { MAILBOX_BASE_URL: url, MAILBOX_SIM_AGENT_TIME: mode } = process.env
  const home = url && placeOf(url)
  connect(place)
  Object.assign(thread, { asks, send, fails })
  links.install(home, line)
  requests.install(home, mode === 'wall' ? 0 : Number(process.env.MAILBOX_SIM_THINK_TIME ?? 0))
  threads.install()
  // What a thread waits for in which Node loads modules is no wait of the program.
  if (mode !== 'wall' && (isMainThread || parentPort !== null)) {
    waits.install()
    clock.install()
  }
  syncBuiltinESMExports()
  // A simulator in this process has a time of its own.
  on('agent-mailbox-sim.leave', () => send({ leave: true }))
}

function connect(place) {
  const [host, port] = place.split(':')
  line = net.connect({ host, port, noDelay: true }).setEncoding('utf8').unref()
  line.on('error', () => {})
  line.on('close', leave)
  let rest = ''
  line.on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const one of lines) safely(() => receive(JSON.parse(one)))
  })
  const { pid, versions } = process
  send({ hello: { pid, runtime: `node ${versions.node}`, thread: threadId } })
}

function send(message) {
  if (line.writable) line.write(`${JSON.stringify(message)}\n`)
}

function receive({ now, date, look, go, until, later = [] }) {
  if (now !== undefined) waits.shift(clock.move(now, date))
  // By the second turn of the event loop, all input that was there has been read.
  if (look !== undefined) afterTurns(() => send({ look, state: state() }))
  if (go === undefined) return
  for (const [id, due] of later) waits.postpone(id, due)
  run = { go, until }
  endNext()
}

function afterTurns(act) {
  real.setImmediate(() => real.setImmediate(() => safely(act)))
}

/** Ends waits, one after another, as long as the thread asks nothing. */
function endNext() {
  const before = begun()
  if (waits.endNext(run.until)) return settle(before)
  clock.move(run.until)
  const [[, next = null] = []] = waits.list()
  endRun(next)
}

/** Goes on once what followed the end of a wait is over: the timer itself ends in the next turn. */
function settle(before) {
  afterTurns(() => {
    if (!run) return
    if (waits.isEnding) return settle(before)
    // What the thread had others do is over once it has begun nothing more since the last look.
    if (begun() === before + ownResources) endNext()
    else if (work() === null) settle(begun())
    else real.setTimeout(() => settle(), 1)
  })
}

/** How many asynchronous resources Node has begun so far, without those of waits. */
function begun() {
  return new AsyncResource('Observer').asyncId() - waits.count
}

/** Says how far the thread has come; `next` is when its next wait is due, if it has asked nothing. */
function endRun(next) {
  const { go } = run
  run = undefined
  send({ gone: go, now: clock.offset, ended: waits.ended, next })
}

/** Takes notice that the thread asks somebody something. */
function asks() {
  thread.activity += 1
  if (run) endRun()
}

function work() {
  return waits.work() ?? threads.work()
}

function state() {
  return {
    works: work(),
    ...requests.state(),
    links: links.list(),
    listens: links.ports(),
    idle: threads.idleChildren(),
    waits: waits.list(),
    activity: thread.activity,
  }
}

/** Notes that something failed in here. */
function fails(error) {
  const [message, place = ''] = String(error?.stack).split('\n')
  send({ note: `The observer of process ${process.pid} failed: ${message} ${place.trim()}` })
  leave()
}

/** Leaves the program to itself. */
function leave() {
  line.end()
  try {
    clock.free()
    waits.free()
  } catch {
    // Some waits may not end before the process does.
  }
}

try {
  // Deno obeys NODE_OPTIONS, but has timers and clients of its own.
  if (process.env.MAILBOX_SIM_OBSERVER && !process.versions.deno) observe(process.env.MAILBOX_SIM_OBSERVER)
} catch {
  // The program goes on without an observer.
}
