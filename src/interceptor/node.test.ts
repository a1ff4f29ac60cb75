import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setupServer } from 'msw/node'
import { expect, it, onTestFinished, vi } from 'vitest'
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

it('hints at the base URL where a request to another looks like one to the service', async () => {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  onTestFinished(() => void warnings.mockRestore())
  const mailbox = await listen({ scenario })
  onTestFinished(() => mailbox.close())
  // Nothing listens at port 9 of this machine: as with any other service, the request itself fails.
  const ask = (path: string) => fetch(`http://127.0.0.1:9${path}`).catch(() => undefined)
  for (const path of ['/api/v1/users', '/v1/chat', '/', '/api/v1/users/webhook']) await ask(path)
  expect([warnings.mock.calls, mailbox.journal.exchanges()]).toEqual([[], []])
  await ask('/api/v1/mail/threads?limit=5&token=hidden-token')
  await ask('/v2/api/v1/identities/support')
  const hint = (path: string) =>
    `GET http://127.0.0.1:9${path} is outside the base URL; the service is simulated at http://mailbox.test.`
  expect(warnings.mock.calls).toEqual([[`agent-mailbox-sim: ${hint('/api/v1/mail/threads')}`]])
  expect(mailbox.journal.exchanges()).toMatchObject([
    {
      operation: null,
      status: 0,
      query: { limit: '5', token: '***' },
      near_miss: hint('/api/v1/mail/threads'),
    },
    { operation: null, status: 0, near_miss: hint('/v2/api/v1/identities/support') },
  ])
})

it('keeps the body of a request that looks like one to the service', async () => {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  onTestFinished(() => void warnings.mockRestore())
  const mailbox = await listen({ scenario })
  onTestFinished(() => mailbox.close())
  const body = '{"display_name":"Busy"}'
  for (const url of [
    'http://127.0.0.1:9/api/v1/identities/support',
    'http://mailbox.test/v1/identities/support',
  ]) {
    await fetch(url, { method: 'PATCH', body }).catch(() => undefined)
  }
  await expect
    .poll(() => mailbox.journal.exchanges())
    .toMatchObject([
      { operation: null, status: 0, request: { body } },
      { operation: null, status: 0, request: { body } },
    ])
})

it('lets requests that go elsewhere through, unless told otherwise', async () => {
  const elsewhere = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  onTestFinished(() => void elsewhere.close())
  await once(elsewhere, 'listening')
  const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
  const get = async () => (await fetch(url)).text()
  const open = await listen({ scenario })
  const passed = await get()
  open.close()
  const closed = await listen({ scenario, onUnhandledRequest: 'error' })
  onTestFinished(() => closed.close())
  expect(passed).toBe('hello')
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await expect(get()).rejects.toThrow()
})
