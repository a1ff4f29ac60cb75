import { InMemoryTransport, type Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type ConnectedCaller, createServer } from './server.js'
import type { Surface } from './surface.js'
import { maxMessageBytes } from './tool.js'

export { createSurface } from './surface.js'

/** A connection to a client. */
interface Connection {
  close(): Promise<void>
}

/** Serves a surface over a transport, in the protocol revision of the client. */
function serveOver(transport: Transport, surface: Surface, caller: ConnectedCaller): Connection {
  return serveStdio(({ era }) => createServer(surface, era, caller), { transport })
}

/** Creates two linked transports, and serves a surface over one of them; returns the other. */
export function serveInProcess(surface: Surface, caller: ConnectedCaller): Transport {
  const [client, server] = InMemoryTransport.createLinkedPair()
  serveOver(server, surface, caller)
  return client
}

/** Where a connection over stdio is read and written. */
export interface StdioOptions {
  readonly input: ConstructorParameters<typeof StdioServerTransport>[0]
  readonly output: ConstructorParameters<typeof StdioServerTransport>[1]
  /** Called when the connection has ended; with the error that ended it, if one did. */
  readonly onClose: (error?: Error) => void
}

/** Serves a surface over stdio until the input ends. */
export function serveOverStdio(surface: Surface, caller: ConnectedCaller, options: StdioOptions): Connection {
  const { input, output, onClose } = options
  const transport = new StdioServerTransport(input, output, { maxBufferSize: maxMessageBytes })
  const connection = serveOver(transport, surface, caller)
  const { onclose, onerror } = transport
  let latest: Error | undefined
  transport.onerror = (error) => {
    latest = error
    onerror?.(error)
  }
  transport.onclose = () => {
    onclose?.()
    onClose(latest)
  }
  return connection
}
