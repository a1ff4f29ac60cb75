'use strict'

const programs = require('node:child_process')
const { readdirSync, readFileSync, readlinkSync } = require('node:fs')
const { basename } = require('node:path')
const workers = require('node:worker_threads')
const clock = require('./clock.cjs')
const { before, on, real, thread } = require('./common.cjs')

/** What Node does beside the thread, by the names of `process.getActiveResourcesInfo`; what is left there only waits. */
const active = /^(?:FSReq|FileHandleReadWrap|CloseReq|GetAddrInfo|GetNameInfo|Query|Immediate)/

/** Where Linux tells the states of the process's threads; and which of them this one is. */
const folder = '/proc/self/task'
const self = ownThread()

/** What a thread has others do: libuv and native modules, threads that start, and programs. */
class Threads {
  #starting = new Set()
  #children = new Set()
  /** When the process was last looked at where nothing tells of its threads, with its processor time. */
  #before = { at: real.now(), usage: process.cpuUsage() }

  install() {
    const asks = () => thread.asks()
    on('worker_threads', ({ worker }) => {
      asks()
      this.#starting.add(worker)
      for (const event of ['online', 'exit']) worker.once(event, () => this.#starting.delete(worker))
    })
    on('child_process', ({ process: child }) => {
      asks()
      this.#children.add(child)
      const began = real.now()
      child.once('exit', () => {
        // A program cannot be ended by story time.
        clock.block(real.now() - began)
        this.#children.delete(child)
        asks()
      })
      queueMicrotask(() => {
        if (child.send) before(child, 'send', asks)
        if (child.stdin) before(child.stdin, 'write', asks)
      })
    })
    for (const name of ['spawnSync', 'execSync', 'execFileSync']) before(programs, name, asks)
    before(workers.MessagePort.prototype, 'postMessage', asks)
    if (process.send) before(process, 'send', asks)
  }

  /** What is being done for the thread, in words; null if nothing. */
  work() {
    if (this.#starting.size > 0) return 'starts a thread'
    if (process.getActiveResourcesInfo().some((name) => active.test(name))) return 'runs'
    return this.#anyRuns() ? 'computes' : null
  }

  /** The child processes for which the thread does not wait, such as a compiler between two files. */
  idleChildren() {
    return [...this.#children].flatMap(({ pid, _handle: handle }) => {
      return pid !== undefined && handle?.hasRef?.() === false ? [pid] : []
    })
  }

  /** Returns whether another thread of the process runs; elsewhere than on Linux, whether the process has used its processor. */
  #anyRuns() {
    if (self !== undefined) return readdirSync(folder).some((one) => one !== self && isRunning(one))
    const { at, usage } = this.#before
    const { user, system } = process.cpuUsage(usage)
    this.#before = { at: real.now(), usage: process.cpuUsage() }
    return (user + system) / 1000 > (real.now() - at) / 5
  }
}
module.exports = new Threads()

/** Returns the name of this thread; undefined elsewhere than on Linux. */
function ownThread() {
  try {
    return basename(readlinkSync('/proc/thread-self'))
  } catch {
    return undefined
  }
}

function isRunning(one) {
  try {
    return /^.*\) [RD]/s.test(readFileSync(`${folder}/${one}/stat`, 'latin1'))
  } catch {
    // It has ended meanwhile.
    return false
  }
}
