import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { boundedLines } from './bounded-lines.js'
import { type Connection, serveOver } from './connection.js'
import type { ConnectedCaller } from './server.js'
import type { Surface } from './surface.js'
import { maxMessageBytes } from './tool.js'

export { joinOverStdio } from './joining.js'

/** Where a connection over stdio is read and written. */
export interface StdioOptions {
  readonly input: Readable
  readonly output: Writable
  /** Called when the connection has ended; with the error that ended it, if one did. */
  readonly onClose: (error?: Error) => void
}

/** Serves a surface over stdio until the input ends. */
export function serveOverStdio(surface: Surface, caller: ConnectedCaller, options: StdioOptions): Connection {
  const { input, output, onClose } = options
  const lines = boundedLines(input, (problem) => {
    const message = `The message was not read: ${problem}.`
    const error = { jsonrpc: '2.0', error: { code: -32_600, message }, id: null }
    output.write(`${JSON.stringify(error)}\n`)
  })
  const transport = new StdioServerTransport(lines, output, { maxBufferSize: 2 * maxMessageBytes })
  const connection = serveOver(transport, surface, caller)
  const { onclose, onerror } = transport
  let latest: Error | undefined
  transport.onerror = (error) => {
    latest = error
    onerror?.(error)
  }
  transport.onclose = () => {
    // Otherwise the input would keep the process running.
    input.unpipe(lines).pause()
    onclose?.()
    onClose(latest)
  }
  return connection
}
