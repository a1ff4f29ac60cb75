import { describe, expect, it } from 'vitest'
import { gist, hookedWorld, hookOf, sent } from '../../../test/support/webhooks/hooked-world.js'
import { annsMail } from '../../../test/support/world/small-world.js'
import { yieldToEventLoop } from '../time/wall-time.js'
import { secretOf } from './delivery-request.js'

describe('the dispatcher', () => {
  it('delivers an event to each of its subscriptions with the same body', async () => {
    const { world, requests } = hookedWorld({
      subscriptions: [
        { name: 'all' },
        { name: 'support', scope: 'support', events: ['message.received'], token: 's3cret-token' },
        { name: 'sales', scope: 'sales' },
        { name: 'bounces', events: ['message.bounced'] },
      ],
    })
    const names = ['all', 'support', 'sales', 'bounces']
    const seen = names.map((name) => requests(name))
    const { message } = world.apply(annsMail({ text: 'Hello' }))
    await world.clock.advance(0)
    expect(seen.map(({ length }) => length)).toEqual([1, 1, 0, 0])
    const [all, support] = seen.map(([request]) => request)
    expect(support?.body).toBe(all?.body)
    expect(JSON.parse(all?.body ?? '')).toMatchObject({
      event: 'message.received',
      data: { message_id: message.id },
    })
    expect(all?.headers).not.toHaveProperty('authorization')
    expect(support?.headers).toMatchObject({
      authorization: 'Bearer s3cret-token',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^agent-mailbox-sim\/\d/),
    })
    const deliveries = world.deliveries.list()
    expect(deliveries.map(({ url, status }) => [url, status])).toEqual([
      [hookOf('all'), 'succeeded'],
      [hookOf('support'), 'succeeded'],
    ])
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(2)
    expect(new Set(deliveries.map(({ event }) => event.id)).size).toBe(1)
  })

  it('notifies subscriptions of the organization to the type of an event once, oldest first', async () => {
    const { world } = hookedWorld({
      subscriptions: [
        { name: 'b' },
        { name: 'other', events: ['message.delivered', 'message.bounced'] },
        { name: 'a', events: ['message.received', 'message.received'] },
      ],
    })
    const rival = { organization_id: 'org_b', url: hookOf('rival'), events: ['message.received' as const] }
    world.apply({ type: 'create-webhook', ...rival })
    world.apply(annsMail())
    expect(world.deliveries.list().map(({ url }) => url)).toEqual(['b', 'a'].map(hookOf))
  })

  it('delivers events that a receiver causes', async () => {
    const { world, requests } = hookedWorld()
    const seen = requests('agent', (_, n) => {
      if (n < 3) world.apply(annsMail({ text: `Mail ${n}` }))
      return 200
    })
    world.apply(annsMail())
    await world.clock.advance(0)
    expect(seen).toHaveLength(4)
    expect(world.deliveries.list().map(({ status }) => status)).toEqual(Array(4).fill('succeeded'))
  })

  it('makes first attempts of a subscription one at a time, before retries', async () => {
    const { world, requests } = hookedWorld({ assumptions: { 'events.retries': 'svix' } })
    const order: string[] = []
    requests('agent', async (_, n) => {
      order.push(`begin ${n}`)
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
      order.push(`end ${n}`)
      return n === 0 ? 500 : 200
    })
    for (const text of ['a', 'b', 'c']) world.apply(annsMail({ text }))
    await world.clock.advance(5000)
    expect(order).toEqual(['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3'])
    expect(world.deliveries.list().map((delivery) => gist(delivery).attempts)).toEqual([
      [
        ['event', 500],
        ['retry', 200],
      ],
      [['event', 200]],
      [['event', 200]],
    ])
  })

  it('sends at most ten requests at a time to a receiver, and what waits in its order', async () => {
    const subscriptions = Array.from({ length: 12 }, () => ({ name: 'agent' }))
    const { world, requests } = hookedWorld({ subscriptions })
    const ends: (() => void)[] = []
    const seen = requests('agent', () => new Promise((end) => void ends.push(() => end(200))))
    world.apply(annsMail())
    const all = world.deliveries.list().map(({ webhook_id }) => webhook_id)
    for (let turn = 0; turn < 50; turn++) await yieldToEventLoop()
    expect([seen.length, all.length]).toEqual([10, 12])
    for (let next = ends.shift(); next; next = ends.shift()) {
      next()
      for (let turn = 0; turn < 50; turn++) await yieldToEventLoop()
    }
    expect(seen).toHaveLength(12)
    expect(world.deliveries.list().every(({ status }) => status === 'succeeded')).toBe(true)
  })

  it('ends retries when their subscription is deleted', async () => {
    const { world, requests } = hookedWorld()
    const seen = requests('agent', () => 500)
    world.apply(annsMail())
    await world.clock.advance(0)
    const id = world.deliveries.list()[0]?.webhook_id ?? ''
    world.apply({ type: 'delete-webhook', webhook_id: id })
    await world.clock.advance(48 * 3_600_000)
    expect(seen).toHaveLength(1)
    expect(world.deliveries.list()).toMatchObject([
      { status: 'failed', reason: 'Its subscription was deleted.', attempts: [{ cause: 'event' }] },
    ])
  })
})

it.each(['flat', 'nested', 'flat-full'])(
  'the recipient of an outcome is in %s data, if it is known',
  async (data) => {
    const { world, requests } = hookedWorld({ assumptions: { 'events.data': data } })
    const seen = requests('agent')
    const { message } = world.apply(sent)
    for (const recipient of ['ann@shop.example', null]) {
      world.apply({ type: 'bounce-message', message_id: message.id, recipient })
    }
    await world.clock.advance(0)
    const shown = seen.map(({ body }) => JSON.parse(body).data.recipient)
    expect(shown).toEqual(['ann@shop.example', undefined])
  },
)

it('the secret of a subscription is the same on every machine', () => {
  expect(secretOf(7, 'whk_all')).toBe('whsec_nyiMEjxFuaIZcrPQyGgA136QM/UqozLG')
})
