import { createSimulator, defineScenario, type Message, type Simulator } from 'agent-mailbox-sim'
import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'

const url = 'http://agent.test/hook'

const scenario = defineScenario({
  scenario: 'asking',
  organization: { api_keys: ['asking-key'] },
  identities: [{ handle: 'eva' }],
  webhooks: [{ url, events: ['message.received'] }],
  timeline: [
    { after: '1m', receive: { to: 'eva', text: 'First' } },
    { after: '2m', receive: { to: 'eva', text: 'Second' } },
  ],
})

/** Sends a request to the service from a receiver. */
async function ask({ handlers, baseUrl, apiKey }: Simulator, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const response = await getResponse(handlers, new Request(`${baseUrl}/api/v1${path}`, { ...init, headers }))
  if (!response) throw new Error(`No handler takes ${path}.`)
  return response
}

describe('a receiver that calls the service', () => {
  it('finds its message and can make changes during an advance', async () => {
    const sim = await createSimulator({ scenario })
    const found: string[] = []
    sim.webhooks.on(url, async (request) => {
      const { data } = (await request.json()) as { data: { thread_id: string; message_id: string } }
      const answer = await ask(sim, `/mail/messages?thread_id=${data.thread_id}`)
      const { messages } = (await answer.json()) as { messages: Message[] }
      found.push(...messages.flatMap(({ id, text }) => (id === data.message_id ? [text ?? ''] : [])))
      const body = JSON.stringify({ description: `Has read ${found.length}` })
      return new Response(null, {
        status: (await ask(sim, '/identities/eva', { method: 'PATCH', body })).status,
      })
    })
    await sim.clock.advance('5m')
    expect(found).toEqual(['First', 'Second'])
    expect(sim.deliveries.list().map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(sim.identities.list()).toMatchObject([{ description: 'Has read 2' }])
    const updates = sim.journal.exchanges({ operation: 'identities.update' })
    expect(updates.map(({ at }) => Date.parse(at) - Date.parse(sim.start))).toEqual([60_000, 120_000])
  })
})
