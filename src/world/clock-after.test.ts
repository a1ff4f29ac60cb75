import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../test/support/fake-timers.js'
import { Clock } from './clock.js'

const start = Date.parse('2026-01-05T09:00:00Z')

useFakeTimers({ now: start })

/** Has something done after a duration, and notes the clock's time and what has passed on the wall when it was. */
function doing(clock: Clock, duration: number) {
  const done: { at: number; wall: number }[] = []
  const cancel = clock.after(duration, () => {
    done.push({ at: clock.now() - start, wall: Date.now() - start })
  })
  return { done, cancel }
}

describe('what is done after a duration', () => {
  it.each([
    ['real', 1000, 1000],
    ['frozen', 1000, 0],
    ['10x', 100, 1000],
    ['0.5x', 2000, 1000],
  ] as const)('is done by itself on a clock that is %s, once', async (mode, wall, at) => {
    const clock = new Clock(mode, start)
    const { done } = doing(clock, 1000)
    await vi.advanceTimersByTimeAsync(wall - 1)
    expect(done).toEqual([])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(done).toEqual([{ at, wall }])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(['real', 'frozen', '10x'] as const)(
    'is done at its instant by an advance of a clock that is %s',
    async (mode) => {
      const clock = new Clock(mode, start)
      const { done } = doing(clock, 60_000)
      await clock.advance(59_999)
      expect(done).toEqual([])
      await clock.advance(86_400_000)
      expect(done).toEqual([{ at: 60_000, wall: 0 }])
      await vi.advanceTimersByTimeAsync(120_000)
      expect(done).toHaveLength(1)
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('comes sooner by what a frozen clock is moved on meanwhile', async () => {
    const clock = new Clock('frozen', start)
    const { done } = doing(clock, 10_000)
    await vi.advanceTimersByTimeAsync(3000)
    await clock.advance(5000)
    await vi.advanceTimersByTimeAsync(1999)
    expect(done).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toEqual([{ at: 5000, wall: 5000 }])
  })

  it('is in order with what is scheduled, when an advance does both', async () => {
    const clock = new Clock('frozen', start)
    const done: string[] = []
    clock.after(2000, () => void done.push('after 2 s'))
    clock.schedule(start + 1000, () => void done.push('at 1 s'))
    clock.schedule(start + 2000, () => void done.push('at 2 s'))
    clock.after(1000, () => void done.push('after 1 s'))
    await clock.advance(2000)
    expect(done).toEqual(['at 1 s', 'after 1 s', 'after 2 s', 'at 2 s'])
  })

  it('waits for its turn where its time comes in the midst of an advance', async () => {
    const clock = new Clock('frozen', start)
    const done: string[] = []
    clock.schedule(start, async () => {
      await clock.wait(5000)
      done.push('long task')
    })
    clock.after(3000, () => void done.push('after'))
    const advance = clock.advance(0)
    await vi.advanceTimersByTimeAsync(4000)
    expect(done).toEqual([])
    await vi.advanceTimersByTimeAsync(1000)
    await advance
    await vi.advanceTimersByTimeAsync(0)
    expect(done).toEqual(['long task', 'after'])
  })

  it('is done at once after no time, though not before its caller goes on', async () => {
    const clock = new Clock('frozen', start)
    const { done } = doing(clock, 0)
    expect(done).toEqual([])
    await vi.advanceTimersByTimeAsync(0)
    expect(done).toEqual([{ at: 0, wall: 0 }])
  })

  it.each<[string, (clock: Clock, cancel: () => void) => void]>([
    ['called off', (_, cancel) => cancel()],
    ['stopped', (clock) => clock.stop()],
    ['sent on from elsewhere', (clock) => clock.resume({ mode: 'frozen', beganAt: start, now: start })],
  ])('is never done where it is %s', async (_, end) => {
    for (const mode of ['frozen', 'real', '10x'] as const) {
      const clock = new Clock(mode, start)
      const { done, cancel } = doing(clock, 1000)
      await vi.advanceTimersByTimeAsync(10)
      end(clock, cancel)
      await vi.advanceTimersByTimeAsync(10_000)
      expect(done).toEqual([])
      expect(vi.getTimerCount()).toBe(0)
      clock.stop()
    }
  })

  it('is never done on a clock that has stopped', async () => {
    const clock = new Clock('real', start)
    clock.stop()
    const { done } = doing(clock, 0)
    await vi.advanceTimersByTimeAsync(1000)
    expect(done).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves the process free to end', () => {
    const unref = vi.fn()
    const setTimer = vi.spyOn(globalThis, 'setTimeout')
    setTimer.mockImplementation((() => ({ unref })) as never)
    new Clock('frozen', start).after(1000, () => undefined)
    new Clock('real', start).after(1000, () => undefined)
    expect(unref).toHaveBeenCalledTimes(setTimer.mock.calls.length)
    expect(setTimer.mock.calls.length).toBeGreaterThan(1)
    setTimer.mockRestore()
  })
})

describe('what an advance waits for', () => {
  it('ends before time goes on, and before the advance does', async () => {
    const clock = new Clock('frozen', start)
    const release = clock.hold(2000)
    const seen: string[] = []
    clock.schedule(start + 1000, () => void seen.push('task'))
    const advance = clock.advance(1000).then(() => seen.push('arrived'))
    await vi.advanceTimersByTimeAsync(500)
    expect(seen).toEqual([])
    expect(clock.now()).toBe(start)
    release()
    await advance
    expect(seen).toEqual(['task', 'arrived'])
  })

  it('may begin in the course of it, at its very end too', async () => {
    const clock = new Clock('frozen', start)
    let release = (): void => undefined
    clock.schedule(start + 1000, () => {
      release = clock.hold(2000)
    })
    let arrived = false
    const advance = clock.advance(1000).then(() => {
      arrived = true
    })
    await vi.advanceTimersByTimeAsync(1000)
    expect(arrived).toBe(false)
    expect(clock.now()).toBe(start + 1000)
    release()
    await advance
    expect(arrived).toBe(true)
  })

  it('is left behind once its time limit is over', async () => {
    const clock = new Clock('frozen', start)
    clock.hold(2000)
    const advance = clock.advance(60_000)
    await vi.advanceTimersByTimeAsync(2000)
    await advance
    expect(clock.now()).toBe(start + 60_000)
    await clock.advance(60_000)
    expect(clock.now()).toBe(start + 120_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each<[string, (clock: Clock) => void]>([['stopped', (clock) => clock.stop()]])(
    'keeps no advance where the clock is %s',
    async (_, end) => {
      const clock = new Clock('frozen', start)
      clock.hold(2000)
      const advance = clock.advance(60_000)
      await vi.advanceTimersByTimeAsync(10)
      end(clock)
      await advance
      expect(clock.now()).toBe(start)
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('does not keep a clock from running by itself', async () => {
    const clock = new Clock('10x', start)
    clock.hold(60_000)
    const { done } = doing(clock, 1000)
    await vi.advanceTimersByTimeAsync(100)
    expect(done).toEqual([{ at: 1000, wall: 100 }])
    clock.stop()
  })
})

describe('time that is measured', () => {
  it.each([
    ['real', 250],
    ['10x', 2500],
    ['frozen', 250],
  ] as const)('is what has passed on a clock that is %s', async (mode, expected) => {
    const clock = new Clock(mode, start)
    const elapsed = clock.measure()
    await vi.advanceTimersByTimeAsync(250)
    expect(elapsed()).toBe(expected)
    clock.stop()
  })

  it('has in it what the clock was moved on', async () => {
    const clock = new Clock('frozen', start)
    const elapsed = clock.measure()
    await vi.advanceTimersByTimeAsync(250)
    await clock.advance(60_000)
    expect(elapsed()).toBe(60_250)
    vi.setSystemTime(start - 5000)
    expect(elapsed()).toBe(60_250)
  })
})
