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

  /** `asks` is called when one begins, or something is written on it; `requests` gets messages of WebSockets. */
  constructor({ home, clock, requests, asks, changed, safely }) {
    Object.assign(this, { home, clock, requests, asks, changed, safely })
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
    this.#links.set(socket, { to, bytesRead: 0, asked: null })
    this.asks()
  }

  #moves(socket) {
    this.changed()
    const link = this.#links.get(socket)
    if (!link) return
    const { bytesRead } = socket
    if (link.bytesRead !== bytesRead) {
      link.asked = null
      link.lastRead = real.now()
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
    const link = this.#links.get(socket)
    if (!link) return
    if (/^websocket$/i.test(upgrade) && !link.isWebSocket) this.#followMessages(socket, link)
    link.carries = true
  }

  #followMessages(socket, link) {
    link.isWebSocket = true
    before(socket, 'write', (_, [data]) => {
      // Text is of the handshake; what is held back belongs to the same message.
      const isMessage = typeof data !== 'string' && socket.writableLength === 0
      if (isMessage) this.safely(() => this.#beginMessage(socket, link))
    })
  }

  #beginMessage(socket, link) {
    const began = real.now()
    this.requests.end(socket)
    const message = this.requests.begin(socket, 'MESSAGE', `ws://${link.to}/`)
    this.requests.attach(message, socket)
    message.isComplete = () => {
      return socket.destroyed || (link.lastRead > began && real.now() - link.lastRead > silence)
    }
  }

  /** Connections to others on which something is unanswered. */
  list() {
    return [...this.#links].flatMap(([socket, { to, asked, carries }]) => {
      const left = this.#left.get(to) ?? 0
      if (asked === null || carries || to === this.home || socket.destroyed || !isAwaited(socket)) return []
      return [{ to, asked: Math.round(real.now() - asked), left }]
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
