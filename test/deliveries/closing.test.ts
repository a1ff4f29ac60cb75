import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { receiveMail, serve, settledDeliveries, subscribe, until } from './desk.js'
import { answering, hanging, hangingInBody, startListener, startReceiver } from './receiver.js'

it('close() interrupts attempts in flight and records it', async () => {
  const receiver = await startReceiver({ '/hook': hanging, '/body': hangingInBody })
  // Accepts connections without the handshake of TLS.
  const silent = await startListener()
  const server = await serve({ clock: 'real', assume: { 'events.timeout': '30s' } })
  const { simulator } = server
  subscribe(simulator, `${receiver.origin}/hook`)
  subscribe(simulator, `${receiver.origin}/body`)
  subscribe(simulator, `${silent.origin.replace('http:', 'https:')}/hook`)
  await receiveMail(simulator)
  await receiveMail(simulator)
  await until(() => receiver.received.length === 2 && silent.open() === 1)
  await server.close()
  expect(server.interrupted).toBe(6)
  const deliveries = simulator.deliveries.list()
  expect(deliveries).toHaveLength(6)
  for (const { status, reason, next_attempt_at } of deliveries) {
    expect({ status, reason, next_attempt_at }).toEqual({
      status: 'interrupted',
      reason: 'The world was closed before the delivery had finished.',
      next_attempt_at: null,
    })
  }
  const [first, second] = [deliveries.slice(0, 3), deliveries.slice(3)]
  for (const { attempts } of first) {
    const message = 'The world was closed before the receiver responded.'
    expect(attempts).toMatchObject([
      { duration_ms: expect.any(Number), response: null, error: { code: 'interrupted', message } },
    ])
  }
  // They had waited for the end of the first ones.
  expect(second.map(({ attempts }) => attempts)).toEqual([[], [], []])
  await until(() => receiver.open() === 0 && silent.open() === 0)
})

it('close() interrupts deliveries that wait for a retry in every world', async () => {
  const receiver = await startReceiver({ '/hook': answering(500), '/fine': answering(200) })
  const server = await serve()
  const { simulator } = server
  const fork = simulator.fork()
  for (const sim of [simulator, fork]) {
    subscribe(sim, `${receiver.origin}/hook`)
    subscribe(sim, `${receiver.origin}/fine`)
    await receiveMail(sim)
    await settledDeliveries(sim)
  }
  await server.close()
  expect(server.interrupted).toBe(2)
  for (const sim of [simulator, fork]) {
    const statuses = sim.deliveries.list().map(({ status }) => status)
    expect(statuses).toEqual(['interrupted', 'succeeded'])
  }
  await server.close()
  expect(server.interrupted).toBe(2)
  await until(() => receiver.open() === 0)
})

it('a receiver can call the service from the start of the story', async () => {
  const asked: number[] = []
  const receiver = await startReceiver({
    '/hook': async (response, { body }) => {
      const { data } = JSON.parse(body)
      const [{ url }] = data.message.attachments
      asked.push((await fetch(url)).status)
      response.writeHead(200).end()
    },
  })
  const { url, simulator } = await serve({
    clock: 'real',
    assume: { 'events.data': 'nested' },
    scenario: {
      scenario: 'at-once',
      identities: [{ handle: 'support' }],
      webhooks: [{ url: `${receiver.origin}/hook`, events: ['message.received'] }],
      timeline: [
        {
          after: '0s',
          receive: {
            to: 'support',
            from: 'ann@mail.example',
            text: 'Look',
            attachments: [{ filename: 'a.txt', text: 'Hello' }],
          },
        },
      ],
    },
  })
  await until(() => simulator.deliveries.list({ status: 'succeeded' }).length === 1)
  expect(asked).toEqual([200])
  expect(receiver.received[0]?.body).toContain(`"${url}/`)
})

it('a server whose port is used makes no deliveries', async () => {
  const receiver = await startReceiver({ '/hook': answering(200) })
  const { url } = await serve()
  const scenario = {
    scenario: 'at-once',
    identities: [{ handle: 'support' }],
    webhooks: [{ url: `${receiver.origin}/hook`, events: ['message.received' as const] }],
    timeline: [{ after: '0s' as const, receive: { to: 'support', from: 'ann@mail.example', text: 'Look' } }],
  }
  const port = Number(new URL(url).port)
  await expect(serve({ port, scenario, clock: 'real' })).rejects.toMatchObject({ code: 'port-taken' })
  expect(receiver.connections()).toBe(0)
})

it('a server with an invalid scenario stops listening', async () => {
  const { url, close } = await serve()
  const port = Number(new URL(url).port)
  await close()
  await expect(serve({ port, scenario: 'no-such-scenario' })).rejects.toMatchObject({ name: 'ScenarioError' })
  const socket = connect(port, '127.0.0.1')
  await expect(new Promise((_, reject) => socket.once('error', reject))).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  })
})
