import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers, wallTime } from '../../../test/support/fake-timers.js'
import {
  followUp,
  gist,
  type HookedOptions,
  hookedWorld,
  type Seen,
} from '../../../test/support/webhooks/hooked-world.js'
import { annsMail, smallBeginning, smallWorld, start } from '../../../test/support/world/small-world.js'
import type { World } from '../world/world.js'

const hour = 3_600_000

useFakeTimers({ now: start, toFake: wallTime })

type Story = ReturnType<typeof hookedWorld>

const never = () => new Promise<never>(() => undefined)

/** A stage of a delivery when its world ends. */
interface Stage {
  readonly options?: HookedOptions
  /** Brings the story to the stage; returns the requests of the receiver. */
  readonly come: (story: Story) => Promise<Seen[]> | Seen[]
  readonly seen: number
  /** The records of the deliveries when the world is closed. */
  readonly closed: readonly [string, ...unknown[]][]
}

/** Every stage by its description. */
const stages: Record<string, Stage> = {
  'not sent yet': {
    come({ world, requests }) {
      world.apply(annsMail())
      return requests('agent')
    },
    seen: 0,
    closed: [['interrupted']],
  },
  'being signed': {
    options: { assumptions: { 'events.signature': 'timestamped-hmac' } },
    async come({ world, requests }) {
      const seen = requests('agent')
      world.apply(annsMail())
      // Signing takes turns of the event loop; this is before the first of them.
      await undefined
      await undefined
      return seen
    },
    seen: 0,
    closed: [['interrupted']],
  },
  'in flight, another behind it': {
    async come({ world, requests }) {
      const seen = requests('agent', never)
      for (const text of ['a', 'b']) world.apply(annsMail({ text }))
      await followUp()
      return seen
    },
    seen: 1,
    closed: [['interrupted', 'interrupted'], ['interrupted']],
  },
  'in flight, others waiting for room': {
    options: { subscriptions: Array.from({ length: 12 }, () => ({ name: 'agent' })) },
    async come({ world, requests }) {
      const seen = requests('agent', never)
      world.apply(annsMail())
      await followUp()
      return seen
    },
    seen: 10,
    closed: [
      ...Array.from({ length: 10 }, (): [string, unknown] => ['interrupted', 'interrupted']),
      ['interrupted'],
      ['interrupted'],
    ],
  },
  'being answered': {
    async come({ world, requests }) {
      const seen = requests('agent', () => new Response(new ReadableStream({ pull: never })))
      world.apply(annsMail())
      await followUp()
      return seen
    },
    seen: 1,
    closed: [['interrupted', 'interrupted']],
  },
  'waiting for a retry': {
    async come({ world, requests }) {
      const seen = requests('agent', () => 500)
      world.apply(annsMail())
      await followUp()
      return seen
    },
    seen: 1,
    closed: [['interrupted', 500]],
  },
  'in flight once more': {
    async come({ world, requests }) {
      const seen = requests('agent', (_, n) => (n === 0 ? 200 : never()))
      world.apply(annsMail())
      await followUp()
      void world.deliveries.redeliver(world.deliveries.list()[0]?.id ?? '')
      await followUp()
      return seen
    },
    seen: 2,
    closed: [['succeeded', 200, 'interrupted']],
  },
}

const endings: Record<string, (world: World) => void> = {
  reset: (world) => world.reset(),
  restarted: (world) => world.restart(smallBeginning()),
  restored: (world) => world.restore(smallWorld().snapshot()),
}

/** Returns all records after one message in a world at its start. */
async function nextMail(world: World): Promise<string> {
  world.apply(annsMail({ text: 'The next story' }))
  await world.clock.advance(48 * hour)
  return JSON.stringify([world.deliveries.list(), world.reliances(), world.clock.now()])
}

describe.each(Object.entries(stages))('a delivery that is %s', (_, { options = {}, come, seen, closed }) => {
  it.each(Object.entries(endings))('is dropped when its world is %s', async (_name, end) => {
    const story = hookedWorld(options)
    const { world, defects } = story
    const requests = await come(story)
    const { latest } = world.log
    end(world)
    expect(world.deliveries.list()).toEqual([])
    await followUp()
    expect(vi.getTimerCount()).toBe(0)
    await world.clock.advance(48 * hour)
    await vi.advanceTimersByTimeAsync(hour)
    await followUp()
    expect(requests).toHaveLength(seen)
    expect(world.deliveries.list()).toEqual([])
    expect(world.events(latest).map(({ type }) => type)).toEqual(['reset', 'clock'])
    expect(defects).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(Object.entries(endings))('has no effect on a world that is %s', async (_name, end) => {
    const story = hookedWorld(options)
    const { world } = story
    await come(story)
    end(world)
    expect(await nextMail(world)).toBe(await nextMail(smallWorld()))
  })

  it('keeps its record when its world is closed', async () => {
    const story = hookedWorld(options)
    const { world, defects } = story
    const requests = await come(story)
    world.close()
    const statuses = world.deliveries.list().map(({ status }) => status)
    expect(statuses).toEqual(closed.map(([status]) => status))
    await followUp()
    await vi.advanceTimersByTimeAsync(hour)
    expect(requests).toHaveLength(seen)
    const gists = world.deliveries.list().map(gist)
    expect(gists.map(({ status, attempts }) => [status, ...attempts.map(([, how]) => how)])).toEqual(closed)
    for (const { status, reason, next } of gists) {
      expect(next).toBeNull()
      expect(reason).toBe(
        status === 'interrupted' ? 'The world was closed before the delivery had finished.' : null,
      )
    }
    expect(defects).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a receiver that ends its world', () => {
  it.each(Object.entries({ ...endings, closed: (world: World) => world.close() }))(
    'is not waited for: %s',
    async (_, end) => {
      const { world, requests, defects } = hookedWorld()
      const seen = requests('agent', () => {
        end(world)
        return 200
      })
      for (const text of ['a', 'b']) world.apply(annsMail({ text }))
      await world.clock.advance(48 * hour)
      await followUp()
      expect(seen).toHaveLength(1)
      expect(defects).toEqual([])
      const recorded = world.deliveries.list().map(({ status }) => status)
      expect(recorded).toEqual(world.closed ? ['interrupted', 'interrupted'] : [])
      expect(vi.getTimerCount()).toBe(0)
    },
  )
})

describe('a listener that resets its world', () => {
  it.each(['command', 'event', 'delivery'] as const)('drops the deliveries of a %s', async (type) => {
    const { world, requests } = hookedWorld({ subscriptions: [{ name: 'agent' }, { name: 'other' }] })
    const seen = requests('agent')
    let armed = true
    world.log.subscribe((entry) => {
      if (!armed || entry?.type !== type) return
      armed = false
      world.reset()
    })
    world.apply(annsMail())
    await followUp()
    expect(seen).toEqual([])
    expect(world.events(0).map(({ type: name }) => name)).toEqual(['reset'])
    expect(await nextMail(world)).toBe(await nextMail(smallWorld()))
  })

  it('drops those of a snapshot that is restored', async () => {
    const { world } = hookedWorld()
    world.apply(annsMail())
    const snapshot = world.snapshot()
    let armed = true
    world.log.subscribe((entry) => {
      if (!armed || entry?.type !== 'reset') return
      armed = false
      world.reset()
    })
    world.restore(snapshot)
    await followUp()
    expect(world.deliveries.list()).toEqual([])
  })
})
