import { startServer } from 'agent-mailbox-sim/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { answering, startReceiver } from '../deliveries/receiver.js'
import { ask } from './control-client.js'

it('a receiver at any port can replace that of the scenario', async () => {
  const server = await startServer({ scenario: 'duplicate-delivery', clock: 'frozen', port: 0 })
  onTestFinished(async () => void (await server.close()))
  const { origin, received } = await startReceiver({ '/hooks/orders': answering(200) })
  const url = `${origin}/hooks/orders`
  const bodies = () => received.map(({ body }) => JSON.parse(body))

  const { body } = await ask(server, 'GET', '/webhooks')
  const [{ id, events, agent_handle }, ...others] = body.webhooks
  expect(others).toEqual([])
  expect((await ask(server, 'DELETE', `/webhooks/${id}`)).status).toBe(204)
  expect((await ask(server, 'POST', '/webhooks', { body: { url, events, agent_handle } })).status).toBe(201)
  await ask(server, 'POST', '/clock', { body: { advance: '5m' } })

  // Real time passes on the way to a receiver, more of it on a busy machine than an advance waits for.
  await vi.waitFor(
    () => {
      const deliveries = server.simulator.deliveries.list()
      expect(deliveries.map((delivery) => delivery.url)).toEqual(new Array(5).fill(url))
      expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['succeeded']))
      expect(new Set(bodies().map(({ id }) => id)).size).toBe(5)
      expect(received.length).toBeGreaterThan(5)
    },
    { timeout: 30_000 },
  )
  expect(bodies().map(({ data }) => data.subject)).toContain('Order 5208')
}, 60_000)
