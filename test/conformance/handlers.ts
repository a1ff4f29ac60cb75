import { getResponse } from 'msw'
import { once } from '../../src/base/once.js'
import { openSimulator } from '../../src/doors/simulator/create-simulator.js'
import { loadScenario } from '../../src/story/load.js'
import { conformanceScenario } from './scenario.js'
import { answerOf, type Transport } from './transport.js'

// Loaded once: each world keeps its changes in its own overlay.
const loaded = once(() => loadScenario(conformanceScenario, {}))

/** The handlers alone, without a transport. */
export const handlers: Transport = {
  name: 'handlers',
  async open(options) {
    const simulator = await openSimulator({
      ...options,
      ...(options.scenario === conformanceScenario && !options.extend && { initialState: await loaded() }),
    })
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
