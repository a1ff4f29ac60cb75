'use strict'

const { subscribe } = require('node:diagnostics_channel')
const { errorMonitor } = require('node:events')
const http = require('node:http')
const { before, placeOf, replace } = require('./common.cjs')

const no = () => false

/**
 * The requests of a thread, by any client of Node or undici. One is open until its response is complete, unless that is a
 * stream of events, or nobody reads it.
 */
exports.Requests = class {
  /** Those that have not ended, by what the client calls a request. */
  #requests = new Map()

  /**
   * `home` is the service's place; `begins` gets each request, `fails` a reason when somebody else does not serve one,
   * `carries` each connection for requests of HTTP/2.
   */
  constructor({ home, begins, fails, carries, changed, safely }) {
    Object.assign(this, { home, begins, fails, carries, changed, safely })
  }

  install() {
    const on = (name, act) => subscribe(name, (message) => this.safely(() => act(message)))
    this.#installUndici(on)
    this.#installHttp(on)
    this.#installHttp2(on)
  }

  #installUndici(on) {
    on('undici:request:create', ({ request }) => {
      this.#begin(request, request.method, `${request.origin}${request.path}`)
    })
    on('undici:client:sendHeaders', ({ request, socket }) => {
      const found = this.#requests.get(request)
      if (!found) return
      found.isUnread = () => found.status !== undefined && socket.readableLength > 0
      // Nothing tells that the protocol was changed.
      const { bytesRead } = socket
      if (request.upgrade) found.isComplete = () => socket.bytesRead > bytesRead
    })
    on('undici:request:headers', ({ request, response: { statusCode, headers } }) => {
      const at = headers.findIndex((name, index) => index % 2 === 0 && /^content-type$/i.test(name))
      this.#answer(request, statusCode, at < 0 ? '' : String(headers[at + 1]))
    })
    on('undici:request:trailers', ({ request }) => this.#end(request))
    on('undici:request:error', ({ request }) => this.#end(request, true))
  }

  #installHttp(on) {
    on('http.client.request.created', ({ request }) => this.#beginClassic(request))
    // Before Node 22.12, nothing tells of a request that is waiting for a connection.
    const begins = (request) => this.safely(() => this.#beginClassic(request))
    before(http.Agent.prototype, 'addRequest', (_, [request]) => begins(request))
    before(http.ClientRequest.prototype, 'onSocket', (request) => begins(request))
    on('http.client.response.finish', ({ request, response }) => {
      const found = this.#requests.get(request)
      if (!found) return
      found.isComplete = () => response.complete
      found.isUnread = () => response.readableFlowing !== true && response.listenerCount('readable') === 0
      this.#answer(request, response.statusCode, response.headers['content-type'])
    })
    on('http.server.request.start', this.changed)
    on('http.server.response.finish', this.changed)
  }

  #beginClassic(request) {
    if (this.#requests.has(request) || request.destroyed || request.res) return
    const host = request.getHeader('host') ?? request.host
    this.#begin(request, request.method, `${request.protocol}//${host}${request.path}`)
    // This kind of listener does not count as one that handles errors.
    request.on(errorMonitor, () => this.safely(() => this.#end(request, true)))
    request.once('close', () =>
      this.safely(() => this.#end(request, !request.res && !request.upgradeOrConnect)),
    )
  }

  #installHttp2(on) {
    on('http2.client.stream.created', ({ stream }) => this.#beginStream(stream))
    const [major, minor] = process.versions.node.split('.').map(Number)
    if (major > 22 || (major === 22 && minor >= 17)) return
    // Earlier versions tell of no streams, and show the class of sessions only by an object.
    let isKnown = false
    replace(require('node:http2'), 'connect', (original, self, args) => {
      const session = Reflect.apply(original, self, args)
      if (!isKnown) this.safely(() => this.#installSession(Object.getPrototypeOf(session)))
      isKnown = true
      return session
    })
  }

  #installSession(prototype) {
    replace(prototype, 'request', (original, self, args) => {
      const stream = Reflect.apply(original, self, args)
      this.safely(() => this.#beginStream(stream))
      return stream
    })
  }

  #beginStream(stream) {
    const { ':method': method, ':scheme': scheme, ':authority': host, ':path': path } = stream.sentHeaders
    this.#begin(stream, method, `${scheme}://${host}${path ?? ''}`)
    // `session.socket` is not the connection itself.
    const key = Object.getOwnPropertySymbols(stream.session).find(
      ({ description }) => description === 'socket',
    )
    this.carries(stream.session[key])
    stream.once('response', (answer) => {
      this.safely(() => this.#answer(stream, answer[':status'], answer['content-type']))
    })
    stream.on(errorMonitor, () => this.safely(() => this.#end(stream, true)))
    stream.once('close', () => this.safely(() => this.#end(stream)))
  }

  #begin(key, method, url) {
    const to = placeOf(url)
    const what = `${method} ${url.replace(/[?#].*/s, '').replace(/\/\/[^/]*@/, '//')}`
    const request = { what, to, method, own: to === this.home, isUnread: no, isComplete: no }
    this.#requests.set(key, request)
    this.changed()
    this.begins(request)
  }

  #answer(key, status, type = '') {
    const request = this.#requests.get(key)
    if (!request || status < 200) return
    request.status = status
    request.isStream = request.method === 'GET' && /^text\/event-stream\b/i.test(type)
    this.changed()
    if (status >= 400 && !request.own) this.fails(`${status} of ${request.what}`)
  }

  #end(key, hasFailed = false) {
    const request = this.#requests.get(key)
    if (!request) return
    this.#requests.delete(key)
    const wasOpen = this.isOpen(request)
    request.isOver = true
    this.changed()
    if (hasFailed && wasOpen && !request.own) this.fails(`no response to ${request.what}`)
  }

  isOpen({ isOver, isStream, isComplete, isUnread }) {
    return !isOver && !isStream && !isComplete() && !isUnread()
  }

  /** The open requests. */
  list() {
    return [...this.#requests.values()].filter((request) => this.isOpen(request))
  }
}
