import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that a test answers when it likes. */
export interface HeldRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Starts a server that answers nothing by itself, such as a stand-in for a model, until the test ends. */
export async function heldServer(port = 0) {
  const arrived: HeldRequest[] = []
  const waiting: ((held: HeldRequest) => void)[] = []
  const server = createServer((request, response) => {
    const take = waiting.shift()
    if (take) take({ request, response })
    else arrived.push({ request, response })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
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
  }
}
