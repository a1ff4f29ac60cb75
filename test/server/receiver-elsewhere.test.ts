import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { startServer } from 'agent-mailbox-sim/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ask } from './control-client.js'

interface Told {
  readonly id: string
  readonly data: { readonly subject: string }
}

/** A receiver on whichever port is free. */
async function listen(take: (told: Told) => void): Promise<string> {
  const receiver = createServer(async (request, response) => {
    take((await json(request)) as Told)
    response.end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks/orders`
}

it('a receiver at any port can replace that of the scenario', async () => {
  const server = await startServer({ scenario: 'duplicate-delivery', clock: 'frozen', port: 0 })
  onTestFinished(async () => void (await server.close()))
  const told: Told[] = []
  const url = await listen((news) => void told.push(news))

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
      expect(new Set(told.map((news) => news.id)).size).toBe(5)
      expect(told.length).toBeGreaterThan(5)
    },
    { timeout: 30_000 },
  )
  expect(told.map(({ data }) => data.subject)).toContain('Order 5208')
}, 60_000)
