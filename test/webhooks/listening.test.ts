import { createSimulator, type Delivery, type Simulator } from 'agent-mailbox-sim'
import { type ListeningSimulator, type ListenOptions, listen } from 'agent-mailbox-sim/node'
import {
  bypass,
  getResponse,
  HttpResponse,
  type HttpResponseResolver,
  http,
  passthrough,
  type RequestHandler,
  ws,
} from 'msw'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { answering, startReceiver } from '../deliveries/receiver.js'

const scenario = { scenario: 'desk', identities: [{ handle: 'support' }, { handle: 'sales' }] }
const hook = 'http://agent.test/hook'

/** Creates a simulator that intercepts requests of this process until the test ends. */
async function open(options: ListenOptions = {}): Promise<ListeningSimulator> {
  const sim = await listen({ scenario, ...options })
  onTestFinished(() => sim.close())
  return sim
}

/** Receives a mail and waits for the first attempt of its delivery to a URL. */
async function told(sim: Simulator, url = hook): Promise<Delivery> {
  sim.webhooks.create({ url, events: ['message.received'], authToken: 'hook-token' })
  const { message } = await sim.mail.receive({ to: 'support', subject: 'Refund?', text: 'Any news?' })
  const first = { delivery: 'message.received', message: message.id, status: 'any', attempts: 1 } as const
  return sim.waitFor(first, { timeout: '20s' })
}

/** Starts a real server that counts its connections. */
async function startBystander() {
  const { origin, connections } = await startReceiver({ '/hook': answering(200) })
  return { url: `${origin}/hook`, connections }
}

describe('deliveries of an in-process simulator', () => {
  it('go to the MSW handlers of a test', async () => {
    const sim = await open()
    const seen: { token: string | null; body: unknown }[] = []
    sim.server.use(
      http.post(hook, async ({ request }) => {
        seen.push({ token: request.headers.get('authorization'), body: await request.json() })
        return HttpResponse.json({ taken: true }, { status: 202 })
      }),
    )
    const delivery = await told(sim)
    expect(delivery).toMatchObject({ status: 'succeeded', url: hook })
    expect(delivery.attempts).toMatchObject([{ response: { status: 202, body: '{"taken":true}' } }])
    expect(seen).toMatchObject([
      { token: 'Bearer hook-token', body: { event: 'message.received', data: { subject: 'Refund?' } } },
    ])
    expect(sim.journal.exchanges()).toEqual([])
  })

  it('go to the current handlers', async () => {
    const sim = await open()
    sim.server.use(
      http.post(hook, () => new HttpResponse(null, { status: 500 }), { once: true }),
      http.post(hook, () => new HttpResponse(null, { status: 503 })),
    )
    expect((await told(sim)).attempts).toMatchObject([{ response: { status: 500 } }])
    await sim.clock.advance('15s')
    sim.server.resetHandlers()
    await sim.clock.advance('1m')
    const [{ status, attempts } = { status: '', attempts: [] }] = sim.deliveries.list()
    expect(status).toBe('captured')
    expect(attempts).toMatchObject([
      { response: { status: 500 } },
      { response: { status: 503 } },
      { response: null, error: { code: 'captured' } },
    ])
  })

  it('are captured without a handler and never sent', async () => {
    const bystander = await startBystander()
    const sim = await open()
    sim.server.use(http.post('http://elsewhere.test/hook', () => new HttpResponse()))
    const delivery = await told(sim, bystander.url)
    expect(delivery).toMatchObject({ status: 'captured', attempts: [{ error: { code: 'captured' } }] })
    expect(delivery.reason).toContain('sim.webhooks.on(url, handler)')
    expect(bystander.connections()).toBe(0)
    // All other requests still reach their servers.
    expect((await fetch(bystander.url)).status).toBe(200)
    expect(bystander.connections()).toBe(1)
  })

  it.each([
    ['passes them through', () => passthrough()],
    ['answers nothing', () => undefined],
  ])('are captured if a handler %s', async (_, answer) => {
    const bystander = await startBystander()
    const sim = await open()
    sim.server.use(http.post(bystander.url, answer))
    expect(await told(sim, bystander.url)).toMatchObject({ status: 'captured' })
    expect(bystander.connections()).toBe(0)
  })

  it('are sent if a handler passes them through', async () => {
    const bystander = await startBystander()
    const sim = await open()
    sim.server.use(http.post(hook, ({ request }) => fetch(bypass(bystander.url, { method: request.method }))))
    expect(await told(sim)).toMatchObject({ status: 'succeeded' })
    expect(bystander.connections()).toBe(1)
  })

  it.each<[string, HttpResponseResolver, object]>([
    ['answers with a network error', () => HttpResponse.error(), { error: { code: 'broken-off' } }],
    [
      'throws an error',
      () => {
        throw new TypeError('a defect')
      },
      { error: { code: 'threw', message: 'The receiver threw TypeError: a defect' } },
    ],
    [
      'throws an answer',
      () => {
        throw HttpResponse.text('No', { status: 401 })
      },
      { response: { status: 401, body: 'No' }, error: null },
    ],
    [
      'breaks off in the midst of its answer',
      () => new HttpResponse(new ReadableStream({ start: (body) => body.error(new Error('enough')) })),
      { response: { status: 200 }, error: { code: 'incomplete' } },
    ],
  ])('fail if a handler %s', async (_, resolver, outcome) => {
    const onDefect = vi.fn()
    const sim = await open({ onDefect })
    sim.server.use(http.post(hook, resolver))
    const { status, attempts, next_attempt_at } = await told(sim)
    expect({ status, attempts }).toMatchObject({ status: 'pending', attempts: [outcome] })
    expect(next_attempt_at).not.toBeNull()
    expect(onDefect).not.toHaveBeenCalled()
  })
})

describe('a delivery to the address of the service itself', () => {
  it.each([
    ['http://mailbox.test', 'http://mailbox.test/hook'],
    ['http://mailbox.test', 'http://mailbox.test/api/v1/webhooks'],
    ['http://mailbox.test', 'http://mailbox.test/v1/webhooks'],
    ['*', 'http://agent.test/api/v1/webhooks'],
    ['*', 'http://agent.test/attachments/att_1/x.txt'],
  ])('at %s does not request it: %s', async (baseUrl, url) => {
    const sim = await open({ baseUrl })
    expect(await told(sim, url)).toMatchObject({ status: 'captured' })
    expect(sim.journal.exchanges()).toEqual([])
  })

  it('goes to a handler of the test', async () => {
    const sim = await open({ baseUrl: '*' })
    const url = 'http://mailbox.test/api/v1/my-hook'
    sim.server.use(http.post(url, () => new HttpResponse()))
    expect(await told(sim, url)).toMatchObject({ status: 'succeeded' })
  })
})

describe('the links of a delivery', () => {
  it.each([
    ['*', 'http://mailbox.test'],
    ['https://mail.test/sub', 'https://mail.test/sub'],
  ])('at %s are absolute, and those that controls show', async (baseUrl, base) => {
    const sim = await open({ baseUrl, assume: { 'events.data': 'flat-full' } })
    const fetched: [string, string][] = []
    sim.webhooks.on(hook, async (request) => {
      const [{ url }] = (await request.json()).data.attachments
      const response = await fetch(url, { headers: { authorization: `Bearer ${sim.apiKey}` } })
      fetched.push([url, await response.text()])
    })
    sim.webhooks.create({ url: hook, events: ['message.received'] })
    const attachments = [{ filename: 'a.txt', content: btoa('hello') }]
    const { message } = await sim.mail.receive({ to: 'support', text: 'See below.', attachments })
    await sim.waitFor({ delivery: 'message.received', message: message.id, status: 'any', attempts: 1 })
    const url = message.attachments[0]?.url
    expect(url).toMatch(`${base}/attachments/`)
    expect(fetched).toEqual([[url, 'hello']])
  })
})

describe('the receiver of a delivery', () => {
  it('is that of the world before any MSW handler', async () => {
    const sim = await open()
    const fork = sim.fork()
    sim.server.use(http.post(hook, () => HttpResponse.text('server')))
    const stop = fork.webhooks.on(hook, () => new Response('fork'))
    const bodyOf = ({ attempts }: Delivery) => attempts[0]?.response?.body
    expect(bodyOf(await told(sim))).toBe('server')
    expect(bodyOf(await told(fork))).toBe('fork')
    stop()
    expect(bodyOf(await told(fork))).toBe('server')
    expect(sim.deliveries.list()).toHaveLength(1)
  })

  it('is the given receiver instead of the handlers', async () => {
    const urls: string[] = []
    const sim = await open({ receiver: ({ url }) => void urls.push(url) })
    sim.server.use(http.post(hook, () => new HttpResponse()))
    expect(await told(sim)).toMatchObject({ status: 'captured' })
    expect(urls).toEqual([hook])
  })

  it('is no handler without a request', async () => {
    const sim = await open()
    sim.server.use(ws.link('ws://agent.test/*').addEventListener('connection', () => undefined))
    expect(await told(sim)).toMatchObject({ status: 'captured' })
  })

  it('can be an MSW server of the test, as documented', async () => {
    const bystander = await startBystander()
    const server = setupServer(http.post(hook, () => new HttpResponse()))
    const sim = await createSimulator({
      scenario,
      receiver: (request) => getResponse(server.listHandlers() as RequestHandler[], request),
    })
    server.use(...sim.handlers)
    expect(await told(sim)).toMatchObject({ status: 'succeeded' })
    server.use(http.post(bystander.url, () => passthrough()))
    expect(await told(sim, bystander.url)).toMatchObject({ status: 'captured' })
    expect(await told(sim, 'http://mailbox.test/api/v1/webhooks')).toMatchObject({ status: 'captured' })
    expect(bystander.connections()).toBe(0)
    expect(sim.journal.exchanges()).toEqual([])
  })
})

it('a delivery has URLs of files below the base URL', async () => {
  const baseUrl = 'https://mail.test/v2'
  const sim = await open({ baseUrl, assume: { 'events.data': 'nested' } })
  const seen: string[] = []
  sim.webhooks.on(hook, async (request) => void seen.push(await request.text()))
  sim.webhooks.create({ url: hook, events: ['message.received'] })
  const attachments = [{ filename: 'a.txt', content: 'aGVsbG8=' }]
  const { message } = await sim.mail.receive({ to: 'support', attachments })
  await sim.waitFor({ delivery: 'message.received' }, { timeout: '20s' })
  const [shown] = JSON.parse(seen[0] ?? '').data.message.attachments
  expect(shown.url).toBe(message.attachments[0]?.url)
  expect(await (await fetch(shown.url)).text()).toBe('hello')
})
