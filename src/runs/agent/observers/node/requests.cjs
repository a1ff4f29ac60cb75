'use strict'

const { subscribe } = require('node:diagnostics_channel')
const { errorMonitor } = require('node:events')
const http = require('node:http')
const { before, digest, placeOf, real, replace } = require('./common.cjs')

const no = () => false

/** The longest path that is told. */
const longestPath = 2_000

/**
 * The requests of a thread, by any client of Node or undici. One is open until its response is complete, or nobody reads it.
 */
exports.Requests = class {
  /** Those that have not ended, by what the client calls a request. */
  #requests = new Map()
  #count = 0
  /** The latest request of each connection, and those of undici whose bodies are observed. */
  #onSockets = new WeakMap()
  #carriers = new WeakSet()
  /**
   * `home` is the service's place; `begins`, `answers` and `ends` get each request, `carries` each connection that carries some.
   */
  constructor({ home, begins, answers, ends, carries, changed, safely }) {
    Object.assign(this, { home, begins, answers, ends, carries, changed, safely })
  }

  install() {
    const on = (name, act) => subscribe(name, (message) => this.safely(() => act(message)))
    this.#installUndici(on)
    this.#installHttp(on)
    this.#installHttp2()
    on('http.server.request.start', this.changed)
    on('http.server.response.finish', this.changed)
  }

  #installUndici(on) {
    on('undici:request:create', ({ request }) => {
      this.#begin(request, request.method, `${request.origin}${request.path}`)
    })
    on('undici:client:sendHeaders', ({ request, socket }) => {
      const found = this.#requests.get(request)
      this.carries(socket, request.upgrade)
      if (!found) return
      this.#attach(found, socket)
      found.isUnread = () => found.status !== null && socket.readableLength > 0
      // Nothing tells that the protocol was changed.
      const { bytesRead } = socket
      if (request.upgrade) found.isComplete = () => socket.bytesRead > bytesRead
      if (this.#carriers.has(socket)) return
      this.#carriers.add(socket)
      before(socket, 'write', (_, [data]) => {
        // What is written as text is no body.
        if (typeof data !== 'string') this.on(socket).body.add(data)
      })
    })
    on('undici:request:headers', ({ request, response: { statusCode, headers } }) => {
      const at = headers.findIndex((name, index) => index % 2 === 0 && /^content-type$/i.test(name))
      this.#answer(request, statusCode, at < 0 ? '' : String(headers[at + 1]))
    })
    on('undici:request:trailers', ({ request }) => this.#end(request))
    on('undici:request:error', ({ request }) => this.#end(request, true))
  }

  #installHttp(on) {
    const begins = (request) => this.safely(() => this.#beginClassic(request))
    // An agent may let it wait for a connection.
    before(http.Agent.prototype, 'addRequest', (_, [request]) => begins(request))
    before(http.ClientRequest.prototype, 'onSocket', (request, [socket]) => {
      begins(request)
      this.safely(() => {
        this.carries(socket, request.getHeader('upgrade'))
        const found = this.#requests.get(request)
        if (found) this.#attach(found, socket)
      })
    })
    for (const name of ['write', 'end']) {
      before(http.OutgoingMessage.prototype, name, (request, [data]) => {
        this.safely(() => this.#requests.get(request)?.body.add(data))
      })
    }
    on('http.client.response.finish', ({ request, response }) => {
      const found = this.#requests.get(request)
      if (!found) return
      found.isComplete = () => response.complete
      found.isUnread = () => response.readableFlowing !== true && response.listenerCount('readable') === 0
      this.#answer(request, response.statusCode, response.headers['content-type'])
    })
  }

  #beginClassic(request) {
    if (this.#requests.has(request) || request.destroyed || request.res) return
    const host = request.getHeader('host') ?? request.host
    this.#begin(request, request.method, `${request.protocol}//${host}${request.path}`)
    // This kind of listener does not count as one that handles errors.
    request.on(errorMonitor, () => this.safely(() => this.#end(request, true)))
    request.once('close', () => {
      this.safely(() => this.#end(request, !request.res && !request.upgradeOrConnect))
    })
  }

  /** By the sessions, since Node tells of their streams only from 22.17 on. */
  #installHttp2() {
    replace(require('node:http2'), 'connect', (connect, self, args) => {
      const session = Reflect.apply(connect, self, args)
      replace(session, 'request', (request, _, given) => {
        const stream = Reflect.apply(request, session, given)
        this.safely(() => this.#beginStream(stream))
        return stream
      })
      return session
    })
  }

  #beginStream(stream) {
    const { ':method': method, ':scheme': scheme, ':authority': host, ':path': path } = stream.sentHeaders
    const request = this.#begin(stream, method, `${scheme}://${host}${path ?? ''}`)
    // `session.socket` is not the connection itself.
    const key = Object.getOwnPropertySymbols(stream.session).find(
      ({ description }) => description === 'socket',
    )
    this.#attach(request, stream.session[key])
    this.carries(request.socket)
    before(stream, 'write', (_, [data]) => this.safely(() => request.body.add(data)))
    stream.once('response', (answer) => {
      this.safely(() => this.#answer(stream, answer[':status'], answer['content-type']))
    })
    stream.on(errorMonitor, () => this.safely(() => this.#end(stream, true)))
    stream.once('close', () => this.safely(() => this.#end(stream)))
  }

  /** Takes notice of a request that begins; `key` is what ends. */
  #begin(key, method, url) {
    const { pathname, search } = new URL(url)
    const host = placeOf(url)
    this.#count += 1
    const request = {
      ...{ id: this.#count, method, host, path: `${pathname}${search}`.slice(0, longestPath) },
      ...{ own: host === this.home, status: null, isEvents: false, isUnread: no, isComplete: no },
      ...{ body: digest(), isWaiting: false, isOver: false, socket: undefined },
    }
    this.#requests.set(key, request)
    this.changed()
    this.begins(request)
    return request
  }

  /** Takes notice of the connection of a request; while the request waits, nothing is read from it. */
  #attach(request, socket) {
    request.socket = socket
    this.#onSockets.set(socket, request)
    if (!request.isWaiting) return
    stopReading(socket)
    // A connection may be tried at several addresses.
    if (socket.connecting) socket.once('connect', () => request.isWaiting && stopReading(socket))
  }

  /** Returns the latest request of a connection, if it has one. */
  on(socket) {
    return socket && this.#onSockets.get(socket)
  }

  /** Lets the response of a request come that has waited. */
  release(request) {
    request.isWaiting = false
    if (request.socket) startReading(request.socket)
  }

  #answer(key, status, type = '') {
    const request = this.#requests.get(key)
    if (!request || status < 200) return
    request.status = status
    request.isEvents = request.method === 'GET' && /^text\/event-stream\b/i.test(type)
    this.changed()
    this.answers(request)
  }

  /** Takes notice that a request is over; `hasFailed` if its response is not complete. */
  #end(key, hasFailed = false) {
    const request = this.#requests.get(key)
    if (!request) return
    this.#requests.delete(key)
    request.isOver = true
    if (hasFailed && !request.isComplete()) request.status = null
    this.changed()
    this.ends(request)
  }

  /** The open requests, oldest first. */
  list() {
    for (const [key, { isComplete }] of this.#requests) if (isComplete()) this.#end(key)
    return [...this.#requests.values()].filter(({ isUnread }) => !isUnread())
  }
}

/** Keeps a connection from reading, whoever wants to. */
function stopReading({ _handle: handle }) {
  if (!handle?.readStop) return
  handle.readStop()
  handle.readStart = () => 0
}

function startReading({ _handle: handle }) {
  if (!handle || !Object.hasOwn(handle, 'readStart')) return
  delete handle.readStart
  handle.readStart()
}

/** Returns how long ago the last byte of a request's response came, in milliseconds; null before its head. */
exports.quietOf = (request) => {
  if (request.status === null) return null
  const { bytesRead = 0 } = request.socket ?? {}
  if (request.bytesRead !== bytesRead) request.readAt = real.now()
  request.bytesRead = bytesRead
  return Math.round(real.now() - request.readAt)
}
