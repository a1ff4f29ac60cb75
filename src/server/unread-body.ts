import type { IncomingMessage } from 'node:http'

/** Bytes of a body that are read though nobody wants them: a sender often reads no answer before all is sent. */
const most = 4_194_304

/** Reads the body of a request away, or what is left of it; a body without end ends the connection. */
export function discardBody(request: IncomingMessage): void {
  let left = most
  // Whoever read the body until now has had enough: still attached, it would hold the rest back.
  request.removeAllListeners('data')
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.socket.destroy()
  })
  request.resume()
}
