'use strict'

const net = require('node:net')
const { Readable } = require('node:stream')
const clock = require('./clock.cjs')
const { before, place, real, requestsOn, thread } = require('./common.cjs')

/** How long a WebSocket is silent after an answer that is over, in milliseconds of real time. */
const silence = 2_000

/** How long an answer is quick, for how long slow ones are awaited on a connection of another kind, and a greeting. */
const [quick, longestWait, longestGreeting] = [100, 5_000, 1_000]

/** A connection to somebody, of whom the thread may await an answer. Times are milliseconds of real time. */
class Link {
  bytesRead = 0
  /** The first byte or character that was written since something moved. */
  written
  /** Since when an answer is awaited; null if none is. */
  #asked = null
  /** Whether only a ping is to be answered. */
  #isPing = false
  /** When the last answer came. */
  #answered = -Infinity
  /** For how long slow answers were awaited in this stretch, one after another. */
  #waited = 0
  #stretch
  /** When it was begun; long ago once something came. */
  #began = real.now()

  /** `isQueue` once answers took so long that it is one to a queue of jobs or to a log, as an earlier one to the same place was. */
  constructor(to, isQueue) {
    Object.assign(this, { to, isQueue })
  }

  sends(isPing) {
    this.#isPing = isPing && (this.#asked === null || this.#isPing)
    if (this.#stretch !== clock.stretch) this.#waited = 0
    this.#stretch = clock.stretch
    this.#asked ??= real.now()
  }

  receives() {
    const now = real.now()
    this.#began = -Infinity
    if (this.#asked !== null) {
      const took = now - this.#asked
      this.#waited = took < quick ? 0 : this.#waited + took
    }
    // An answer may come in several parts.
    const isAnswer = this.#asked !== null && !this.#isPing
    if (isAnswer || now - this.#answered < silence) this.#answered = now
    this.#asked = null
  }

  /** Whether an answer is awaited. */
  owes(isWebSocket) {
    // A message of a WebSocket is a request, however long its answer takes.
    if (isWebSocket) return this.#asked !== null || real.now() - this.#answered < silence
    if (this.isQueue) return false
    // Where nothing was asked, it may be a greeting.
    if (this.#asked === null) return real.now() - this.#began < longestGreeting
    this.isQueue = this.#waited + real.now() - this.#asked > longestWait
    return !this.isQueue
  }
}

/** The connections that a thread has begun, other than those for requests, and its servers. */
class Links {
  #home
  #links = new Map()
  /** Where connections were to queues or logs that are closed. */
  #queues = new Set()
  #servers = new Set()

  /** `home` is the service's place, `own` the observer's own connection. */
  install(home, own) {
    this.#home = home
    before(net.Socket.prototype, 'connect', (socket, args) => this.#connects(socket, args))
    for (const name of ['write', 'end']) {
      before(net.Socket.prototype, name, (socket, [data]) => {
        const link = this.#links.get(socket)
        if (link) link.written ??= data?.[0]
      })
    }
    // Node calls this for each piece that is read or written.
    before(net.Socket.prototype, '_unrefTimer', (socket) => socket !== own && this.#moves(socket))
    // Between two pieces that a stream makes, as of what it decompresses, nothing may be seen to run.
    before(Readable.prototype, 'push', (stream) => {
      if (stream !== own) thread.activity += 1
    })
    before(net.Server.prototype, 'listen', (server) => {
      this.#servers.add(server)
      thread.activity += 1
    })
  }

  #connects(socket, [first, second]) {
    const options = Array.isArray(first) ? first[0] : first
    const { host, port, path } = typeof options === 'object' ? options : { port: options, host: second }
    this.#prune()
    const to = path ?? place(typeof host === 'string' ? host : 'localhost', port)
    this.#links.set(socket, new Link(to, this.#queues.has(to)))
    thread.asks()
  }

  /** Forgets the connections that are closed, but where those to queues were. */
  #prune() {
    for (const [socket, { to, isQueue }] of this.#links) {
      if (!socket.destroyed) continue
      if (isQueue) this.#queues.add(to)
      this.#links.delete(socket)
    }
  }

  #moves(socket) {
    thread.activity += 1
    const link = this.#links.get(socket)
    if (!link) return
    const { bytesRead } = socket
    // By the kind of its frame, a ping is answered by a pong; a pong, and a frame that closes, by nothing.
    const kind = isWebSocket(socket) ? link.written & 15 : undefined
    if (link.bytesRead !== bytesRead) link.receives()
    else if (!socket.connecting && link.written !== undefined && kind !== 8 && kind !== 10) {
      link.sends(kind === 9)
      if (!carriesRequests(socket)) thread.asks()
    }
    Object.assign(link, { bytesRead, written: undefined })
  }

  /** The places that owe an answer on a connection. */
  list() {
    this.#prune()
    return [...this.#links].flatMap(([socket, link]) => {
      const isOwing = link.owes(isWebSocket(socket)) && !carriesRequests(socket) && isAwaited(socket)
      return isOwing && link.to !== this.#home ? [link.to] : []
    })
  }

  /** The ports on which the thread listens. */
  ports() {
    return [...this.#servers].flatMap((server) => (server.listening && server.address()?.port) || [])
  }
}
module.exports = new Links()

function isWebSocket(socket) {
  return requestsOn.get(socket)?.isWebSocket
}

/** Returns whether a connection is one of requests, which are observed by themselves; messages of a WebSocket are not. */
function carriesRequests(socket) {
  return isWebSocket(socket) === false
}

/** Returns whether a connection keeps the program from ending; one that does not, waits for nothing. */
function isAwaited(socket) {
  return socket._handle?.hasRef?.() !== false
}
