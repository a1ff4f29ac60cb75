'use strict'

const { subscribe } = require('node:diagnostics_channel')
const fs = require('node:fs')
const threads = require('node:worker_threads')
const { before, replace } = require('./common.cjs')

/** What keeps a thread from ending without being work, by the names of `process.getActiveResourcesInfo`. */
const passive =
  /^(?:(?:TCP|Pipe)(?:Socket|Server)?Wrap|TLSWrap|TTYWrap|UDPWrap|ProcessWrap|SignalWrap|FSEventWrap|StatWatcher|MessagePort|Worker|Timeout)$/

/** What is perhaps work: a connection or a write may wait for somebody forever. */
const doubtful = /^(?:(?:TCP|Pipe)?ConnectWrap|WriteWrap|ShutdownWrap|UDPSendWrap)$/

/** The name under which threads of a process share which of them are observed. */
const shared = 'agent-mailbox-sim'
const [unseen, loaded, connected] = [0, 1, 2]

/** What a thread does for itself, beside its requests: libuv's work, decompression, threads that start, modules that load. */
exports.Labour = class {
  /** Threads that this one has begun. */
  #threads = new Set()
  #children = new Set()
  /** Decompressors and the like in the middle of a piece. */
  #streams = new Set()
  /** What other threads do for this one. */
  #jobs = new Set()
  #hasBeenOnline = false
  #observed

  constructor({ changed, safely }) {
    Object.assign(this, { changed, safely })
    this.#observed = threads.getEnvironmentData(shared) ?? new Int32Array(new SharedArrayBuffer(4 * 4096))
    threads.setEnvironmentData(shared, this.#observed)
    this.#mark(loaded)
  }

  #mark(state) {
    Atomics.store(this.#observed, threads.threadId % this.#observed.length, state)
  }

  /** Takes notice that `play` knows of this thread. */
  connected() {
    this.#mark(connected)
  }

  install() {
    const on = (name, act) => subscribe(name, (message) => this.safely(() => act(message)))
    on('worker_threads', ({ worker }) => {
      this.changed()
      const port = Object.getOwnPropertySymbols(worker).find(
        ({ description }) => description === 'kPublicPort',
      )
      const isInternal = worker.constructor !== threads.Worker && worker.constructor.name === 'InternalWorker'
      this.#threads.add({ worker, isInternal, port: worker[port] })
    })
    on('child_process', ({ process: child }) => {
      this.changed()
      this.#children.add(child)
      queueMicrotask(() => child.send && before(child, 'send', this.changed))
    })
    before(threads.MessagePort.prototype, 'postMessage', this.changed)
    if (process.send) before(process, 'send', this.changed)
    this.observeJobs(false)
  }

  /** Observes what Node does not list while other threads do it; `isOnline` as soon as there was a request. */
  observeJobs(isOnline) {
    if (this.#hasBeenOnline) return
    this.#hasBeenOnline = isOnline
    const major = Number(process.versions.node.split('.')[0])
    if (!isOnline) {
      const names = major < 25 ? [] : ['readFile', 'writeFile', 'appendFile']
      for (const module of [fs, fs.promises]) this.#observe(module, names)
      return
    }
    const { Gunzip } = require('node:zlib')
    this.#observeStreams(Object.getPrototypeOf(Object.getPrototypeOf(Gunzip.prototype)))
    const crypto = require('node:crypto')
    const subtle = Object.getPrototypeOf(crypto.webcrypto.subtle)
    this.#observe(crypto, ['pbkdf2', 'scrypt', 'hkdf', 'argon2', 'generateKeyPair', 'generatePrime'])
    this.#observe(
      subtle,
      Object.keys(subtle).filter((name) => name !== 'constructor'),
    )
  }

  #observe(module, names) {
    for (const name of names) {
      if (typeof module[name] !== 'function') continue
      replace(module, name, (original, self, args) => {
        const job = {}
        const end = () => {
          this.#jobs.delete(job)
          this.changed()
        }
        const callback = args.at(-1)
        const given = typeof callback === 'function' ? args.with(-1, endingWith(end, callback)) : args
        const result = Reflect.apply(original, self, given)
        if (given === args && !(result instanceof Promise)) return result
        this.#jobs.add(job)
        this.changed()
        if (given !== args) return result
        // Not only observed, since its failure would count as handled then.
        return result.then(
          (value) => {
            end()
            return value
          },
          (error) => {
            end()
            throw error
          },
        )
      })
    }
  }

  #observeStreams(prototype) {
    replace(prototype, '_transform', (original, self, args) => {
      const [chunk, encoding, callback] = args
      if (typeof callback !== 'function') return Reflect.apply(original, self, args)
      this.#streams.add(self)
      const end = () => {
        this.#streams.delete(self)
        this.changed()
      }
      return Reflect.apply(original, self, [chunk, encoding, endingWith(end, callback)])
    })
  }

  /** What the thread certainly works at, and what perhaps, in words; null if nothing. */
  now() {
    const names = process.getActiveResourcesInfo().filter((name) => !passive.test(name))
    const certain = names.find((name) => !doubtful.test(name))
    const perhaps = names.find((name) => doubtful.test(name))
    const threads = this.#threadsNow()
    return {
      works: threads.works ?? this.#jobsNow() ?? (certain ? `runs (${certain})` : null),
      maybe: threads.maybe ?? (perhaps ? `runs (${perhaps})` : null),
    }
  }

  /** The child processes for which the thread does not wait, such as a compiler between two files. */
  idleChildren() {
    const idle = []
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) this.#children.delete(child)
      else if (child.pid !== undefined && child._handle?.hasRef?.() === false) idle.push(child.pid)
    }
    return idle
  }

  #threadsNow() {
    const found = { works: null, maybe: null }
    for (const thread of this.#threads) {
      const { worker, isInternal, port } = thread
      const state = Atomics.load(this.#observed, Math.max(0, worker.threadId) % this.#observed.length)
      if (worker.threadId < 0) this.#threads.delete(thread)
      else if (isInternal) found.works = port?.hasRef?.() ? 'loads modules' : found.works
      else if (state === loaded) found.works = 'starts a thread'
      else if (state === unseen) found.maybe = 'runs a thread'
    }
    return found
  }

  #jobsNow() {
    if (this.#jobs.size > 0) return 'runs'
    for (const stream of this.#streams) {
      if (stream.destroyed) this.#streams.delete(stream)
      // A full buffer waits for somebody to read it.
      else if (stream.readableLength < stream.readableHighWaterMark) return 'compresses or decompresses'
    }
    return null
  }
}

/** Returns a function that calls one before another. */
function endingWith(end, callback) {
  return function (...args) {
    end()
    return Reflect.apply(callback, this, args)
  }
}
