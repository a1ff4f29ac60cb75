import { startServer } from 'agent-mailbox-sim/server'
import { answerOf, type Transport } from '../transport.js'

/** `fetch` over a socket to the HTTP server. */
export const server: Transport = {
  name: 'server',
  async open({ baseUrl: _, ...options }) {
    const { url: baseUrl, simulator, close } = await startServer({ ...options, port: 0 })
    const request = async (method: string, path: string, parts = {}) =>
      answerOf(await fetch(`${baseUrl}${path}`, { method, ...parts }))
    return { simulator, baseUrl, request, close }
  },
}
