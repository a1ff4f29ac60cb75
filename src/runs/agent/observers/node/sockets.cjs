'use strict'

const { subscribe } = require('node:diagnostics_channel')
const http = require('node:http')
const net = require('node:net')
const { before, place, real } = require('./common.cjs')

/** How long a WebSocket is silent after an answer that is over, in milliseconds of real time. */
const silence = 2_000

/** The connections that a thread has begun, and its servers. */
exports.Sockets = class {
  #clients = new Map()
  #servers = new Set()

  constructor({ home, changed, safely }) {
    Object.assign(this, { home, changed, safely })
  }

  /** `link` is the observer's own connection. */
  install(link) {
    const notice = (prototype, name, act) => {
      before(prototype, name, (self, args) => this.safely(() => act(self, args)))
    }
    notice(net.Socket.prototype, 'connect', (socket, args) => this.#connects(socket, args))
    // Node calls this for each piece that is read or written.
    notice(net.Socket.prototype, '_unrefTimer', (socket) => {
      if (socket !== link) this.#moves(socket)
    })
    notice(http.ClientRequest.prototype, 'onSocket', (request, [socket]) => {
      this.#serves(socket, request, request.getHeader('upgrade'))
    })
    subscribe('undici:client:sendHeaders', ({ socket, request }) => {
      this.safely(() => this.#serves(socket, request, request.upgrade))
    })
    notice(net.Server.prototype, 'listen', (server) => {
      this.#servers.add(server)
      this.changed()
    })
  }

  #connects(socket, [first, second]) {
    const options = Array.isArray(first) ? first[0] : first
    const { host, port, path } = typeof options === 'object' ? options : { port: options, host: second }
    const to = path ?? place(typeof host === 'string' ? host : 'localhost', port)
    this.#clients.set(socket, { to, own: to === this.home, bytesRead: 0, isAsked: false })
    this.changed()
    if (this.#clients.size > 1000) this.#prune()
  }

  #moves(socket) {
    if (isAwaited(socket)) this.changed()
    const client = this.#clients.get(socket)
    if (!client) return
    const hasRead = client.bytesRead !== socket.bytesRead
    client.bytesRead = socket.bytesRead
    client.isAsked = !hasRead
    if (!hasRead || !client.webSocket) return
    client.webSocket.lastRead = real.now()
    client.webSocket.isAnswered = true
  }

  /** Takes notice of the request that a connection serves, and of what it sends as a WebSocket afterwards. */
  #serves(socket, request, upgrade) {
    const client = this.#clients.get(socket)
    if (!client) return
    client.request = request
    if (!/^websocket$/i.test(upgrade)) return
    client.webSocket = {}
    before(socket, 'write', (_, [data]) => {
      // A frame begins a write, except in a row of writes that are held back. Pings, pongs and the like ask for nothing.
      const isFrame = typeof data !== 'string' && socket.writableLength === 0 && (data[0] & 15) <= 2
      if (isFrame) client.webSocket = { isAsked: true }
    })
  }

  /** Takes notice that a connection is one of HTTP/2, whose requests are observed by themselves. */
  carriesRequests(socket) {
    const client = this.#clients.get(socket)
    if (client) client.isHttp2 = true
  }

  #prune() {
    for (const socket of this.#clients.keys()) if (socket.destroyed) this.#clients.delete(socket)
  }

  /** Returns whether a connection leads to somebody else than the service. */
  isForeign(socket) {
    return this.#clients.get(socket)?.own === false
  }

  /** Returns whether a connection for HTTP is between requests. */
  isIdle(socket) {
    const request = this.#clients.get(socket)?.request
    return request ? request.res?.complete === true : Boolean(socket.parser) && !socket._httpMessage
  }

  /** Returns whether a connection's time-out has no effect but that of pools and servers, which keep their connections tidy. */
  isQuiet(socket) {
    const request = this.#clients.get(socket)?.request
    if (this.isIdle(socket)) return true
    const others = socket
      .listeners('timeout')
      .filter(({ name }) => !/^(on|socketOn|emitRequest)Timeout$/.test(name))
    return (
      others.length === 0 && !(request instanceof http.ClientRequest && request.listenerCount('timeout') > 0)
    )
  }

  /** WebSockets to others on which an answer to what was sent has not ended, as requests. */
  questions() {
    this.#prune()
    const asked = [...this.#clients.values()].filter(({ own, webSocket }) => {
      if (own || !webSocket?.isAsked) return false
      return !webSocket.isAnswered || real.now() - webSocket.lastRead < silence
    })
    return asked.map(({ to }) => ({ what: `WebSocket ws://${to}`, to }))
  }

  /** Another connection on which something was written and nothing was read since, in words; null if there is none. */
  unanswered() {
    this.#prune()
    for (const [socket, { isAsked, request, own, to, isHttp2 }] of this.#clients) {
      if (isAsked && !request && !own && !isHttp2 && isAwaited(socket))
        return `waits for an answer from ${to}`
    }
    return null
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
