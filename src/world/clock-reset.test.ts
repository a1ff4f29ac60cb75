import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Clock } from './clock.js'

const start = Date.parse('2026-01-05T09:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a clock that is reset', () => {
  it.each([
    ['frozen', start],
    ['10x', start],
    ['real', 3000],
  ] as const)('is back at the start when it is %s, with nothing scheduled', async (mode, begin) => {
    const clock = new Clock(mode, start)
    let done = 0
    await clock.advance(60_000)
    clock.schedule(clock.now() + 1000, () => void done++)
    vi.setSystemTime(3000)
    clock.reset()
    expect(clock.now()).toBe(begin)
    await clock.advance(3_600_000)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(done).toBe(0)
  })

  it('stays at the start when it is reset while it advances', async () => {
    const clock = new Clock('frozen', start)
    const done: [string, number][] = []
    const at = (offset: number, name: string) =>
      clock.schedule(start + offset, () => void done.push([name, clock.now() - start]))
    clock.schedule(start + 10, async () => {
      clock.reset()
      at(20, 'of the new story')
    })
    at(15, 'of the old story')
    await clock.advance(60)
    expect(done).toEqual([])
    expect(clock.now()).toBe(start)
    await clock.advance(20)
    expect(done).toEqual([['of the new story', 20]])
  })

  it('begins anew although a task of the old story is still on', async () => {
    const clock = new Clock('10x', start)
    const done: number[] = []
    let end = () => {}
    clock.schedule(start + 1_000_000, () => new Promise<void>((resolve) => (end = resolve)))
    await vi.advanceTimersByTimeAsync(100_000)
    clock.reset()
    clock.schedule(start + 5000, () => void done.push(clock.now() - start))
    end()
    await vi.advanceTimersByTimeAsync(499)
    expect(done).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toEqual([5000])
  })
})

describe('a clock that is stopped', () => {
  it('does nothing any more', async () => {
    const clock = new Clock('10x', start)
    let done = 0
    clock.schedule(start + 1000, () => void done++)
    clock.stop()
    await vi.advanceTimersByTimeAsync(1000)
    expect(done).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
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
