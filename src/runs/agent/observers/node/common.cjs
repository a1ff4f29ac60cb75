'use strict'

const { subscribe } = require('node:diagnostics_channel')
const timers = require('node:timers')

/** The longest duration of a timer in Node, 24.8 days. */
exports.longest = 2 ** 31 - 1

/** Functions of Node as they were before anything was replaced. */
exports.real = {
  setTimeout: timers.setTimeout,
  clearTimeout: timers.clearTimeout,
  setImmediate: timers.setImmediate,
  now: performance.now.bind(performance),
}

/**
 * The observed thread. Its observer says what becomes of what the thread asks, of lines to the play, and of what fails in here.
 */
const thread = {
  /** Grows with everything that happens. */
  activity: 0,
  hasFailed: false,
  asks() {},
  send() {},
  fails() {},
}
exports.thread = thread

/** The latest request of each connection. */
exports.requestsOn = new WeakMap()

/** Does something that must not disturb the program. */
exports.safely = (act) => {
  if (thread.hasFailed) return
  try {
    act()
  } catch (error) {
    thread.hasFailed = true
    thread.fails(error)
  }
}

/** Replaces a function by one that looks the same; `act` gets the original, `this` and the arguments. */
exports.replace = (object, name, act) => {
  const original = object[name]
  object[name] = new Proxy(original, { apply: (_, self, args) => act(original, self, args) })
}

/** Calls `act` with `this` and the arguments each time before a function is called. */
exports.before = (object, name, act) => {
  exports.replace(object, name, (original, self, args) => {
    exports.safely(() => act(self, args))
    return Reflect.apply(original, self, args)
  })
}

/** Calls `act` with what Node tells on one of its channels. */
exports.on = (channel, act) => subscribe(channel, (message) => exports.safely(() => act(message)))

/** Returns the host and port of a URL, with one name for this machine, e.g. `127.0.0.1:4280`. */
exports.placeOf = (url) => {
  const { hostname, port, protocol } = new URL(url)
  return exports.place(hostname, port || (/^(https|wss):$/.test(protocol) ? 443 : 80))
}

exports.place = (host, port) => {
  const isHere = /^(localhost|127\.[\d.]+|\[?::1\]?|\[?::ffff:127\.[\d.]+\]?)$/.test(host)
  return `${isHere ? '127.0.0.1' : host}:${port}`
}

/** Returns whether Node or undici calls what calls this, for its connections. */
exports.isInternal = () => /^node:|[\\/]undici[\\/]lib[\\/](core|dispatcher|util)[\\/]/.test(callingFile())

/** Returns the file of what calls an observer; '' if it is not known. */
function callingFile() {
  let files = []
  exports.safely(() => {
    const { stackTraceLimit, prepareStackTrace } = Error
    Error.stackTraceLimit = 8
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '')
    files = new Error().stack
    Object.assign(Error, { stackTraceLimit, prepareStackTrace })
  })
  return files.find((file) => !file.startsWith(__dirname)) ?? ''
}
