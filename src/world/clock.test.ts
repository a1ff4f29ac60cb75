import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../test/support/fake-timers.js'
import { Clock } from './clock.js'
import { parseClockMode } from './time.js'

const start = Date.parse('2026-01-05T09:00:00Z')
const wall = Date.parse('2030-06-01T00:00:00Z')

useFakeTimers({ now: wall })

/** `at` schedules a task; `ran` has the clock's time of each run. */
function scheduling(clock: Clock) {
  const ran: [string, number][] = []
  const at = (offset: number, name: string) =>
    clock.schedule(start + offset, () => void ran.push([name, clock.now() - start]))
  return { ran, at }
}

describe('parseClockMode', () => {
  it('accepts real, frozen and any finite speed, and refuses all else', () => {
    for (const mode of ['real', 'frozen', '1x', '10x', '0.5x']) expect(parseClockMode(mode)).toBe(mode)
    for (const mode of ['', 'Real', 'x', '0x', '-1x', '1.x', '.5x', '10', '1e3x', `${'9'.repeat(400)}x`]) {
      expect(() => parseClockMode(mode)).toThrow(
        `There is no clock "${mode}"; choose real, frozen or a speed such as 10x.`,
      )
    }
  })
})

describe('Clock', () => {
  it('begins at the start and runs at its speed', () => {
    const [fast, slow] = [new Clock('10x', start), new Clock('0.5x', start)]
    vi.advanceTimersByTime(1001)
    expect(fast.now()).toBe(start + 10_010)
    expect(slow.now()).toBe(start + 500)
  })

  it.each(['real', '10x'] as const)('ignores changes of the system time in mode %s', (mode) => {
    const clock = new Clock(mode, start)
    const [from, speed] = [clock.now(), mode === 'real' ? 1 : 10]
    let ran = 0
    clock.schedule(from + 40_000, () => void ran++)
    vi.setSystemTime(wall - 3_600_000)
    vi.advanceTimersByTime(5)
    expect(clock.now()).toBe(from + 5 * speed)
    vi.setSystemTime(wall + 3_600_000)
    vi.advanceTimersByTime(5)
    expect(clock.now()).toBe(from + 10 * speed)
    vi.advanceTimersByTime(40_000 / speed)
    expect(ran).toBe(1)
    clock.stop()
  })

  it('runs due tasks by itself', async () => {
    const clock = new Clock('10x', start)
    const { ran, at } = scheduling(clock)
    at(20_000, 'second')
    at(10_000, 'first')
    at(-5000, 'long ago')
    await vi.advanceTimersByTimeAsync(2000)
    expect(ran).toEqual([
      ['long ago', 0],
      ['first', 10_000],
      ['second', 20_000],
    ])
  })

  it('stops at the last timestamp', async () => {
    const clock = new Clock('999999999999x', start)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(new Date(clock.now()).toISOString()).toBe('9999-12-31T23:59:59.999Z')
    await expect(clock.advance(1)).rejects.toMatchObject({ code: 'malformed' })
    await clock.advance(0)
    clock.stop()
  })

  it('runs a task that is further away than the longest timer', async () => {
    const clock = new Clock('real', wall)
    const ran: number[] = []
    const later = wall + 60 * 86_400_000
    clock.schedule(later, () => void ran.push(clock.now()))
    await vi.advanceTimersByTimeAsync(60 * 86_400_000 - 1)
    expect(ran).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(ran).toEqual([later])
  })

  it('runs no task by itself while frozen, not even an overdue one', async () => {
    const clock = new Clock('frozen', start)
    const { ran, at } = scheduling(clock)
    at(-1000, 'long ago')
    at(0, 'now')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ran).toEqual([])
    await clock.advance(0)
    expect(ran).toEqual([
      ['long ago', 0],
      ['now', 0],
    ])
  })
})

describe('a failing task of a running clock', () => {
  it('is an unhandled rejection and does not stop the next task', async () => {
    const failures: unknown[] = []
    const listeners = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', (error) => failures.push(error))
    try {
      const clock = new Clock('real', start)
      let ran = 0
      clock.schedule(clock.now() + 10, () => Promise.reject(new Error('no receiver')))
      clock.schedule(clock.now() + 10, () => void ran++)
      await vi.advanceTimersByTimeAsync(11)
      vi.useRealTimers()
      await new Promise((resolve) => setImmediate(resolve))
      expect(ran).toBe(1)
      expect(failures).toEqual([new Error('no receiver')])
    } finally {
      process.removeAllListeners('unhandledRejection')
      for (const listener of listeners) process.on('unhandledRejection', listener)
    }
  })
})

describe('Clock.stopAt', () => {
  it('runs only the tasks due by the instant', async () => {
    const ran: number[] = []
    const clock = new Clock('10x', start)
    for (const after of [500, 1000, 1001]) clock.schedule(start + after, () => void ran.push(after))
    clock.stopAt(start + 1000)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(ran).toEqual([500, 1000])
    expect(clock.now()).toBe(start + 1000)
    clock.stop()
  })

  it('lets an advance go beyond the instant', async () => {
    const clock = new Clock('10x', start)
    clock.stopAt(start + 1000)
    await clock.advanceTo(start + 3000)
    expect(clock.now()).toBe(start + 3000)
  })
})
