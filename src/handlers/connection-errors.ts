/** Returns what `fetch` reports of a connection that ends within a body. */
export function cutError(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { name: 'SocketError', code: 'UND_ERR_SOCKET' })
  return new TypeError('terminated', { cause })
}

/**
 * Returns an answer of which a client gets what a connection that was reset gives it. MSW itself has an error without a
 * code for that, which retry policies do not take for one; it passes on an error of Node's that looking at an answer
 * throws. Outside of Node the answer stays as it is.
 */
export function resetResponse(response: Response, { headers }: Request): Response {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  if (!process?.versions?.node) return response
  const reset = Object.assign(new Error('read ECONNRESET'), {
    errno: -104,
    code: 'ECONNRESET',
    syscall: 'read',
  })
  // What `node:http` sends names its host; with `fetch`, only the connection adds that.
  const error = headers.has('host') ? reset : failedFetch(reset)
  return Object.defineProperty(response, 'status', {
    get() {
      throw error
    },
  })
}

/** The error of `fetch` has neither of these two, by which MSW knows errors of Node; here they are there and undefined. */
function failedFetch(cause: Error): TypeError {
  const absent = { value: undefined, writable: true, configurable: true }
  return Object.defineProperties(new TypeError('fetch failed', { cause }), { code: absent, errno: absent })
}
