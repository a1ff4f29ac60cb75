import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Clock } from './clock.js'

const start = Date.parse('2026-01-05T09:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})

afterEach(() => {
  vi.useRealTimers()
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
