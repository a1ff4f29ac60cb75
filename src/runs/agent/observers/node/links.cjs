'use strict'

const net = require('node:net')
const { Readable } = require('node:stream')
const { before, place, real } = require('./common.cjs')

/** How long a WebSocket is silent after an answer that is over, in milliseconds of real time. */
const silence = 2_000

/** The connections that a thread has begun, other than those for requests, and its servers. */
exports.Links = class {
  #links = new Map()
  /** How often something was left unanswered, by address. */
  #left = new Map()
  #servers = new Set()

  /** `asks` is called when one begins, or something is written on it. */
  constructor({ home, clock, asks, changed, safely }) {
    Object.assign(this, { home, clock, asks, changed, safely })
  }

  /** `own` is the observer's own connection. */
  install(own) {
    const notice = (prototype, name, act) => {
      before(prototype, name, (self, args) => this.safely(() => act(self, args)))
    }
    notice(net.Socket.prototype, 'connect', (socket, args) => this.#connects(socket, args))
    // Node calls this for each piece that is read or written.
    notice(net.Socket.prototype, '_unrefTimer', (socket) => {
      if (socket !== own) this.#moves(socket)
    })
    // Between two pieces that a stream makes, as of what it decompresses, nothing may be seen to run.
    notice(Readable.prototype, 'push', (stream) => stream !== own && this.changed())
    notice(net.Server.prototype, 'listen', (server) => {
      this.#servers.add(server)
      this.changed()
    })
  }

  #connects(socket, [first, second]) {
    const options = Array.isArray(first) ? first[0] : first
    const { host, port, path } = typeof options === 'object' ? options : { port: options, host: second }
    const to = path ?? place(typeof host === 'string' ? host : 'localhost', port)
    for (const [known, link] of this.#links) {
      if (!known.destroyed) continue
      if (link.asked !== null) this.#leave(link)
      this.#links.delete(known)
    }
    this.#links.set(socket, { to, bytesRead: 0, asked: null, answered: -Infinity })
    this.asks()
  }

  #moves(socket) {
    this.changed()
    const link = this.#links.get(socket)
    if (!link) return
    const { bytesRead } = socket
    if (link.bytesRead !== bytesRead) {
      // It may come in several parts.
      if (link.asked !== null || isAnswered(link)) link.answered = real.now()
      link.asked = null
    } else if (!socket.connecting) {
      if (link.asked === null) link.asked = real.now()
      // What is written at one time is one question.
      else if (link.writtenAt !== this.clock.offset) this.#leave(link)
      link.writtenAt = this.clock.offset
      if (!link.carries) this.asks()
    }
    link.bytesRead = bytesRead
  }

  #leave({ to }) {
    this.#left.set(to, (this.#left.get(to) ?? 0) + 1)
  }

  /** Takes notice that a connection carries requests, which are observed by themselves, or messages of a WebSocket. */
  carries(socket, upgrade) {
    const isWebSocket = /^websocket$/i.test(upgrade)
    Object.assign(this.#links.get(socket) ?? {}, { isWebSocket, carries: !isWebSocket })
  }

  /** Connections to others on which something is unanswered. */
  list() {
    return [...this.#links].flatMap(([socket, link]) => {
      const { to, asked, carries, isWebSocket } = link
      const isOpen = asked !== null || (isWebSocket && isAnswered(link))
      if (!isOpen || carries || to === this.home || socket.destroyed || !isAwaited(socket)) return []
      // A message of a WebSocket is a request, however long its answer takes.
      return [{ to, asked: isWebSocket ? 0 : Math.round(real.now() - asked), left: this.#left.get(to) ?? 0 }]
    })
  }

  /** The ports on which the thread listens. */
  ports() {
    const addresses = [...this.#servers].map((server) => (server.listening ? server.address() : undefined))
    return [...new Set(addresses.flatMap((address) => address?.port ?? []))]
  }
}

/** Returns whether a connection keeps the program from ending; it does not wait for another. */
function isAwaited(socket) {
  return socket._handle?.hasRef?.() !== false
}

/** Returns whether an answer is coming, as far as is known. */
function isAnswered({ answered }) {
  return real.now() - answered < silence
}
