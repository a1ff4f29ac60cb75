import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../test/support/fake-timers.js'
import { Clock } from './clock.js'

const start = Date.parse('2026-01-05T09:00:00Z')

useFakeTimers({ now: 0 })

/** Waits on a clock, and notes after how many milliseconds on the wall that was over. */
function waiting(clock: Clock, duration: number, signal?: AbortSignal) {
  const over: number[] = []
  void clock.wait(duration, signal).then(() => over.push(Date.now()))
  return over
}

describe('a wait', () => {
  it.each([
    ['real', 1000],
    ['frozen', 1000],
    ['1x', 1000],
    ['10x', 100],
    ['0.5x', 2000],
  ] as const)('takes on a clock that is %s what its duration takes there', async (mode, expected) => {
    const over = waiting(new Clock(mode, start), 1000)
    await vi.advanceTimersByTimeAsync(expected - 1)
    expect(over).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(over).toEqual([expected])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('goes on at another speed when the clock does', async () => {
    const clock = new Clock('real', start)
    const over = waiting(clock, 10_000)
    await vi.advanceTimersByTimeAsync(1000)
    clock.setMode('10x')
    await vi.advanceTimersByTimeAsync(500)
    clock.setMode('frozen')
    await vi.advanceTimersByTimeAsync(3999)
    expect(over).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(over).toEqual([5500])
  })

  it('is shorter by what the clock is moved on', async () => {
    const clock = new Clock('frozen', start)
    const [short, long] = [waiting(clock, 10_000), waiting(clock, 70_000)]
    await vi.advanceTimersByTimeAsync(1000)
    await clock.advance(9000)
    expect(short).toEqual([1000])
    await clock.advanceTo(start + 59_000)
    expect(long).toEqual([])
    await vi.advanceTimersByTimeAsync(9999)
    expect(long).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(long).toEqual([11_000])
  })

  it('is as long as it was told, beyond the reach of a timer of the platform', async () => {
    const over = waiting(new Clock('frozen', start), 60 * 86_400_000)
    await vi.advanceTimersByTimeAsync(60 * 86_400_000 - 1)
    expect(over).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(over).toEqual([60 * 86_400_000])
  })

  it.each([['stopped', (clock: Clock) => clock.stop()]])(
    'is over at once when the clock is %s',
    async (_, end) => {
      const clock = new Clock('frozen', start)
      const over = [waiting(clock, 1000), waiting(clock, 2000)]
      await vi.advanceTimersByTimeAsync(10)
      end(clock)
      await vi.advanceTimersByTimeAsync(0)
      expect(over).toEqual([[10], [10]])
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('is over at once when its signal says so, and leaves nothing on it', async () => {
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
