import { describe, expect, it } from 'vitest'
import { annsMail, smallWorld } from '../small-world.fixture.js'
import { breathe } from '../time.js'
import type { World } from '../world.js'
import { documentWith, refusalOf } from './changed-world.fixture.js'

const hook = 'http://agent.test/hook'

/** A world with one subscription, whose receiver answers with a status. */
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

describe('a world that is restored', () => {
  it('tries again what had failed, when it would have been', async () => {
    const { world, bodies } = subscribedWorld(500)
    world.apply(annsMail({ text: 'Hello' }))
    await world.clock.advance(60_000)
    const restored = smallWorld()
    const seen: string[] = []
    answerWith(restored, 500, seen)
    restored.restore(JSON.parse(JSON.stringify(world.snapshot())))
    for (const each of [world, restored]) await each.clock.advance(48 * 3_600_000)
    const shown = [world, restored].map(({ deliveries }) => deliveries.list())
    const [before, after] = shown.map(([delivery]) =>
      delivery?.attempts.map(({ at, cause }) => ({ at, cause })),
    )
    expect(after).toEqual(before)
    expect(shown[1]?.[0]).toMatchObject({ status: 'failed', reason: 'Given up after 6 attempts.' })
    expect(bodies.length).toBe(6)
    expect(new Set([...bodies, ...seen]).size).toBe(1)
  })

  it('sends anew what was under way, with the same id', async () => {
    const { world } = subscribedWorld(200)
    world.receivers.on(hook, () => new Promise(() => undefined))
    world.apply(annsMail({ text: 'Hello' }))
    const restored = smallWorld()
    const seen: string[] = []
    answerWith(restored, 200, seen)
    restored.restore(world.snapshot())
    await restored.clock.advance(0)
    const [delivery] = restored.deliveries.list()
    expect(delivery).toMatchObject({ id: world.deliveries.list()[0]?.id, status: 'succeeded' })
    expect(delivery?.attempts).toHaveLength(1)
    expect(seen).toHaveLength(1)
    world.close()
  })

  it('sends what had not been sent one after another, and what happens then after it', async () => {
    const { world } = subscribedWorld(200)
    world.receivers.on(hook, () => new Promise<undefined>(() => undefined))
    for (const text of ['a', 'b', 'c']) world.apply(annsMail({ text }))
    const restored = smallWorld()
    const order: string[] = []
    restored.receivers.on(hook, async (request) => {
      const { data } = JSON.parse(await request.text())
      order.push(`begin ${data.message_id}`)
      for (let turn = 0; turn < 5; turn++) await breathe()
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

  it('has nothing of deliveries that are over', async () => {
    const { world } = subscribedWorld(200)
    world.apply(annsMail({ text: 'Hello' }))
    await world.clock.advance(0)
    const { deliveries } = world.snapshot()
    expect(deliveries.unfinished).toEqual([])
    expect(Object.values(deliveries.subscriptions)).toEqual([1])
  })
})

describe('what is still to be delivered', () => {
  it.each([
    ['event.at', '2030-01-01T00:00:00Z', 'it has not happened yet: it is '],
    ['ordinal', 7, 'expected less than'],
    ['url', 'ftp://a.test/', 'Invalid URL'],
    ['attempts.0.at', 'yesterday', 'expected an ISO 8601 instant'],
  ])('is refused where %s is %j', (place, value, problem) => {
    const refused = refusalOf(documentWith({ [`deliveries.unfinished.0.${place}`]: value }))
    expect(refused?.message).toContain('This snapshot cannot be restored: deliveries.unfinished[0].')
    expect(refused?.message).toContain(problem)
  })

  it('is refused where an id is one that is handed out later', () => {
    const refused = refusalOf(documentWith({ 'ids.delivery': undefined }))
    expect(refused?.message).toContain('of the ids that are handed out, and ids says 0.')
  })
})
