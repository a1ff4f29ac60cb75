import { setupServer } from 'msw/node'
import { expect, it, onTestFinished } from 'vitest'
import { createSimulator } from '../simulator/create-simulator.js'
import { listen } from './node.js'

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }

it('takes no simulator, and says what does: the handlers of one that is there', async () => {
  const sim = await createSimulator({ scenario })
  onTestFinished(() => sim.close())
  for (const given of [sim, sim.fork()]) {
    await expect(listen(given as object)).rejects.toThrow(
      new TypeError(
        'listen() makes a simulator of its own, from options such as { scenario: "support-desk" }; it was given a ' +
          'simulator. To have that one intercept requests: setupServer(...simulator.handlers).listen(), with ' +
          'setupServer of msw/node.',
      ),
    )
  }
  const server = setupServer(...sim.handlers)
  server.listen()
  onTestFinished(() => server.close())
  const headers = { authorization: `Bearer ${sim.apiKey}` }
  const answer = await fetch(`${sim.baseUrl}/api/v1/identities/support`, { headers })
  expect(await answer.json()).toMatchObject({ agent_handle: 'support' })
})
