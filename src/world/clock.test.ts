import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../test/support/fake-timers.js'
import { Clock } from './clock.js'
import { ClockError } from './errors.js'
import { parseClockMode } from './time.js'

const start = Date.parse('2026-01-05T09:00:00Z')
const wall = Date.parse('2030-06-01T00:00:00Z')

useFakeTimers({ now: wall })

/** Schedules tasks that note when, on the clock, they were done. */
function noting(clock: Clock) {
  const done: [string, number][] = []
  const at = (offset: number, name: string) =>
    clock.schedule(start + offset, () => void done.push([name, clock.now() - start]))
  return { done, at }
}

describe('parseClockMode', () => {
  it.each(['real', 'frozen', '1x', '10x', '0.5x', '1000x'])('takes %s', (mode) => {
    expect(parseClockMode(mode)).toBe(mode)
  })

  it.each(['', 'Real', 'fast', 'x', '0x', '0.0x', '-1x', '1.x', '.5x', '10', '10 x', '1e3x', 'Infinityx'])(
    'refuses %j',
    (mode) => {
      expect(() => parseClockMode(mode)).toThrow(
        new ClockError(
          'unknown-mode',
          `There is no clock "${mode}"; choose real, frozen or a speed such as 10x.`,
        ),
      )
    },
  )

  it('refuses a speed beyond all numbers', () => {
    expect(() => parseClockMode(`${'9'.repeat(400)}x`)).toThrow(ClockError)
  })
})

describe('a clock with time on the wall going by', () => {
  it('stands still when it is frozen', () => {
    const clock = new Clock('frozen', start)
    vi.advanceTimersByTime(60_000)
    expect(clock.now()).toBe(start)
  })

  it('shows the wall when it is real', () => {
    const clock = new Clock('real', start)
    expect(clock.now()).toBe(wall)
    vi.advanceTimersByTime(1234)
    expect(clock.now()).toBe(wall + 1234)
  })

  it('begins at the start of the story and runs at its speed', () => {
    const [fast, slow] = [new Clock('10x', start), new Clock('0.5x', start)]
    vi.advanceTimersByTime(1001)
    expect(fast.now()).toBe(start + 10_010)
    expect(slow.now()).toBe(start + 500)
  })

  it.each(['real', '10x'] as const)(
    'goes on at its speed where the time of the machine is set, on %s',
    (mode) => {
      const clock = new Clock(mode, start)
      const [from, speed] = [clock.now(), mode === 'real' ? 1 : 10]
      let done = 0
      clock.schedule(from + 40_000, () => void done++)
      vi.setSystemTime(wall - 3_600_000)
      vi.advanceTimersByTime(5)
      expect(clock.now()).toBe(from + 5 * speed)
      vi.setSystemTime(wall + 3_600_000)
      vi.advanceTimersByTime(5)
      expect(clock.now()).toBe(from + 10 * speed)
      vi.advanceTimersByTime(40_000 / speed)
      expect(done).toBe(1)
      clock.stop()
    },
  )

  it('does everything that is due by itself', async () => {
    const clock = new Clock('10x', start)
    const { done, at } = noting(clock)
    at(20_000, 'second')
    at(10_000, 'first')
    at(-5000, 'long ago')
    await vi.advanceTimersByTimeAsync(2000)
    expect(done).toEqual([
      ['long ago', 0],
      ['first', 10_000],
      ['second', 20_000],
    ])
  })

  it('stops where timestamps end', async () => {
    const clock = new Clock('999999999999x', start)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(new Date(clock.now()).toISOString()).toBe('9999-12-31T23:59:59.999Z')
    await expect(clock.advance(1)).rejects.toMatchObject({ code: 'malformed' })
    await clock.advance(0)
    clock.stop()
  })

  it('does what is due beyond the reach of a timer of the platform', async () => {
    const clock = new Clock('real', start)
    const done: number[] = []
    const later = wall + 60 * 86_400_000
    clock.schedule(later, () => void done.push(clock.now()))
    await vi.advanceTimersByTimeAsync(60 * 86_400_000 - 1)
    expect(done).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toEqual([later])
  })

  it('does nothing by itself when it is frozen, not even what is due', async () => {
    const clock = new Clock('frozen', start)
    const { done, at } = noting(clock)
    at(-1000, 'long ago')
    at(0, 'now')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual([])
    await clock.advance(0)
    expect(done).toEqual([
      ['long ago', 0],
      ['now', 0],
    ])
  })
})

describe('a running clock whose task fails', () => {
  it('fails loudly and goes on with the next', async () => {
    const failures: unknown[] = []
    const listeners = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', (error) => failures.push(error))
    try {
      const clock = new Clock('real', start)
      let done = 0
      clock.schedule(clock.now() + 10, () => Promise.reject(new Error('no receiver')))
      clock.schedule(clock.now() + 10, () => void done++)
      await vi.advanceTimersByTimeAsync(11)
      vi.useRealTimers()
      await new Promise((resolve) => setImmediate(resolve))
      expect(done).toBe(1)
      expect(failures).toEqual([new Error('no receiver')])
    } finally {
      process.removeAllListeners('unhandledRejection')
      for (const listener of listeners) process.on('unhandledRejection', listener)
    }
  })
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
