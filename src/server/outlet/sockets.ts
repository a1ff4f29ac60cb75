import { isIP, connect as openPlain, type Socket } from 'node:net'
import { connect as openSecure } from 'node:tls'
import type { Destination } from './destinations.js'

/** A connection that is wanted. */
export interface WantedSocket {
  /** As a URL names it: the one whose certificate counts. */
  readonly destination: Destination
  /** The address to connect to. */
  readonly address: string
  readonly secure: boolean
}

/** Connections to receivers, be they there yet or not. */
export class Sockets {
  readonly #open = new Set<Socket>()
  #closed = false

  /** Connects to an address; fails as the system or TLS says. */
  connect(wanted: WantedSocket): Promise<Socket> {
    const socket = this.#closed ? undefined : this.#begin(wanted)
    return new Promise((resolve, reject) => {
      if (!socket) return reject(new Error('the server is closed'))
      socket.once(wanted.secure ? 'secureConnect' : 'connect', () => resolve(socket))
      // It stays: whoever gets the socket may be a moment late, and an error that nobody hears ends the process.
      socket.on('error', reject)
      socket.once('close', () => reject(new Error('the connection was closed')))
    })
  }

  /** Ends all of them at once; none is made any more. */
  close(): void {
    this.#closed = true
    for (const socket of this.#open) socket.destroy()
  }

  #begin({ destination: { host, port }, address, secure }: WantedSocket): Socket {
    const where = { host: address, port, noDelay: true }
    const servername = isIP(host) === 0 ? host : ''
    const socket = secure ? openSecure({ ...where, servername }) : openPlain(where)
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    return socket
  }
}
