'use strict'

const net = require('node:net')
const { Readable } = require('node:stream')
const clock = require('./clock.cjs')
const { before, place, real, requestsOn, thread } = require('./common.cjs')

/** How long a WebSocket is silent after an answer that is over, in milliseconds of real time. */
const silence = 2_000

/** The bytes of a frame of a WebSocket that says nothing, as the ping or pong of a connection that is to stay open. */
const longestPing = 6

/** How long no answer is awaited, in milliseconds of real time. */
const long = 5_000

/** The connections that a thread has begun, other than those for requests, and its servers. */
class Links {
  #home
  #links = new Map()
  #servers = new Set()

  /** `home` is the service's place, `own` the observer's own connection. */
  install(home, own) {
    this.#home = home
    before(net.Socket.prototype, 'connect', (socket, args) => this.#connects(socket, args))
    before(net.Socket.prototype, 'write', (socket, [data]) => {
      const link = this.#links.get(socket)
      if (link) link.writes += data?.length ?? 0
    })
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
    const to = path ?? place(typeof host === 'string' ? host : 'localhost', port)
    this.#links.set(socket, {
      to,
      bytesRead: 0,
      writes: 0,
      asked: null,
      answered: -Infinity,
      waited: 0,
      left: 0,
    })
    thread.asks()
  }

  #moves(socket) {
    thread.activity += 1
    const link = this.#links.get(socket)
    if (!link) return
    const { bytesRead } = socket
    const isPing = requestsOn.get(socket)?.isWebSocket && link.writes <= longestPing
    if (link.bytesRead !== bytesRead) {
      if (link.asked !== null && !requestsOn.get(socket)?.isWebSocket) link.waited += real.now() - link.asked
      // It may come in several parts.
      if (link.asked !== null || isAnswered(link)) link.answered = real.now()
      link.asked = null
    } else if (!socket.connecting && !isPing) {
      // What is written at one time is one question.
      if (link.asked !== null && link.writtenAt !== clock.offset) link.left += 1
      // So are those of one stretch, as of a thread that asks a queue for its next job again and again.
      if (link.stretch !== clock.stretch) {
        if (link.waited > long) link.left += 1
        link.waited = 0
      }
      link.asked ??= real.now()
      Object.assign(link, { writtenAt: clock.offset, stretch: clock.stretch })
      if (!carriesRequests(socket)) thread.asks()
    }
    Object.assign(link, { bytesRead, writes: 0 })
  }

  /** Connections to others on which something is unanswered. */
  list() {
    for (const socket of this.#links.keys()) if (socket.destroyed) this.#links.delete(socket)
    return [...this.#links].flatMap(([socket, link]) => {
      const { to, asked, waited, left } = link
      const isWebSocket = requestsOn.get(socket)?.isWebSocket
      const isOpen = asked !== null || (isWebSocket && isAnswered(link))
      if (!isOpen || carriesRequests(socket) || to === this.#home || !isAwaited(socket)) return []
      // A message of a WebSocket is a request, however long its answer takes.
      return [{ to, asked: isWebSocket ? 0 : Math.round(waited + real.now() - asked), left }]
    })
  }

  /** The ports on which the thread listens. */
  ports() {
    return [...this.#servers].flatMap((server) => (server.listening && server.address()?.port) || [])
  }
}
module.exports = new Links()

/** Returns whether a connection is one of requests, which are observed by themselves; messages of a WebSocket are not. */
function carriesRequests(socket) {
  return requestsOn.get(socket)?.isWebSocket === false
}

/** Returns whether a connection keeps the program from ending; one that does not, waits for nothing. */
function isAwaited(socket) {
  return socket._handle?.hasRef?.() !== false
}

/** Returns whether an answer is coming, as far as is known. */
function isAnswered({ answered }) {
  return real.now() - answered < silence
}
