import { getResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { createSimulator, type Exchange, type Simulator, type SimulatorOptions } from '../src/index.js'

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

  it.each([
    ['GET', '/api/v1/threads', 'GET /api/v1/mail/threads'],
    ['GET', '/api/v1/mail/thread', 'GET /api/v1/mail/threads'],
    ['PATCH', '/api/v1/identites/eva', 'PATCH /api/v1/identities/{handle}'],
    ['GET', '/api/v1/webhooks/', 'GET /api/v1/webhooks'],
  ])('suggests the nearest operation for %s %s', async (method, path, nearest) => {
    const exchange = await exchangeOf(await open(), method, path)
    expect(exchange.operation).toBeNull()
    expect(exchange.near_miss).toBe(`${method} ${path}: no such path; did you mean "${nearest}"?`)
  })

  it.each([
    ['GET', '/api/v1/identities', 'GET /_sim/identities (sim.identities.list)'],
    ['DELETE', '/api/v1/identities/eva', 'DELETE /_sim/identities/{handle} (sim.identities.delete)'],
    ['GET', '/api/v1/mail/threads/thrd_1', 'GET /_sim/threads/{id} (sim.threads.get)'],
    ['POST', '/api/v1/mail/threads/thrd_1/read', 'POST /_sim/threads/{id}/read (sim.threads.markRead)'],
    ['PATCH', '/api/v1/mail/threads/thrd_1', 'POST /_sim/threads/{id}/read (sim.threads.markRead)'],
    ['GET', '/api/v1/mail/messages/msg_1', 'GET /_sim/messages/{id}/raw (sim.mail.get)'],
    ['POST', '/api/v1/mail/messages', 'POST /_sim/messages (sim.mail.send)'],
    ['POST', '/api/v1/mail/messages/msg_1/reply', 'POST /_sim/messages (sim.mail.send)'],
    ['POST', '/api/v1/webhooks', 'POST /_sim/webhooks (sim.webhooks.create)'],
    ['DELETE', '/api/v1/webhooks/whk_1', 'DELETE /_sim/webhooks/{id} (sim.webhooks.delete)'],
    ['GET', '/api/v1/whoami', undefined],
    ['GET', `/api/v1/${'long/'.repeat(90)}`, undefined],
  ])('explains that %s %s is undocumented and how to add it', async (method, path, instead) => {
    const told: string[] = []
    const simulator = await open({ onUndocumented: (explanation) => told.push(explanation) })
    const body = method === 'GET' ? undefined : '{"to":["ann@example.com"]}'
    const exchange = await exchangeOf(simulator, method, path, body)
    const shown = path.length > 60 ? `${path.slice(0, 59)}…` : path
    const offered = instead === undefined ? '' : ` The simulator has ${instead} for it.`
    const shipped = path.includes('long') ? '' : '--extend common, or '
    const explanation =
      `The interface does not show ${method} ${shown}.${offered} To add it: ${shipped}your own extension ` +
      '(docs/extensions.md).'
    expect(exchange).toMatchObject({ operation: null, near_miss: explanation })
    expect(exchange.request.body).toBe(body ?? null)
    expect(JSON.parse(exchange.response.body ?? '').error.message).toBe(explanation)
    await exchangeOf(simulator, method, path, body)
    expect(told).toEqual([explanation])
  })

  it.each([
    ['/v1/mail/threads', 'GET /api/v1/mail/threads'],
    ['/mail/messages', 'GET /api/v1/mail/messages'],
    ['/api/v2/identities/eva', 'GET /api/v1/identities/{handle}'],
    ['/webhooks', 'GET /api/v1/webhooks'],
  ])('keeps the unanswered request %s because it resembles an operation', async (path, nearest) => {
    const simulator = await open()
    const fork = simulator.fork()
    const headers = { authorization: `Bearer ${fork.apiKey}` }
    const answer = await getResponse(
      simulator.handlers,
      new Request(`http://mailbox.test${path}`, { headers }),
    )
    expect(answer).toBeUndefined()
    expect(simulator.journal.exchanges()).toEqual([])
    expect(fork.journal.exchanges()).toMatchObject([
      {
        operation: null,
        path,
        status: 0,
        near_miss: `GET ${path}: no such path; did you mean "${nearest}"?`,
      },
    ])
  })

  it('ignores requests to other services', async () => {
    const simulator = await open()
    const anywhere = await createSimulator({ scenario: { scenario: 'desk' }, baseUrl: '*' })
    for (const path of [
      '/',
      '/index.html',
      '/threads',
      '/api/v1x/identities/eva/threads',
      '/api/v2/users',
      '/a/b/c/webhooks',
      '/attachments/x',
    ]) {
      await getResponse(simulator.handlers, new Request(`http://mailbox.test${path}`))
    }
    await getResponse(simulator.handlers, new Request('http://shop.test/v1/mail/threads'))
    await getResponse(anywhere.handlers, new Request('http://shop.test/v1/mail/threads'))
    expect([...simulator.journal.exchanges(), ...anywhere.journal.exchanges()]).toEqual([])
  })

  it('names the operation of a path with a trailing slash if the reading allows it', async () => {
    const simulator = await open()
    expect(await exchangeOf(simulator, 'GET', '/api/v1/webhooks/')).toMatchObject({
      operation: null,
      status: 404,
    })
    simulator.readings.set({ 'path.trailing-slash': 'same' })
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
