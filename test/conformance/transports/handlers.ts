import { createSimulator } from 'agent-mailbox-sim'
import { getResponse } from 'msw'
import { answerOf, type Transport } from '../transport.js'

/** The handlers alone, without anything that sends. */
export const handlers: Transport = {
  name: 'handlers',
  async open(options) {
    const simulator = await createSimulator(options)
    const { baseUrl } = simulator
    const request = async (method: string, path: string, parts = {}) => {
      const response = await getResponse(
        simulator.handlers,
        new Request(`${baseUrl}${path}`, { method, ...parts }),
      )
      if (!response) throw new Error(`No handler takes ${method} ${path}.`)
      return answerOf(response)
    }
    return { simulator, baseUrl, request, close: () => simulator.close() }
  },
}
