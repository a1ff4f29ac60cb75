import { expect, it } from 'vitest'
import { hookOf, receiving } from '../../../test/support/webhooks/hooked-world.js'
import { annsMail, smallBeginning } from '../../../test/support/world/small-world.js'
import { Fold } from '../world/log-lines.js'
import type { TriggeredEntry } from '../world/story.js'
import type { TimelineEntry } from '../world/story-entry.js'
import { World } from '../world/world.js'
import { defaultHost } from '../world/world-host.js'

const minute = 60_000
const end = 12

function mail(at: number): TimelineEntry {
  return { name: `mail ${at}`, after: at * minute, commands: [annsMail({ text: `Mail ${at}` })] }
}

function redelivery(at: number, nth: number): TimelineEntry {
  const redeliver = { event: 'message.received', nth } as const
  return { name: `redelivery of ${nth}`, after: at * minute, commands: [], redeliver }
}

/** Mail, deliveries of which are sent again once they have ended, and an entry that waits for two successes. */
const timeline: readonly TimelineEntry[] = [
  mail(1),
  mail(2),
  mail(3),
  redelivery(5, 1),
  redelivery(6, 3),
  mail(7),
  redelivery(9, 4),
  redelivery(10, 2),
]

const triggered: readonly TriggeredEntry[] = [
  {
    name: 'thanks',
    when: { delivery: 'message.received', nth: 4 },
    commands: [annsMail({ text: 'Thanks' })],
  },
]

const initialState = smallBeginning({ timeline, triggered })

/**
 * A world with a log whose deliveries are received as texts; the receiver refuses the second message four
 * times.
 */
function storyWorld(received: string[], world: World = loggedWorld()): World {
  receiving(world, 'agent', (_request, _n, body) => {
    const message = world.store.get('message', JSON.parse(body).data.message_id)
    const text = String(message && world.store.bodyOf(message).text)
    const isRefused = text === 'Mail 2' && received.filter((one) => one === text).length < 4
    received.push(text)
    return isRefused ? 500 : 200
  })
  return world
}

function loggedWorld(): World {
  return new World('world_1', initialState, 'frozen', { ...defaultHost, onLogged: () => undefined })
}

function begin(received: string[]): World {
  const world = storyWorld(received)
  world.recover(undefined)
  for (const { id } of [...world.store.all('webhook')])
    world.apply({ type: 'delete-webhook', webhook_id: id })
  world.apply({ type: 'create-webhook', url: hookOf('agent'), events: ['message.received'] })
  return world
}

const ways: Readonly<Record<'a snapshot' | 'its log', (world: World, next: World) => void>> = {
  'a snapshot': (world, next) => {
    next.recover(undefined)
    next.restore(JSON.parse(JSON.stringify(world.snapshot())))
  },
  'its log': (world, next) => {
    const fold = new Fold(initialState)
    for (const line of world.takeOutput()) fold.apply(JSON.parse(JSON.stringify(line)))
    next.recover(fold)
  },
}

// Each way is tried in every other minute.
it.each([
  ['a snapshot', 0],
  ['its log', 1],
] as const)('a story continues from %s as without an interruption', async (way, first) => {
  const resume = ways[way]
  const whole: string[] = []
  const uninterrupted = begin(whole)
  await uninterrupted.clock.advance(end * minute)
  expect(uninterrupted.timeline.played.map(({ problem }) => problem)).toEqual(Array(8).fill(null))
  expect(whole.filter((text) => text === 'Thanks')).toHaveLength(1)
  for (let minutes: number = first; minutes < end; minutes += 2) {
    const received: string[] = []
    const world = begin(received)
    await world.clock.advance(minutes * minute)
    const next = storyWorld(received)
    resume(world, next)
    world.suspend()
    await next.clock.advance((end - minutes) * minute)
    expect([minutes, received]).toEqual([minutes, whole])
    expect(next.snapshot()).toEqual(uninterrupted.snapshot())
    next.suspend()
  }
})

it('a redelivery that was not sent yet is sent from a snapshot and from the log', async () => {
  for (const resume of Object.values(ways)) {
    const world = begin([])
    await world.clock.advance(4 * minute)
    const [{ id } = { id: '' }] = world.deliveries.list()
    world.receivers.on(hookOf('agent'), () => new Promise<undefined>(() => undefined))
    void world.deliveries.redeliver(id)
    void world.deliveries.redeliver(id)
    const received: string[] = []
    const next = storyWorld(received)
    resume(world, next)
    await next.clock.advance(0)
    expect(received).toEqual(['Mail 1', 'Mail 1'])
    for (const each of [world, next]) each.suspend()
  }
})
