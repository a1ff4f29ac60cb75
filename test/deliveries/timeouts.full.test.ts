import { listen } from 'agent-mailbox-sim/node'
import { http } from 'msw'
import { expect, it, onTestFinished, vi } from 'vitest'
import { receiveMail, serve, settledDelivery, subscribe, until } from './desk.js'
import { hanging, hangingInBody, startReceiver } from './receiver.js'

// An advance of a frozen clock waits for such receivers, some seconds of wall time.

const hook = 'http://agent.test/hook'

it('ends an attempt at its timeout and closes the connection', async () => {
  const receiver = await startReceiver({ '/hook': hanging, '/body': hangingInBody })
  const { simulator } = await serve({ assume: { 'events.timeout': '5s', 'events.retries': 'svix' } })
  for (const path of ['/hook', '/body']) subscribe(simulator, receiver.origin + path)
  await receiveMail(simulator)
  await until(() => receiver.received.length === 2)
  await simulator.clock.advance('5s')
  for (const { attempts } of simulator.deliveries.list()) {
    expect(attempts).toMatchObject([{ duration_ms: 5000, response: null, error: { code: 'timeout' } }])
  }
  await until(() => receiver.open() === 0)
})

it('fails a delivery whose handler does not answer in time, and aborts its request', async () => {
  const sim = await listen({ scenario: { scenario: 'desk', identities: [{ handle: 'support' }] } })
  onTestFinished(() => sim.close())
  // Keeps the requests: Node stops aborting a request that was garbage-collected, even if its signal is in use.
  const requests: Request[] = []
  sim.server.use(
    http.post(hook, ({ request }) => {
      requests.push(request)
      return new Promise<never>(() => undefined)
    }),
  )
  subscribe(sim, hook)
  await receiveMail(sim)
  await vi.waitUntil(() => requests.length > 0, { timeout: 20_000 })
  expect(requests[0]?.signal.aborted).toBe(false)
  await sim.clock.advance('10s')
  expect((await settledDelivery(sim)).attempts).toMatchObject([
    { duration_ms: 10_000, error: { code: 'timeout' } },
  ])
  expect(requests[0]?.signal.aborted).toBe(true)
})
