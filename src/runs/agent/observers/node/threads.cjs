'use strict'

const { subscribe } = require('node:diagnostics_channel')
const { closeSync, openSync, readdirSync, readlinkSync, readSync, statSync } = require('node:fs')
const threads = require('node:worker_threads')
const { before, real } = require('./common.cjs')

/** What Node does beside the thread, by the names of `process.getActiveResourcesInfo`; what is left there only waits. */
const active = /^(?:FSReq|FileHandleReadWrap|CloseReq|GetAddrInfo|GetNameInfo|Query|Immediate)/

const folder = '/proc/self/task'

/** What a thread has others do: libuv and native modules, threads that start, and programs. */
exports.Threads = class {
  #starting = new Set()
  #children = new Set()
  /** The files with the states of the process's other threads, and how many entries their folder had. */
  #files = []
  #links = -1
  #buffer = Buffer.alloc(64)
  /** When the process was last looked at where there are no such files, with its processor time. */
  #before = { at: real.now(), usage: process.cpuUsage() }

  /** `asks` is called before a thread or a program begins, and when something is sent to one. */
  constructor({ asks, safely, clock }) {
    Object.assign(this, { asks, safely, clock })
  }

  install() {
    const on = (name, act) => subscribe(name, (message) => this.safely(() => act(message)))
    on('worker_threads', ({ worker }) => {
      this.asks()
      this.#starting.add(worker)
      for (const event of ['online', 'exit']) worker.once(event, () => this.#starting.delete(worker))
    })
    on('child_process', ({ process: child }) => {
      this.asks()
      this.#children.add(child)
      const began = real.now()
      child.once('exit', () => {
        // A program cannot be ended by story time.
        this.clock.block(real.now() - began)
        this.#children.delete(child)
        this.asks()
      })
      queueMicrotask(() => child.send && before(child, 'send', this.asks))
    })
    before(threads.MessagePort.prototype, 'postMessage', this.asks)
    if (process.send) before(process, 'send', this.asks)
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
    try {
      return this.#states().some((state) => state === 'R' || state === 'D')
    } catch {
      const { at, usage } = this.#before
      const { user, system } = process.cpuUsage(usage)
      this.#before = { at: real.now(), usage: process.cpuUsage() }
      return (user + system) / 1000 > (real.now() - at) / 5
    }
  }

  #states() {
    const { nlink } = statSync(folder)
    if (nlink !== this.#links) this.#open(nlink)
    return this.#files.map((file) => {
      try {
        const text = this.#buffer.latin1Slice(0, readSync(file, this.#buffer, 0, 64, 0))
        return text[text.lastIndexOf(')') + 2]
      } catch {
        // It has ended: another one may have begun.
        this.#links = -1
        return 'X'
      }
    })
  }

  #open(links) {
    for (const file of this.#files) closeSync(file)
    this.#files = []
    const own = readlinkSync('/proc/thread-self').replace(/.*\//, '')
    for (const id of readdirSync(folder)) {
      try {
        if (id !== own) this.#files.push(openSync(`${folder}/${id}/stat`, 'r'))
      } catch {
        // It has ended meanwhile.
      }
    }
    this.#links = links
  }
}
