import { expect, it } from 'vitest'
import { askHandlers } from '../../../test/support/ask-handlers.js'
import { createSimulator } from '../../doors/simulator/create-simulator.js'

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }

it.each([
  ['agent+event', 'agent, event'],
  ['agent_handle+event_type', 'agent_handle, event_type'],
  ['handle+type', 'handle, type'],
])('lists the filters in the error for an unknown parameter under %s', async (filters, listed) => {
  const assumptions = { 'query.unknown-parameters': 'rejected', 'webhooks.filter-names': filters } as never
  const sim = await createSimulator({ scenario, assume: assumptions })
  const { body } = await askHandlers(sim, 'GET', '/webhooks?colour=red')
  const message = `There is no query parameter "colour" here; expected one of ${listed}.`
  expect(body).toMatchObject({ error: { message } })
  const [exchange] = sim.journal.exchanges()
  expect(exchange?.reliances.map(({ gap }) => gap)).toContain('webhooks.filter-names')
})
