'use strict'

const { subscribe } = require('node:diagnostics_channel')
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
  /** Decompressors and the like in the middle of a piece. */
  #streams = new Set()
  #isStreaming = false
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
      queueMicrotask(() => child.send && before(child, 'send', this.changed))
    })
    before(threads.MessagePort.prototype, 'postMessage', this.changed)
    if (process.send) before(process, 'send', this.changed)
  }

  /** Observes decompression, as soon as there is something that may need it. */
  observeStreams() {
    if (this.#isStreaming) return
    this.#isStreaming = true
    const { Gunzip } = require('node:zlib')
    const prototype = Object.getPrototypeOf(Object.getPrototypeOf(Gunzip.prototype))
    replace(prototype, '_transform', (original, self, args) => {
      const [chunk, encoding, callback] = args
      if (typeof callback !== 'function') return Reflect.apply(original, self, args)
      this.#streams.add(self)
      const done = (...results) => {
        this.#streams.delete(self)
        this.changed()
        return callback(...results)
      }
      return Reflect.apply(original, self, [chunk, encoding, done])
    })
  }

  /** What the thread certainly works at, and what perhaps, in words; null if nothing. */
  now() {
    const names = process.getActiveResourcesInfo().filter((name) => !passive.test(name))
    const certain = names.find((name) => !doubtful.test(name))
    const perhaps = names.find((name) => doubtful.test(name))
    const threads = this.#threadsNow()
    return {
      works: threads.works ?? this.#streamsNow() ?? (certain ? `runs (${certain})` : null),
      maybe: threads.maybe ?? (perhaps ? `runs (${perhaps})` : null),
    }
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

  #streamsNow() {
    for (const stream of this.#streams) {
      if (stream.destroyed) this.#streams.delete(stream)
      // A full buffer waits for somebody to read it.
      else if (stream.readableLength < stream.readableHighWaterMark) return 'compresses or decompresses'
    }
    return null
  }
}
