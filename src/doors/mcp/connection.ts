import { InMemoryTransport, type Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type ConnectedCaller, createServer } from './server.js'
import type { Surface } from './surface.js'

export { createSurface } from './surface.js'

/** A connection to a client. */
export interface Connection {
  close(): Promise<void>
}

/** Serves a surface over a transport, in the protocol revision of the client. */
export function serveOver(transport: Transport, surface: Surface, caller: ConnectedCaller): Connection {
  return serveStdio(({ era }) => createServer(surface, era, caller), { transport })
}

/** Creates two linked transports, and serves a surface over one of them; returns the other. */
export function serveInProcess(surface: Surface, caller: ConnectedCaller): Transport {
  const [client, server] = InMemoryTransport.createLinkedPair()
  serveOver(server, surface, caller)
  return client
}
