import { listen } from 'agent-mailbox-sim/node'
import { answerOf, type Transport } from '../transport.js'

/** `fetch` of this process, intercepted. */
export const interceptor: Transport = {
  name: 'interceptor',
  async open(options) {
    const simulator = await listen({ ...options, onUnhandledRequest: 'error' })
    const { baseUrl } = simulator
    const request = async (method: string, path: string, parts = {}) =>
      answerOf(await fetch(`${baseUrl}${path}`, { method, ...parts }))
    return { simulator, baseUrl, request, close: () => simulator.close() }
  },
}
