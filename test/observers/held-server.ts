import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo, Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that a test answers when it likes. */
export interface HeldRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Starts a server that answers nothing by itself, such as a stand-in for a model, until the test ends. */
export const heldServer = () => held((listener) => createServer(listener))

/** The same for HTTP/2 without TLS. */
export const heldHttp2Server = () => held((listener) => createHttp2Server(listener as never))

async function held(create: (listener: RequestListener) => Server) {
  const arrived: HeldRequest[] = []
  const waiting: ((held: HeldRequest) => void)[] = []
  const sockets = new Set<Socket>()
  const server = create((request, response) => {
    const take = waiting.shift()
    if (take) take({ request, response })
    else arrived.push({ request, response })
  })
  server.on('connection', (socket) => sockets.add(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}`,
    /** Resolves with the next request. */
    next: (): Promise<HeldRequest> => {
      const held = arrived.shift()
      return held ? Promise.resolve(held) : new Promise((resolve) => waiting.push(resolve))
    },
    /** Breaks all connections. */
    breakDown: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
