import type { Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { isLoopback } from './outlet/loopback.js'
import { explainListenError } from './server-error.js'

/** Where a server listens. */
export interface Address {
  /** The base URL for clients on this machine, e.g. `http://127.0.0.1:4280`. */
  readonly url: string
  /** Whether only this machine reaches it. */
  readonly loopback: boolean
}

/** Has a server listen. @throws ServerError */
export function listenOn(server: Server, host: string, port: number): Promise<Address> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(explainListenError(error, host, port))
    server.once('error', fail)
    server.listen({ host, port }, () => {
      server.off('error', fail)
      const bound = server.address() as AddressInfo
      resolve({ url: `http://${nameForUrl(host)}:${bound.port}`, loopback: isLoopback(bound.address) })
    })
  })
}

/** A host as a URL carries it; an IPv6 address gets its brackets. */
export function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

/** The addresses that stand for "every address" are none a client should be told. */
function nameForUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '[::1]' : bracketed(host)
}
