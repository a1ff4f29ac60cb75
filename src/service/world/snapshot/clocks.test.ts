import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../../../test/support/fake-timers.js'
import { smallBeginning, start } from '../../../../test/support/world/small-world.js'
import { type ClockMode, formatInstant } from '../../time/time.js'
import { findKept } from '../kept-answers.js'
import { World } from '../world.js'

const minute = 60_000
const hour = 60 * minute
const wall = Date.parse('2030-06-01T12:00:00Z')

useFakeTimers({ now: wall })

const timeline = [10, 20, 30].map((minutes) => ({
  name: `at ${minutes}m`,
  after: minutes * minute,
  commands: [],
}))
const initialState = smallBeginning({ timeline })

function worldWith(clock: ClockMode): World {
  return new World('world_1', initialState, clock)
}

const played = (world: World): string[] => world.timeline.played.map(({ name }) => name)

describe('the timeline of a restored world', () => {
  it('continues at its speed, regardless of the time passed outside', async () => {
    const world = worldWith('10x')
    await vi.advanceTimersByTimeAsync(1.2 * minute)
    expect(played(world)).toEqual(['at 10m'])
    const snapshot = world.snapshot()
    expect(snapshot.clock).toEqual({
      mode: '10x',
      began_at: formatInstant(start),
      now: formatInstant(start + 12 * minute),
    })
    world.close()
    await vi.advanceTimersByTimeAsync(24 * hour)
    const restored = worldWith('frozen')
    restored.restore(snapshot)
    expect(restored.clock.mode).toBe('10x')
    expect(restored.clock.now()).toBe(start + 12 * minute)
    await vi.advanceTimersByTimeAsync(0.8 * minute - 1)
    expect(played(restored)).toEqual(['at 10m'])
    await vi.advanceTimersByTimeAsync(1)
    expect(played(restored)).toEqual(['at 10m', 'at 20m'])
    restored.close()
  })

  it('goes on at its own instant on a real clock', async () => {
    const world = worldWith('real')
    await vi.advanceTimersByTimeAsync(12 * minute)
    const request = { organization_id: 'org_a', operation: 'messages.send', idempotency_key: 'k1' }
    const answer = { request: '', status: 204, headers: {}, body: null }
    world.apply({ type: 'keep-answer', ...request, ...answer })
    const snapshot = world.snapshot()
    const now = wall + 12 * minute
    expect(snapshot.clock).toEqual({ mode: 'real', began_at: formatInstant(wall), now: formatInstant(now) })
    world.close()
    vi.setSystemTime(wall + 1000 * hour)
    const restored = worldWith('real')
    restored.restore(snapshot)
    expect([restored.clock.now(), restored.clock.beganAt]).toEqual([now, wall])
    expect(findKept(restored.answers, request, now)).toEqual({ ...request, ...answer, kept_at: now })
    await vi.advanceTimersByTimeAsync(8 * minute - 1)
    expect(played(restored)).toEqual(['at 10m'])
    await vi.advanceTimersByTimeAsync(1)
    expect(played(restored)).toEqual(['at 10m', 'at 20m'])
    restored.close()
  })

  it('does not go back on a real clock that was advanced', async () => {
    const world = worldWith('real')
    await world.clock.advance(15 * minute)
    const restored = worldWith('real')
    restored.restore(world.snapshot())
    expect(restored.clock.now()).toBe(wall + 15 * minute)
    await vi.advanceTimersByTimeAsync(5 * minute)
    expect(played(restored)).toEqual(['at 10m', 'at 20m'])
    for (const { clock } of [world, restored]) clock.stop()
  })
})

describe('a reset of a restored world', () => {
  it('brings back the mode of the clock from before the restore', () => {
    const world = worldWith('real')
    world.restore(worldWith('frozen').snapshot())
    expect(world.clock.mode).toBe('frozen')
    world.reset()
    expect(world.clock.mode).toBe('real')
    world.close()
  })
})
