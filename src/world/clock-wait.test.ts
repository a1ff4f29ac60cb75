import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../test/support/fake-timers.js'
import { Clock } from './clock.js'

const start = Date.parse('2026-01-05T09:00:00Z')

useFakeTimers({ now: 0 })

/** Waits on a clock; the list gets the wall time, in milliseconds, at which the wait ended. */
function waiting(clock: Clock, duration: number, signal?: AbortSignal) {
  const ended: number[] = []
  void clock.wait(duration, signal).then(() => ended.push(Date.now()))
  return ended
}

describe('Clock.wait', () => {
  it('follows a change of the speed', async () => {
    const clock = new Clock('real', start)
    const ended = waiting(clock, 10_000)
    await vi.advanceTimersByTimeAsync(1000)
    clock.setMode('10x')
    await vi.advanceTimersByTimeAsync(500)
    clock.setMode('frozen')
    await vi.advanceTimersByTimeAsync(3999)
    expect(ended).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toEqual([5500])
  })

  it('waits longer than the longest timer of the platform', async () => {
    const ended = waiting(new Clock('frozen', start), 60 * 86_400_000)
    await vi.advanceTimersByTimeAsync(60 * 86_400_000 - 1)
    expect(ended).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toEqual([60 * 86_400_000])
  })

  it('ends at once when the clock is stopped', async () => {
    const clock = new Clock('frozen', start)
    const ended = [waiting(clock, 1000), waiting(clock, 2000)]
    await vi.advanceTimersByTimeAsync(10)
    clock.stop()
    await vi.advanceTimersByTimeAsync(0)
    expect(ended).toEqual([[10], [10]])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends at once when its signal aborts, and leaves no listener', async () => {
    const clock = new Clock('frozen', start)
    const controller = new AbortController()
    const { signal } = controller
    const [whole, broken] = [waiting(clock, 100, signal), waiting(clock, 1000, signal)]
    await vi.advanceTimersByTimeAsync(100)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    controller.abort()
    await vi.advanceTimersByTimeAsync(0)
    expect([whole, broken]).toEqual([[100], [100]])
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
    const late = waiting(clock, 1000, signal)
    await vi.advanceTimersByTimeAsync(0)
    expect(late).toEqual([100])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
