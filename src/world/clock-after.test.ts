import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../test/support/fake-timers.js'
import { Clock } from './clock.js'

const start = Date.parse('2026-01-05T09:00:00Z')

useFakeTimers({ now: start })

/** Schedules a task after a duration; `ran` has the clock's time and the wall time of each run. */
function runAfter(clock: Clock, duration: number) {
  const ran: { at: number; wall: number }[] = []
  const cancel = clock.after(duration, () => {
    ran.push({ at: clock.now() - start, wall: Date.now() - start })
  })
  return { ran, cancel }
}

describe('Clock.after', () => {
  it.each([
    ['real', 1000, 1000],
    ['frozen', 1000, 0],
    ['10x', 100, 1000],
    ['0.5x', 2000, 1000],
  ] as const)('runs a task once by itself on a clock that is %s', async (mode, wall, at) => {
    const clock = new Clock(mode, start)
    const { ran } = runAfter(clock, 1000)
    await vi.advanceTimersByTimeAsync(wall - 1)
    expect(ran).toEqual([])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(ran).toEqual([{ at, wall }])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(['real', 'frozen', '10x'] as const)(
    'runs a task at its instant in an advance on a clock that is %s',
    async (mode) => {
      const clock = new Clock(mode, start)
      const { ran } = runAfter(clock, 60_000)
      await clock.advance(59_999)
      expect(ran).toEqual([])
      await clock.advance(86_400_000)
      expect(ran).toEqual([{ at: 60_000, wall: 0 }])
      await vi.advanceTimersByTimeAsync(120_000)
      expect(ran).toHaveLength(1)
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('subtracts an advance of a frozen clock from the wait', async () => {
    const clock = new Clock('frozen', start)
    const { ran } = runAfter(clock, 10_000)
    await vi.advanceTimersByTimeAsync(3000)
    await clock.advance(5000)
    await vi.advanceTimersByTimeAsync(1999)
    expect(ran).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(ran).toEqual([{ at: 5000, wall: 5000 }])
  })

  it('keeps the order of scheduled tasks within an advance', async () => {
    const clock = new Clock('frozen', start)
    const ran: string[] = []
    clock.after(2000, () => void ran.push('after 2 s'))
    clock.schedule(start + 1000, () => void ran.push('at 1 s'))
    clock.schedule(start + 2000, () => void ran.push('at 2 s'))
    clock.after(1000, () => void ran.push('after 1 s'))
    await clock.advance(2000)
    expect(ran).toEqual(['at 1 s', 'after 1 s', 'after 2 s', 'at 2 s'])
  })

  it('waits for the end of a running advance', async () => {
    const clock = new Clock('frozen', start)
    const ran: string[] = []
    clock.schedule(start, async () => {
      await clock.wait(5000)
      ran.push('long task')
    })
    clock.after(3000, () => void ran.push('after'))
    const advance = clock.advance(0)
    await vi.advanceTimersByTimeAsync(4000)
    expect(ran).toEqual([])
    await vi.advanceTimersByTimeAsync(1000)
    await advance
    await vi.advanceTimersByTimeAsync(0)
    expect(ran).toEqual(['long task', 'after'])
  })

  it.each<[string, (clock: Clock, cancel: () => void) => void]>([
    ['it is canceled', (_, cancel) => cancel()],
    ['the clock is stopped', (clock) => clock.stop()],
  ])('never runs a task once %s', async (_, end) => {
    for (const mode of ['frozen', 'real', '10x'] as const) {
      const clock = new Clock(mode, start)
      const { ran, cancel } = runAfter(clock, 1000)
      await vi.advanceTimersByTimeAsync(10)
      end(clock, cancel)
      await vi.advanceTimersByTimeAsync(10_000)
      expect(ran).toEqual([])
      expect(vi.getTimerCount()).toBe(0)
      clock.stop()
    }
  })

  it('does not keep the process alive', () => {
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

describe('Clock.hold', () => {
  it('holds an advance that began before, even at its end', async () => {
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

  it('holds advances no longer than its limit', async () => {
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

  it('holds no advance of a stopped clock', async () => {
    const clock = new Clock('frozen', start)
    clock.hold(2000)
    const advance = clock.advance(60_000)
    await vi.advanceTimersByTimeAsync(10)
    clock.stop()
    await advance
    expect(clock.now()).toBe(start)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not hold a running clock', async () => {
    const clock = new Clock('10x', start)
    clock.hold(60_000)
    const { ran } = runAfter(clock, 1000)
    await vi.advanceTimersByTimeAsync(100)
    expect(ran).toEqual([{ at: 1000, wall: 100 }])
    clock.stop()
  })
})
