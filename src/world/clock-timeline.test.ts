import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { smallWorld, start } from '../../test/support/world/small-world.js'
import type { ClockMode } from './time.js'
import type { TimelineEntry } from './timeline.js'

const wall = Date.parse('2030-06-01T00:00:00Z')
const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers({ now: wall })
})

afterEach(() => {
  vi.useRealTimers()
})

const timeline: TimelineEntry[] = [1, 1, 2, 5].map((minutes, index) => ({
  name: `${minutes}m-${index + 1}`,
  after: minutes * minute,
  commands: [],
}))

/** A world whose story is told at some speed, and when on the wall each part of it happened, in milliseconds. */
function told(clock: ClockMode) {
  const world = smallWorld(clock, { timeline })
  const heard: [string, number][] = []
  world.feed.subscribe(() => {
    const { played } = world.timeline
    const { name } = played.at(-1) ?? { name: '' }
    if (played.length > heard.length) heard.push([name, Date.now() - wall])
  })
  return { world, heard }
}

describe('a timeline', () => {
  it.each([
    ['real', 1],
    ['1x', 1],
    ['10x', 10],
    ['600x', 600],
    ['0.5x', 0.5],
  ] as const)('is told on a clock that is %s when it is time there', async (mode, speed) => {
    const { world, heard } = told(mode)
    const begin = world.clock.now()
    await vi.advanceTimersByTimeAsync((6 * minute) / speed)
    expect(heard).toEqual([
      ['1m-1', minute / speed],
      ['1m-2', minute / speed],
      ['2m-3', (2 * minute) / speed],
      ['5m-4', (5 * minute) / speed],
    ])
    expect(world.timeline.played.map(({ at }) => Date.parse(at) - begin)).toEqual(
      [1, 1, 2, 5].map((minutes) => minutes * minute),
    )
    world.close()
  })

  it('goes on as the clock does when that is moved on, stands still or runs at another speed', async () => {
    const { world, heard } = told('10x')
    await vi.advanceTimersByTimeAsync(3000)
    await world.clock.advance(30_000)
    expect(heard).toEqual([
      ['1m-1', 3000],
      ['1m-2', 3000],
    ])
    world.clock.setMode('frozen')
    await vi.advanceTimersByTimeAsync(60 * minute)
    expect(heard).toHaveLength(2)
    world.clock.setMode('60x')
    await vi.advanceTimersByTimeAsync(999)
    expect(heard).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(heard.at(-1)).toEqual(['2m-3', 3000 + 60 * minute + 1000])
    await vi.advanceTimersByTimeAsync(3000)
    expect(heard.at(-1)).toEqual(['5m-4', 3000 + 60 * minute + 4000])
    expect(world.clock.now()).toBe(start + 5 * minute)
    world.close()
  })

  it('is over with its world', async () => {
    const { world, heard } = told('10x')
    await vi.advanceTimersByTimeAsync(6000)
    world.close()
    await vi.advanceTimersByTimeAsync(60 * minute)
    expect(heard).toHaveLength(2)
    expect(world.timeline.left).toBe(2)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a clock', () => {
  it('stops where timestamps end', async () => {
    const world = smallWorld('999999999999x')
    await vi.advanceTimersByTimeAsync(minute)
    expect(new Date(world.clock.now()).toISOString()).toBe('9999-12-31T23:59:59.999Z')
    await expect(world.clock.advance(1)).rejects.toMatchObject({ code: 'malformed' })
    await world.clock.advance(0)
    world.close()
  })
})
