'use strict'

const { createHash } = require('node:crypto')
const { errorMonitor } = require('node:events')
const http = require('node:http')
const net = require('node:net')
const clock = require('./clock.cjs')
const { before, on, placeOf, real, replace, requestsOn, safely, thread } = require('./common.cjs')
const waits = require('./waits.cjs')

const no = () => false

/** After how many failures in a row at one URL the next wait is real. */
const mostFailures = 3

/** The longest path that is told, and of how many requests, so that a line is not too long. */
const [longestPath, mostTold] = [1_000, 50]

/**
 * The requests of a thread, by any client of Node or undici. One is open until its response is complete, or nobody reads it.
 */
class Requests {
  #home
  #thinkTime
  /** Those that have not ended, by what the client calls a request. */
  #requests = new Map()
  #count = 0
  /** How often requests have failed in a row, by their methods and URLs. */
  #failures = new Map()

  /** `home` is the service's place; with `thinkTime`, a request to somebody else is a wait of so many milliseconds. */
  install(home, thinkTime) {
    this.#home = home
    this.#thinkTime = thinkTime
    this.#installUndici()
    this.#installHttp()
    this.#installHttp2()
  }

  #installUndici() {
    on('undici:request:create', ({ request }) => {
      this.#begin(request, request.method, `${request.origin}${request.path}`)
    })
    on('undici:client:sendHeaders', ({ request, socket }) => {
      const found = this.#requests.get(request)
      if (!found) return
      this.#attach(found, socket, request.upgrade)
      found.isUnread = () => found.status !== null && socket.readableLength > 0
      found.sends = true
      // Nothing tells that the protocol was changed.
      const { bytesRead } = socket
      if (request.upgrade) found.isComplete = () => socket.bytesRead > bytesRead
    })
    before(net.Socket.prototype, 'write', (socket, [data]) => {
      const request = requestsOn.get(socket)
      // What undici writes as text is no body.
      if (request?.sends && typeof data !== 'string') addTo(request, data)
    })
    on('undici:request:headers', ({ request, response: { statusCode, headers } }) => {
      const at = headers.findIndex((name, index) => index % 2 === 0 && /^content-type$/i.test(name))
      this.#answer(request, statusCode, at < 0 ? '' : String(headers[at + 1]))
    })
    on('undici:request:trailers', ({ request }) => this.#end(request))
    on('undici:request:error', ({ request }) => this.#end(request, true))
  }

  #installHttp() {
    // An agent may let it wait for a connection.
    before(http.Agent.prototype, 'addRequest', (_, [request]) => this.#beginClassic(request))
    before(http.ClientRequest.prototype, 'onSocket', (request, [socket]) => {
      this.#beginClassic(request)
      const found = this.#requests.get(request)
      if (found && socket) this.#attach(found, socket, request.getHeader('upgrade'))
    })
    for (const name of ['write', 'end']) {
      before(http.ClientRequest.prototype, name, (request, [data]) =>
        addTo(this.#requests.get(request), data),
      )
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
    request.on(errorMonitor, () => this.#end(request, true))
    request.once('close', () => {
      // Nothing else tells that the protocol was changed.
      if (request.res?.upgrade) this.#answer(request, 101)
      this.#end(request, !request.res && !request.upgradeOrConnect)
    })
  }

  /** By the sessions, since Node tells of their streams only from 22.17 on. */
  #installHttp2() {
    replace(require('node:http2'), 'connect', (connect, self, args) => {
      const session = Reflect.apply(connect, self, args)
      replace(session, 'request', (request, _, given) => {
        const stream = Reflect.apply(request, session, given)
        safely(() => this.#beginStream(stream))
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
    before(stream, 'write', (_, [data]) => addTo(request, data))
    stream.once('response', (answer) => {
      safely(() => this.#answer(stream, answer[':status'], answer['content-type']))
    })
    stream.on(errorMonitor, () => this.#end(stream, true))
    stream.once('close', () => this.#end(stream))
  }

  /** Takes notice of a request that begins; `key` is what ends. */
  #begin(key, method, url) {
    const { pathname, search } = new URL(url)
    const host = placeOf(url)
    const path = `${pathname}${search}`.slice(0, longestPath)
    const what = `${method} http://${host}${pathname}`.slice(0, longestPath)
    this.#count += 1
    const request = {
      ...{ id: this.#count, own: host === this.#home, method, host, path, what, began: real.now() },
      ...{ body: createHash('sha256'), isRetry: this.#failures.has(what) },
      ...{ status: null, isEvents: false, isUnread: no, isComplete: no, isWaiting: false, isOver: false },
    }
    this.#requests.set(key, request)
    clock.begin()
    waits.requestBegins(request)
    thread.asks()
    if (!request.own && this.#thinkTime > 0) {
      request.isWaiting = true
      request.wait = waits.begin(this.#thinkTime, () => release(request))
    }
    return request
  }

  /** Takes notice of the connection of a request; while the request waits, nothing is read from it. */
  #attach(request, socket, upgrade) {
    request.isWebSocket = /^websocket$/i.test(upgrade)
    request.socket = socket
    requestsOn.set(socket, request)
    if (!request.isWaiting) return
    const stop = () => request.isWaiting && socket._handle?.readStop()
    stop()
    // It begins to read once it is there.
    if (socket.connecting) socket.once('connect', () => process.nextTick(stop))
  }

  #answer(key, status, type = '') {
    const request = this.#requests.get(key)
    if (!request || (status < 200 && status !== 101)) return
    request.status = status
    request.isEvents = request.method === 'GET' && /^text\/event-stream\b/i.test(type)
    thread.activity += 1
    if (request.own) return
    if (status === 429 || status >= 500) this.#fails(request, `${status} of`)
    else this.#failures.delete(request.what)
  }

  /** Takes notice that somebody else refused a request, or did not answer it: the agent may try again later. */
  #fails({ what }, how) {
    const times = (this.#failures.get(what) ?? 0) + 1
    this.#failures.set(what, times)
    if (times <= mostFailures) waits.requestFails(`${how} ${what}`)
  }

  /** Takes notice that a request is over; `hasFailed` if its response is not complete. */
  #end(key, hasFailed = false) {
    safely(() => {
      const request = this.#requests.get(key)
      if (!request) return
      this.#requests.delete(key)
      request.isOver = true
      if (hasFailed && !request.isComplete()) request.status = null
      thread.activity += 1
      if (request.own) return
      real.clearTimeout(request.wait)
      if (request.status === null) this.#fails(request, 'no response to')
      const took = Math.round(real.now() - request.began)
      thread.send({ end: { ...askOf(request), status: request.status, took } })
    })
  }

  /** How many requests to the service are open, and those to others, oldest first. */
  state() {
    for (const [key, { isComplete }] of this.#requests) if (isComplete()) this.#end(key)
    const open = [...this.#requests.values()].filter(({ isUnread }) => !isUnread())
    const asks = open.filter(({ own, isWaiting }) => !own && !isWaiting)
    return {
      own: open.filter(({ own }) => own).length,
      asks: asks.slice(-mostTold).map((request) => {
        return { ...askOf(request), events: request.isEvents, quiet: quietOf(request) }
      }),
    }
  }
}
module.exports = new Requests()

/** Adds to the body of a request what is text or bytes. */
function addTo(request, data) {
  if (typeof data === 'string' || data instanceof Uint8Array) request?.body.update(data)
}

/** Returns a request as the play is told of it. */
function askOf({ id, method, host, path, body }) {
  return { id, method, host, path, body: body.copy().digest('hex') }
}

/** Lets the response of a request come that has waited: no other wait ends before it is here. */
function release(request) {
  request.isWaiting = false
  thread.asks()
  request.socket?._handle?.readStart()
}

/** Returns how long ago the last byte of a request's response came, in milliseconds; null before its head. */
function quietOf(request) {
  if (request.status === null) return null
  const { bytesRead = 0 } = request.socket ?? {}
  if (request.bytesRead !== bytesRead) request.readAt = real.now()
  request.bytesRead = bytesRead
  return Math.round(real.now() - request.readAt)
}
