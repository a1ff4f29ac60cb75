import { networkInterfaces } from 'node:os'
import { startServer } from 'agent-mailbox-sim/server'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { receiveMail, serve, settledDelivery, subscribe } from './desk.js'
import { answering, startListener, startReceiver } from './receiver.js'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

/** Returns addresses other than loopback that reach a listener at every IPv4 address. */
function addressesBeyondLoopback(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  const external = own.filter(({ internal, family }) => !internal && family === 'IPv4')
  return ['0.0.0.0', ...external.map(({ address }) => address)]
}

/** Other spellings of an IPv4 address, from its four numbers. */
function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const mapped = [a * 256 + b, c * 256 + d].map((part) => part.toString(16)).join(':')
  return [
    address,
    String(whole),
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    `0${a.toString(8)}.${b}.${c * 256 + d}`,
    `0x${a.toString(16)}.${b * 65_536 + c * 256 + d}`,
    `[::ffff:${address}]`,
    `[0:0:0:0:0:ffff:${mapped}]`,
  ]
}

/** Makes one delivery to a URL. */
async function delivered(url: string, options = {}) {
  const { simulator } = await serve(options)
  subscribe(simulator, url)
  await receiveMail(simulator)
  return settledDelivery(simulator)
}

describe('an address other than loopback', () => {
  it('is blocked in any spelling with the reason and the remedy', async () => {
    const listener = await startListener(undefined, '0.0.0.0')
    const { port } = new URL(listener.origin)
    for (const address of addressesBeyondLoopback()) {
      for (const spelling of spellings(address)) {
        const delivery = await delivered(`http://${spelling}:${port}/hook`)
        const { hostname } = new URL(`http://${spelling}`)
        const reason = `Deliveries go only to loopback addresses such as 127.0.0.1, and ${hostname}:${port} is not one; --allow-delivery-to ${hostname}:${port} allows it.`
        expect(delivery).toMatchObject({
          status: 'blocked',
          reason,
          next_attempt_at: null,
          attempts: [{ response: null, error: { code: 'blocked', message: reason } }],
        })
      }
    }
    expect(listener.connections()).toBe(0)
  })

  it('receives deliveries at an allowed port', async () => {
    const receiver = await startReceiver({ '/hook': answering(200) }, '0.0.0.0')
    const { port } = new URL(receiver.origin)
    for (const address of addressesBeyondLoopback()) {
      const url = `http://${address}:${port}/hook`
      for (const allowed of [address, `${address}:${port}`, `[::ffff:${address}]:${port}`]) {
        expect((await delivered(url, { allowDeliveriesTo: ['hooks.example', allowed] })).status).toBe(
          'succeeded',
        )
      }
      for (const allowed of [`${address}:1`, '192.0.2.77', 'localhost']) {
        expect((await delivered(url, { allowDeliveriesTo: [allowed] })).status).toBe('blocked')
      }
    }
  })

  it('is blocked for a redelivery', async () => {
    const listener = await startListener(undefined, '0.0.0.0')
    const { simulator } = await serve()
    subscribe(simulator, `${listener.origin}/hook`)
    await receiveMail(simulator)
    const { id } = await settledDelivery(simulator)
    expect((await simulator.deliveries.redeliver(id)).attempts.map(({ error }) => error?.code)).toEqual([
      'blocked',
      'blocked',
    ])
    expect(listener.connections()).toBe(0)
  })
})

it('a loopback address receives deliveries in any spelling', async () => {
  const receiver = await startReceiver({ '/hook': answering(200) })
  const { port } = new URL(receiver.origin)
  const all = [...spellings('127.0.0.1'), '127.1', 'localhost', 'LOCALHOST.', 'desk.localhost']
  for (const spelling of all) {
    expect((await delivered(`http://${spelling}:${port}/hook`)).status).toBe('succeeded')
  }
  expect(receiver.received).toHaveLength(all.length)
})

describe('a delivery', () => {
  it('ignores the proxies of the environment', async () => {
    const proxy = await startListener()
    const receiver = await startReceiver({ '/hook': answering(200) })
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy']) {
      vi.stubEnv(name, proxy.origin)
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    expect((await delivered(`${receiver.origin}/hook`)).status).toBe('succeeded')
    expect(proxy.connections()).toBe(0)
  })

  it('ignores interceptors of this process', async () => {
    const receiver = await startReceiver({ '/hook': answering(200) })
    const taken: string[] = []
    const interceptor = setupServer(
      http.all('*', ({ request }) => {
        taken.push(request.url)
        return new HttpResponse(null, { status: 500 })
      }),
    )
    interceptor.listen({ onUnhandledRequest: 'error' })
    try {
      expect((await delivered(`${receiver.origin}/hook`)).status).toBe('succeeded')
    } finally {
      interceptor.close()
    }
    vi.stubGlobal('fetch', () => taken.push('fetch'))
    expect((await delivered(`${receiver.origin}/hook`)).status).toBe('succeeded')
    expect(taken).toEqual([])
    expect(receiver.received).toHaveLength(2)
  })
})

it('a receiver in this process has priority over the network', async () => {
  const listener = await startListener()
  const { simulator } = await serve()
  const taken: string[] = []
  simulator.webhooks.on(`${listener.origin}/hook`, ({ url }) => void taken.push(url))
  subscribe(simulator, `${listener.origin}/hook`)
  await receiveMail(simulator)
  expect((await settledDelivery(simulator)).status).toBe('succeeded')
  expect(taken).toEqual([`${listener.origin}/hook`])
  expect(listener.connections()).toBe(0)
})

it('a receiver given to the server gets all deliveries', async () => {
  const listener = await startListener()
  const taken: string[] = []
  const { simulator } = await serve({ receiver: ({ url }) => void taken.push(url) })
  subscribe(simulator, `${listener.origin}/hook`)
  await receiveMail(simulator)
  expect((await settledDelivery(simulator)).status).toBe('captured')
  expect(taken).toEqual([`${listener.origin}/hook`])
  expect(listener.connections()).toBe(0)
})

it.each([
  'http://hooks.example',
  'hooks example',
  'hooks.example:0',
  'a:70000',
  '*',
  '',
  'fd00::7',
  '[fd00::7',
])('an invalid delivery target is refused: %s', async (wrong) => {
  await expect(startServer({ port: 0, allowDeliveriesTo: ['hooks.example', wrong] })).rejects.toMatchObject({
    name: 'ServerError',
    code: 'unknown-host',
    message: expect.stringContaining(`"${wrong}"`),
  })
})
