import { describe, expect, it } from 'vitest'
import { followUp } from '../../../../test/support/webhooks/hooked-world.js'
import { annsMail, smallWorld } from '../../../../test/support/world/small-world.js'
import { yieldToEventLoop } from '../../time/wall-time.js'
import type { World } from '../world.js'

const hook = 'http://agent.test/hook'

/** A world with one subscription, whose receiver responds with a status. */
function subscribedWorld(status: number): { world: World; bodies: string[] } {
  const world = smallWorld()
  const bodies: string[] = []
  for (const id of ['whk_all', 'whk_support']) world.apply({ type: 'delete-webhook', webhook_id: id })
  world.apply({ type: 'create-webhook', url: hook, events: ['message.received'] })
  answerWith(world, status, bodies)
  return { world, bodies }
}

function answerWith(world: World, status: number, bodies: string[]): void {
  world.receivers.on(hook, async (request) => {
    bodies.push(await request.text())
    return new Response(null, { status })
  })
}

/** Returns cause, time and status of each attempt of the first delivery. */
function attemptsIn(world: World) {
  const [delivery] = world.deliveries.list()
  return (delivery?.attempts ?? []).map(({ cause, at, response }) => ({
    cause,
    at,
    status: response?.status,
  }))
}

describe('a restored world', () => {
  it('sends unsent deliveries in order, then those of new events', async () => {
    const { world } = subscribedWorld(200)
    world.receivers.on(hook, () => new Promise<undefined>(() => undefined))
    for (const text of ['a', 'b', 'c']) world.apply(annsMail({ text }))
    const restored = smallWorld()
    const order: string[] = []
    restored.receivers.on(hook, async (request) => {
      const { data } = JSON.parse(await request.text())
      order.push(`begin ${data.message_id}`)
      for (let turn = 0; turn < 5; turn++) await yieldToEventLoop()
      order.push(`end ${data.message_id}`)
    })
    restored.restore(world.snapshot())
    restored.apply(annsMail({ text: 'd' }))
    await restored.clock.advance(0)
    const ids = restored.deliveries.list().map(({ message_id }) => message_id)
    expect(ids).toHaveLength(4)
    expect(order).toEqual(ids.flatMap((id) => [`begin ${id}`, `end ${id}`]))
    world.close()
  })

  it('lists all unfinished deliveries before one ends, even of a deleted subscription', async () => {
    const { world } = subscribedWorld(200)
    const [{ id } = { id: '' }] = [...world.store.all('webhook')].filter(({ url }) => url === hook)
    for (const text of ['a', 'b']) world.apply(annsMail({ text }))
    world.apply({ type: 'delete-webhook', webhook_id: id })
    const snapshot = world.snapshot()
    expect(snapshot.deliveries).toHaveLength(2)
    const restored = smallWorld()
    restored.restore(snapshot)
    expect(restored.snapshot()).toStrictEqual(snapshot)
    expect(restored.events(0).map(({ type }) => type)).toEqual(['reset'])
    await restored.clock.advance(0)
    const gone = { status: 'failed', reason: 'Its subscription was deleted.', attempts: [] }
    expect(restored.deliveries.list()).toMatchObject([gone, gone])
    world.close()
  })

  it('makes the same attempts from a snapshot at any moment of an attempt', async () => {
    const { world } = subscribedWorld(500)
    world.apply(annsMail({ text: 'Hello' }))
    const moments = new Set<string>()
    for (let turn = 1; !world.deliveries.list()[0]?.next_attempt_at; turn++) {
      moments.add(JSON.stringify(world.snapshot()))
      await (turn % 50 === 0 ? yieldToEventLoop() : undefined)
    }
    moments.add(JSON.stringify(world.snapshot()))
    await world.clock.advance(48 * 3_600_000)
    expect(attemptsIn(world)).toHaveLength(6)
    expect(moments.size).toBeGreaterThan(1)
    for (const moment of moments) {
      const restored = smallWorld()
      answerWith(restored, 500, [])
      restored.restore(JSON.parse(moment))
      await restored.clock.advance(48 * 3_600_000)
      expect(attemptsIn(restored)).toEqual(attemptsIn(world))
    }
  })

  it('sends a duplicate again that was in flight', async () => {
    const { world } = subscribedWorld(200)
    world.setAssumptions({ 'events.duplicates': 'occasional-duplicate' })
    let asked = 0
    world.receivers.on(hook, () => {
      return ++asked < 4 ? new Response() : new Promise<undefined>(() => undefined)
    })
    for (const text of ['a', 'b', 'c']) world.apply(annsMail({ text }))
    await followUp()
    expect(asked).toBe(4)
    const snapshot = world.snapshot()
    const [twice] = snapshot.deliveries
    expect(twice).toMatchObject({ status: 'succeeded', next_attempt_at: null, due: ['duplicate'] })
    const restored = smallWorld()
    const seen: string[] = []
    answerWith(restored, 200, seen)
    restored.restore(snapshot)
    expect(restored.snapshot()).toStrictEqual(snapshot)
    await restored.clock.advance(0)
    expect(seen).toEqual([twice?.body])
    expect(attemptsIn(restored).map(({ cause }) => cause)).toEqual(['event', 'duplicate'])
    world.close()
    for (const each of [world, restored]) expect(each.snapshot().deliveries).toEqual([])
  })
})
