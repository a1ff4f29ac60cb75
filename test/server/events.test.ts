import { get, type IncomingMessage } from 'node:http'
import { startServer } from 'agent-mailbox-sim/server'
import { describe, expect, it } from 'vitest'
import { authorized, desk, serveDesk } from './desk.js'
import { follow, type ReceivedEvent } from './event-stream.js'

/** A desk without subscriptions. */
const quiet = { scenario: { ...desk, webhooks: [] } }

const idsOf = (events: readonly ReceivedEvent[]): number[] => events.map(({ id }) => Number(id))

describe('GET /_sim/events', () => {
  it('streams everything that happens from then on', async () => {
    const { url, controlUrl, simulator } = await serveDesk(quiet)
    simulator.assumptions.set({ 'threads.total': 'page-size' })
    const follower = await follow(controlUrl)
    await fetch(`${url}/api/v1/mail/threads?agent=support`, { headers: authorized })
    await simulator.mail.receive({ to: 'support', text: 'Größe?\n📦' })
    await simulator.clock.advance('5m')
    simulator.reset()
    const events = await follower.have(5)
    expect(events.map(({ event }) => event)).toEqual(['exchange', 'command', 'event', 'clock', 'reset'])
    expect(idsOf(events)).toEqual([2, 3, 4, 5, 6])
    expect(events[0]?.data).toMatchObject({
      seq: 2,
      type: 'exchange',
      at: '2026-01-05T09:00:00.000Z',
      world: 'world_1',
      data: { operation: 'threads.list', status: 200, query: { agent: 'support' } },
    })
    expect(events[0]?.data.data.request.headers.authorization).toBe('Bearer ***')
    expect(events[1]?.data.data).toMatchObject({ type: 'receive-message', text: 'Größe?\n📦' })
  })

  it('resumes by Last-Event-ID or ?after=', async () => {
    const { controlUrl, simulator } = await serveDesk()
    for (let count = 0; count < 5; count++) simulator.assumptions.set({})
    const whole = await follow(controlUrl, '?after=0')
    expect(idsOf(await whole.have(5))).toEqual([1, 2, 3, 4, 5])
    const later = await follow(controlUrl, '?after=3')
    expect(idsOf(await later.have(2))).toEqual([4, 5])
    const back = await follow(controlUrl, '?after=1', { 'last-event-id': '4' })
    simulator.assumptions.set({})
    expect(idsOf(await back.have(2))).toEqual([5, 6])
  })

  it('reports missed events to a client that reconnects', async () => {
    const { controlUrl, simulator } = await serveDesk()
    for (let count = 0; count < 5; count++) simulator.assumptions.set({})
    simulator.reset()
    const back = await follow(controlUrl, '', { 'last-event-id': '2' })
    expect(await back.have(2)).toMatchObject([
      { id: '5', event: 'gap', data: { seq: 5, type: 'gap', missed: 3 } },
      { id: '6', event: 'reset' },
    ])
    const stranger = await follow(controlUrl, '', { 'last-event-id': '4711' })
    expect(await stranger.have(2)).toMatchObject([
      { id: '5', event: 'gap', data: { missed: null } },
      { id: '6', event: 'reset' },
    ])
  })

  it('masks what has become a token since another client got the event', async () => {
    const { controlUrl, simulator } = await serveDesk(quiet)
    await simulator.mail.receive({ to: 'support', text: 'The word is open-sesame-4711' })
    const early = await follow(controlUrl, '?after=0&types=command')
    expect((await early.have(1))[0]?.data.data.text).toBe('The word is open-sesame-4711')
    const authToken = 'open-sesame-4711'
    simulator.webhooks.create({ url: 'http://127.0.0.1/', events: ['message.bounced'], authToken })
    const late = await follow(controlUrl, '?after=0&types=command')
    expect((await late.have(1))[0]?.data.data.text).toBe('The word is ***')
  })

  it('filters by type', async () => {
    const { url, controlUrl, simulator } = await serveDesk()
    const follower = await follow(controlUrl, '?types=exchange,reset')
    simulator.assumptions.set({})
    await fetch(`${url}/api/v1/webhooks`)
    await simulator.clock.advance('1s')
    simulator.reset()
    expect((await follower.have(2)).map(({ id, event }) => `${id} ${event}`)).toEqual([
      '2 exchange',
      '4 reset',
    ])
  })

  it('streams events of the selected world until it ends', async () => {
    const { url, controlUrl, simulator } = await serveDesk()
    const fork = simulator.fork()
    const follower = await follow(controlUrl, '', { 'x-sim-world': fork.id })
    // An EventSource can send no header.
    const source = await follow(controlUrl, `?world=${fork.id}`)
    await fetch(`${url}/api/v1/webhooks`, { headers: authorized })
    await fetch(`${url}/api/v1/webhooks`, { headers: { authorization: `Bearer ${fork.apiKey}` } })
    const [event] = await follower.have(1)
    expect(event?.data).toMatchObject({ seq: 1, world: fork.id })
    expect(await source.have(1)).toEqual([event])
    fork.close()
    await follower.ended
    expect(follower.events).toHaveLength(1)
    const gone = await fetch(`${controlUrl}/events`, { headers: { 'x-sim-world': fork.id } })
    expect(gone.status).toBe(404)
  })

  it('sends a client that reads slowly all that it left unread', async () => {
    const { controlUrl, simulator } = await serveDesk(quiet)
    const slow = await new Promise<IncomingMessage>((resolve) => get(`${controlUrl}/events`, resolve))
    slow.pause()
    for (let count = 0; count < 10; count++) {
      await simulator.mail.receive({ to: 'support', text: `${count} ${'x'.repeat(1_000_000)}` })
      await new Promise((resolve) => setImmediate(resolve))
    }
    let text = ''
    slow.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    slow.resume()
    await expect.poll(() => text.match(/^event: command$/gm)?.length, { timeout: 20_000 }).toBe(10)
    slow.destroy()
  })

  it('tells of an attempt of a delivery again when it has ended, under its number', async () => {
    const { controlUrl, simulator } = await serveDesk(quiet)
    const follower = await follow(controlUrl, '?types=delivery')
    simulator.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['message.received'] })
    await simulator.mail.receive({ to: 'support', text: 'Hello' })
    const told = (await follower.have(3)).map(({ data }) => [
      data.seq,
      data.data.attempts.map(({ duration_ms: ms }: { duration_ms: number | null }) => ms !== null),
    ])
    expect(told.map(([, ended]) => ended)).toEqual([[], [false], [true]])
    expect(told[1]?.[0]).toBe(told[2]?.[0])
  })

  it('ends when the server is closed', async () => {
    const server = await startServer({ scenario: desk, port: 0 })
    const followers = [await follow(server.controlUrl), await follow(server.controlUrl)]
    await server.close()
    expect(await Promise.all(followers.map(({ ended }) => ended))).toHaveLength(2)
  })

  it('answers HEAD without events', async () => {
    const { controlUrl } = await serveDesk()
    const head = await fetch(`${controlUrl}/events?after=0`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/event-stream',
      '',
    ])
  })
})
