import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Clock } from './clock.js'

const start = Date.parse('2026-01-05T09:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2030-06-01T00:00:00Z') })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a clock that is to stop at an instant', () => {
  it('stands there exactly, however late anybody looks', () => {
    const clock = new Clock('10x', start)
    clock.stopAt(start + 1000)
    vi.advanceTimersByTime(99)
    expect(clock.now()).toBe(start + 990)
    vi.advanceTimersByTime(5000)
    expect(clock.now()).toBe(start + 1000)
  })

  it('does what is due by then, and nothing that is due later', async () => {
    const done: number[] = []
    const clock = new Clock('10x', start)
    for (const after of [500, 1000, 1001]) clock.schedule(start + after, () => void done.push(after))
    clock.stopAt(start + 1000)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(done).toEqual([500, 1000])
    clock.stop()
  })

  it('goes on where it is moved on, and where it is put', async () => {
    const clock = new Clock('10x', start)
    clock.stopAt(start + 1000)
    await clock.advanceTo(start + 3000)
    expect(clock.now()).toBe(start + 3000)
    clock.stopAt(start + 4000)
    clock.resume({ mode: 'frozen', beganAt: start, now: start + 9000 })
    expect(clock.now()).toBe(start + 9000)
  })

  it('stands still at once where it has passed that instant', () => {
    const clock = new Clock('10x', start)
    vi.advanceTimersByTime(1000)
    clock.stopAt(start)
    vi.advanceTimersByTime(1000)
    expect(clock.now()).toBe(start + 10_000)
  })
})
