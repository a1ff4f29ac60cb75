import { getResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { createSimulator } from '../src/doors/simulator/create-simulator.js'
import type { SimulatorOptions } from '../src/doors/simulator/options.js'
import type { Simulator } from '../src/doors/simulator/simulator.js'
import type { Exchange } from '../src/service/world/exchange.js'

const open = (options: SimulatorOptions = {}) =>
  createSimulator({
    scenario: { scenario: 'desk', identities: [{ handle: 'eva' }], webhooks: [hook] },
    ...options,
  })

const hook = {
  url: 'http://127.0.0.1/hook',
  events: ['message.received' as const],
  auth_token: 'hook-secret',
}

/** Sends a request and returns its exchange in the journal. */
async function exchangeOf(
  simulator: Simulator,
  method: string,
  path: string,
  body?: string,
): Promise<Exchange> {
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
  const init = { method, headers, ...(body !== undefined && { body }) }
  await getResponse(simulator.handlers, new Request(`http://mailbox.test${path}`, init))
  return simulator.journal.exchanges().at(-1) as Exchange
}

/** Requests that are no operation: likely typos, undocumented operations, and requests to other services. */
const strays = [
  'GET /api/v1/threads',
  'GET /api/v1/mail/thread',
  'PATCH /api/v1/identites/eva',
  'GET /api/v1/webhooks/',
  'GET /v1/mail/threads',
  'GET /mail/messages',
  'GET /api/v2/identities/eva',
  'GET /webhooks',
  'GET /api/v1/identities',
  'DELETE /api/v1/identities/eva',
  'GET /api/v1/mail/threads/thrd_1',
  'POST /api/v1/mail/threads/thrd_1/read',
  'PATCH /api/v1/mail/threads/thrd_1',
  'GET /api/v1/mail/messages/msg_1',
  'POST /api/v1/mail/messages',
  'POST /api/v1/mail/messages/msg_1/reply',
  'POST /api/v1/mail/send',
  'POST /api/v1/webhooks',
  'DELETE /api/v1/webhooks/whk_1',
  'GET /api/v1/whoami',
  `GET /api/v1/${'long/'.repeat(90)}`,
  'GET /',
  'GET /index.html',
  'GET /threads',
  'GET /api/v1x/identities/eva/threads',
  'GET /api/v2/users',
  'GET /a/b/c/webhooks',
  'GET /attachments/x',
]

describe('the journal', () => {
  it('has the time of a command that its mail has, on a clock that runs', async () => {
    const simulator = await open({ clock: 'real' })
    let elapsed = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (elapsed += 10))
    await simulator.mail.receive({ to: 'eva', from: 'Ann <ann@example.com>', text: 'Hello' })
    clock.mockRestore()
    const [thread] = simulator.threads.list()
    expect(thread?.created_at).toBe(simulator.journal.commands().at(-1)?.at)
  })

  it('keeps a request with its answer, with masked key and token', async () => {
    const exchange = await exchangeOf(await open(), 'GET', '/api/v1/webhooks?agent=eva&event=a&event=b')
    expect(exchange).toMatchObject({
      seq: 1,
      at: '2026-01-05T09:00:00.000Z',
      world: 'world_1',
      operation: 'webhooks.list',
      method: 'GET',
      path: '/api/v1/webhooks',
      query: { agent: 'eva', event: ['a', 'b'] },
      status: 200,
      near_miss: null,
    })
    const { response } = await exchangeOf(await open(), 'GET', '/api/v1/webhooks')
    expect(response.body).toContain('"auth_token":"***"')
    expect(exchange.request.headers['authorization']).toBe('Bearer ***')
    expect(JSON.stringify([exchange, response])).not.toMatch(/test-key|hook-secret/)
  })

  it('keeps the body of an unknown request with masked secrets', async () => {
    const sim = await open()
    const body = '{"agent":"eva","to":["ann@shop.example"],"auth_token":"hook-secret"}'
    for (const [method, path] of [
      ['POST', '/api/v1/mail/messages'],
      ['POST', '/api/v1/mail/send'],
      ['DELETE', '/api/v1/webhooks/whk_1'],
    ] as const) {
      const { operation, request } = await exchangeOf(sim, method, path, body)
      expect(operation).toBeNull()
      expect(request.body).toBe(body.replace('hook-secret', '***'))
    }
    expect((await exchangeOf(sim, 'POST', '/api/v1/mail/send')).request.body).toBeNull()
  })

  it('keeps the body of an update', async () => {
    const exchange = await exchangeOf(
      await open(),
      'PATCH',
      '/api/v1/identities/eva',
      '{"display_name":"Eva"}',
    )
    expect(exchange).toMatchObject({
      operation: 'identities.update',
      request: { body: '{"display_name":"Eva"}' },
    })
    expect(JSON.parse(exchange.response.body ?? '').display_name).toBe('Eva')
  })

  it('explains requests that are no operation, and ignores those to other services', async () => {
    const lines: string[] = []
    for (const request of strays) {
      const sim = await open({ onUndocumented: () => undefined })
      const [method, path] = request.split(' ') as [string, string]
      const { seq, status, near_miss } = (await exchangeOf(sim, method, path)) ?? {}
      lines.push(`${request.slice(0, 60)} → ${seq === undefined ? 'ignored' : `${status} ${near_miss}`}`)
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('fixtures/near-misses.txt')
    const anywhere = await open({ baseUrl: '*' })
    for (const sim of [anywhere, await open()]) {
      await getResponse(sim.handlers, new Request('http://shop.test/v1/mail/threads'))
      expect(sim.journal.exchanges()).toEqual([])
    }
  })

  it('tells an explanation to the client, and once to the console', async () => {
    const told: string[] = []
    const simulator = await open({ onUndocumented: (explanation) => told.push(explanation) })
    const { response, near_miss } = await exchangeOf(simulator, 'POST', '/api/v1/mail/messages', '{}')
    expect(JSON.parse(response.body ?? '').error.message).toBe(near_miss)
    await exchangeOf(simulator, 'POST', '/api/v1/mail/messages', '{}')
    expect(told).toEqual([near_miss])
    for (const id of ['msg_0000000000000001', 'msg_0000000000000002'])
      await exchangeOf(simulator, 'POST', `/api/v1/mail/messages/${id}/reply`, '{}')
    expect(told).toEqual([near_miss, expect.stringContaining('/msg_0000000000000001/reply')])
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    await exchangeOf(await open(), 'POST', '/api/v1/mail/messages', '{}')
    expect(warned).toHaveBeenCalledWith(`agent-mailbox-sim: ${near_miss}`)
  })

  it('keeps a request that it leaves to others in the world of its key', async () => {
    const simulator = await open()
    const fork = simulator.fork()
    const headers = { authorization: `Bearer ${fork.apiKey}` }
    const request = new Request('http://mailbox.test/v1/mail/threads', { headers })
    expect(await getResponse(simulator.handlers, request)).toBeUndefined()
    expect(simulator.journal.exchanges()).toEqual([])
    expect(fork.journal.exchanges()).toMatchObject([{ operation: null, path: '/v1/mail/threads', status: 0 }])
  })

  it('names the operation of a path with a trailing slash if the assumption allows it', async () => {
    const simulator = await open()
    expect(await exchangeOf(simulator, 'GET', '/api/v1/webhooks/')).toMatchObject({
      operation: null,
      status: 404,
    })
    simulator.assumptions.set({ 'path.trailing-slash': 'same' })
    const exchange = await exchangeOf(simulator, 'GET', '/api/v1/webhooks/')
    expect(exchange).toMatchObject({ operation: 'webhooks.list', status: 200, near_miss: null })
  })

  it('is empty after a reset and can be disabled', async () => {
    const simulator = await open()
    await exchangeOf(simulator, 'GET', '/api/v1/webhooks')
    simulator.reset()
    expect(simulator.journal.exchanges()).toEqual([])
    const unobserved = await createSimulator({ scenario: { scenario: 'desk' }, journal: false })
    expect(await exchangeOf(unobserved, 'GET', '/api/v1/webhooks')).toBeUndefined()
  })
})
