import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers, wallTime } from '../../../test/support/fake-timers.js'
import { gist, hookedWorld, subscribe } from '../../../test/support/webhooks/hooked-world.js'
import { annsMail, smallBeginning, start } from '../../../test/support/world/small-world.js'
import { yieldToEventLoop } from '../time/wall-time.js'
import { World } from '../world/world.js'
import { defaultHost } from '../world/world-host.js'

const hour = 3_600_000

useFakeTimers({ now: start, toFake: wallTime })

const never = () => new Promise<never>(() => undefined)

/** Waits in wall time until a promise settles; returns the milliseconds passed. */
async function passing(over: Promise<unknown>): Promise<number> {
  const from = Date.now()
  let done = false
  void over.finally(() => {
    done = true
  })
  for (let turn = 0; turn < 5; turn++) await yieldToEventLoop()
  while (!done) {
    await vi.advanceTimersByTimeAsync(10)
    for (let turn = 0; turn < 5; turn++) await yieldToEventLoop()
  }
  return Date.now() - from
}

describe('an advance', () => {
  it('plays all retries in order with other tasks, without any wall time', async () => {
    const { world, requests } = hookedWorld({
      assumptions: { 'events.retries': 'svix' },
      subscriptions: [{ name: 'bad' }, { name: 'worse' }],
    })
    const [bad, worse] = [requests('bad', (_, n) => (n < 4 ? 500 : 200)), requests('worse', () => 500)]
    const done: number[] = []
    for (const hours of [1, 3, 40]) {
      world.clock.schedule(start + hours * hour, () => void done.push(bad.length + worse.length))
    }
    world.apply(annsMail())
    // No wall time passes here, so anything that waited for it would never end.
    await world.clock.advance(48 * hour)
    const instants = [0, 5, 305, 2105, 9305, 27_305, 63_305, 99_305].map((second) => second * 1000)
    expect(bad.map(({ at }) => at - start)).toEqual(instants.slice(0, 5))
    expect(worse.map(({ at }) => at - start)).toEqual(instants)
    expect(done).toEqual([8, 10, 13])
    expect(world.clock.now()).toBe(start + 48 * hour)
  })

  it('ends when the deliveries it caused have ended', async () => {
    const { world, requests } = hookedWorld()
    let answered = 0
    requests('agent', async () => {
      for (let turn = 0; turn < 30; turn++) await yieldToEventLoop()
      answered++
      return 200
    })
    world.clock.schedule(start + 1000, () => {
      for (const text of ['a', 'b', 'c']) world.apply(annsMail({ text }))
    })
    await world.clock.advance(1000)
    expect(answered).toBe(3)
    expect(world.deliveries.list().map(({ status }) => status)).toEqual(Array(3).fill('succeeded'))
  })

  it('stops waiting for a receiver that never responds, whose attempts time out', async () => {
    const { world, requests } = hookedWorld({ assumptions: { 'events.retries': 'svix' } })
    const seen = requests('agent', never)
    world.apply(annsMail())
    const wall = await passing(world.clock.advance(48 * hour))
    expect(wall).toBeGreaterThanOrEqual(8 * 2000)
    expect(wall).toBeLessThan(8 * 2000 + 1000)
    expect(seen).toHaveLength(8)
    const [delivery] = world.deliveries.list()
    expect(delivery).toMatchObject({ status: 'failed', reason: 'Given up after 8 attempts.' })
    expect(delivery?.attempts.map(({ duration_ms, error }) => [duration_ms, error?.code])).toEqual(
      Array(8).fill([10_000, 'timeout']),
    )
    const instants = delivery?.attempts.map(({ at }) => (Date.parse(at) - start) / 1000)
    expect(instants?.slice(0, 3)).toEqual([0, 15, 325])
  })

  it('does not delay a receiver because of another that hangs', async () => {
    const { world, requests } = hookedWorld({ subscriptions: [{ name: 'stuck' }, { name: 'quick' }] })
    requests('stuck', never)
    const quick = requests('quick')
    for (const text of ['a', 'b', 'c']) world.apply(annsMail({ text }))
    for (let turn = 0; turn < 50; turn++) await yieldToEventLoop()
    expect(quick).toHaveLength(3)
    world.close()
  })

  it('times out a response that is late on the clock of the world', async () => {
    const { world, requests } = hookedWorld({ assumptions: { 'events.retries': 'none' } })
    requests('agent', async () => {
      await world.clock.wait(12_000)
      return 200
    })
    world.apply(annsMail())
    await passing(world.clock.advance(hour))
    expect(world.deliveries.list().map(gist)).toMatchObject([
      { status: 'failed', attempts: [['event', 'timeout']] },
    ])
  })
})

describe('a receiver that advances the clock', () => {
  it.each([
    ['on its own', false],
    ['during an advance', true],
  ])('does not wait for itself %s', async (_, within) => {
    const { world, requests, defects } = hookedWorld()
    const seen = requests('agent', async (_request, n) => {
      if (n === 0) await world.clock.advance(5000)
      return 200
    })
    if (within) world.clock.schedule(start, () => void world.apply(annsMail()))
    else world.apply(annsMail())
    const over = within ? world.clock.advance(1000) : untilSeen(seen)
    const wall = await passing(over.then(() => world.clock.advance(0)))
    expect(wall).toBeLessThan(3000)
    await passing(world.clock.advance(0))
    expect(world.clock.now()).toBe(start + 5000 + (within ? 1000 : 0))
    expect(world.deliveries.list().map(gist)).toMatchObject([{ attempts: [['event', 200]] }])
    expect(defects).toEqual([])
  })

  async function untilSeen(seen: readonly unknown[]): Promise<void> {
    while (seen.length === 0) await yieldToEventLoop()
  }
})

describe('a dispatcher', () => {
  it.each([
    ['real', 1],
    ['100x', 100],
  ] as const)('retries by itself on a clock in mode %s', async (clock, speed) => {
    const { world, requests } = hookedWorld({ clock, assumptions: { 'events.retries': 'svix' } })
    const begun = world.clock.now()
    const seen = requests('agent', (_, n) => (n < 3 ? 500 : 200))
    world.apply(annsMail())
    await vi.advanceTimersByTimeAsync(hour / speed)
    expect(seen.map(({ at }) => Math.round((at - begun) / 1000))).toEqual([0, 5, 305, 2105])
    expect(world.deliveries.list()).toMatchObject([{ status: 'succeeded', next_attempt_at: null }])
    world.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not count the preparation of a transport as time of the receiver', async () => {
    const transport = {
      ready: () => new Promise<void>((resolve) => setTimeout(resolve, 500)),
      send: async () => ({ status: 200, headers: {}, body: null }),
    }
    const world = new World('world_1', smallBeginning(), '100x', { ...defaultHost, transport })
    subscribe(world)
    world.apply(annsMail())
    await vi.advanceTimersByTimeAsync(1000)
    expect(world.deliveries.list().map(gist)).toMatchObject([{ attempts: [['event', 200]] }])
    world.close()
  })

  it('makes no retry while the clock is frozen and continues when it runs', async () => {
    const { world, requests } = hookedWorld({ assumptions: { 'events.retries': 'svix' } })
    const seen = requests('agent', () => 500)
    world.apply(annsMail())
    await vi.advanceTimersByTimeAsync(hour)
    expect(seen).toHaveLength(1)
    world.clock.setMode('real')
    await vi.advanceTimersByTimeAsync(5000)
    expect(seen).toHaveLength(2)
    world.close()
  })

  it.each([
    ['is quick', 0],
    ['is slow', 700],
  ])(
    'sends duplicates and shuffled events immediately on a frozen clock if its receiver %s',
    async (_, wall) => {
      const assumptions = { 'events.duplicates': 'occasional-duplicate', 'events.order': 'shuffled' }
      const { world, requests } = hookedWorld({ assumptions })
      const seen = requests('agent', async () => {
        if (wall > 0) await new Promise((resolve) => setTimeout(resolve, wall))
        return 200
      })
      for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) world.apply(annsMail({ text }))
      await passing(world.clock.advance(hour))
      const ids = world.deliveries.list().map(({ event: { id } }) => id)
      const order = seen.map(({ body }) => ids.indexOf(JSON.parse(body).id))
      expect(order.slice(0, 6)).toEqual([0, 1, 2, 4, 5, 3])
      expect(order.slice(6).toSorted()).toEqual([0, 5])
      expect(seen.map(({ at }) => at)).toEqual(Array(8).fill(start))
      expect(vi.getTimerCount()).toBe(0)
    },
  )
})
