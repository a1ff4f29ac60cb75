import { getResponse } from 'msw'
import { expect, it } from 'vitest'
import { createSimulator } from '../simulator/create-simulator.js'

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }] }

/** Asks for webhooks with a parameter nobody has, where those are refused. */
async function refusalUnder(names: string): Promise<string> {
  const readings = { 'query.unknown-parameters': 'rejected', 'webhooks.filter-names': names }
  const sim = await createSimulator({ scenario, readings })
  const request = new Request('http://mailbox.test/api/v1/webhooks?colour=red')
  request.headers.set('authorization', `Bearer ${sim.apiKey}`)
  const response = await getResponse(sim.handlers, request)
  const [exchange] = sim.journal.exchanges()
  expect(exchange?.reliances.map(({ gap }) => gap)).toContain('webhooks.filter-names')
  const body = (await response?.json()) as { error: { message: string } } | undefined
  return body?.error.message ?? ''
}

it('names the filters there are where a parameter is refused', async () => {
  for (const [reading, names] of [
    ['agent+event', 'agent, event'],
    ['agent_handle+event_type', 'agent_handle, event_type'],
    ['handle+type', 'handle, type'],
  ] as const) {
    expect(await refusalUnder(reading)).toBe(`There is no query parameter "colour" here; there is ${names}.`)
  }
})
