import { afterEach, describe, expect, it, vi } from 'vitest'
import { wallTime } from '../../../test/support/fake-timers.js'
import { gist, hookedWorld, hookOf } from '../../../test/support/webhooks/hooked-world.js'
import { annsMail } from '../../../test/support/world/small-world.js'
import { yieldToEventLoop } from '../time/wall-time.js'

const hour = 3_600_000

afterEach(() => {
  vi.useRealTimers()
})

describe('a redelivery', () => {
  it('cancels the next retry if it succeeds and keeps it if it fails', async () => {
    const { world, requests } = hookedWorld()
    const seen = requests('agent', (_, n) => (n < 2 ? 500 : 200))
    world.apply(annsMail())
    await world.clock.advance(0)
    const [before] = world.deliveries.list()
    const failed = await world.deliveries.redeliver(before?.id ?? '')
    expect(failed).toMatchObject({ status: 'pending', next_attempt_at: before?.next_attempt_at })
    expect(await world.deliveries.redeliver(before?.id ?? '')).toMatchObject({
      status: 'succeeded',
      next_attempt_at: null,
    })
    await world.clock.advance(48 * hour)
    expect(seen).toHaveLength(3)
  })

  it('keeps a planned duplicate', async () => {
    vi.useFakeTimers({ toFake: wallTime })
    const { world, requests } = hookedWorld({
      clock: 'real',
      assumptions: { 'events.duplicates': 'occasional-duplicate' },
    })
    requests('agent')
    for (const text of ['one', 'two', 'three']) world.apply(annsMail({ text }))
    await world.clock.advance(0)
    const twice = world.deliveries.list().find(({ next_attempt_at }) => next_attempt_at !== null)
    const again = await world.deliveries.redeliver(twice?.id ?? '')
    expect(again.next_attempt_at).toBe(twice?.next_attempt_at)
    await world.clock.advance(2000)
    const causes = world.deliveries.get(again.id).attempts.map(({ cause }) => cause)
    expect(causes).toEqual(['event', 'redelivery', 'duplicate'])
    world.close()
  })

  it('is never duplicated', async () => {
    const { world, requests } = hookedWorld({ assumptions: { 'events.duplicates': 'occasional-duplicate' } })
    requests('agent', (_, n) => (n < 3 ? 500 : 200))
    for (const text of ['one', 'two', 'three']) world.apply(annsMail({ text }))
    await world.clock.advance(0)
    for (const { id } of world.deliveries.list()) await world.deliveries.redeliver(id)
    await world.clock.advance(48 * hour)
    const causes = world.deliveries.list().map(({ attempts }) => attempts.map(({ cause }) => cause))
    expect(causes).toEqual(Array(3).fill(['event', 'redelivery']))
  })

  it('does not undo a success if it fails or is captured', async () => {
    const { world, requests } = hookedWorld()
    requests('agent', (_, n) => (n === 0 ? 200 : 500))
    world.apply(annsMail())
    await world.clock.advance(0)
    const [{ id } = { id: '' }] = world.deliveries.list()
    expect((await world.deliveries.redeliver(id)).status).toBe('succeeded')
    world.receivers.on(hookOf('agent'), () => undefined)()
    expect(gist(await world.deliveries.redeliver(id))).toMatchObject({
      status: 'succeeded',
      attempts: [
        ['event', 200],
        ['redelivery', 500],
        ['redelivery', 'captured'],
      ],
    })
  })

  it('keeps the next retry if it is captured', async () => {
    const { world, requests } = hookedWorld({ assumptions: { 'events.retries': 'svix' } })
    const end = world.receivers.on(hookOf('agent'), () => new Response(null, { status: 500 }))
    world.apply(annsMail())
    await world.clock.advance(0)
    end()
    const [{ id } = { id: '' }] = world.deliveries.list()
    expect(await world.deliveries.redeliver(id)).toMatchObject({
      status: 'pending',
      next_attempt_at: '2026-01-05T09:00:05.000Z',
    })
    requests('agent')
    await world.clock.advance(5000)
    expect(gist(world.deliveries.get(id))).toMatchObject({ status: 'succeeded', reason: null })
  })

  it('waits for an attempt of the same delivery in flight', async () => {
    const { world, requests } = hookedWorld()
    let answer = (): void => undefined
    const seen = requests('agent', async (_, n) => {
      if (n === 0) await new Promise<void>((resolve) => (answer = resolve))
      return n === 0 ? 500 : 200
    })
    world.apply(annsMail())
    const [{ id } = { id: '' }] = world.deliveries.list()
    const over = world.deliveries.redeliver(id)
    for (let turn = 0; turn < 10; turn++) await yieldToEventLoop()
    expect(seen).toHaveLength(1)
    answer()
    expect(gist(await over)).toEqual({
      status: 'succeeded',
      reason: null,
      next: null,
      attempts: [
        ['event', 500],
        ['redelivery', 200],
      ],
    })
  })
})
