import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { debounce } from './debounce.js'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('debounce', () => {
  it('does once what is asked for many times', () => {
    const action = vi.fn()
    const ask = debounce(action, 80)
    for (let times = 0; times < 5; times++) {
      ask()
      vi.advanceTimersByTime(79)
    }
    expect(action).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(action).toHaveBeenCalledTimes(1)
    ask()
    vi.advanceTimersByTime(80)
    expect(action).toHaveBeenCalledTimes(2)
  })

  it('does nothing that was called off', () => {
    const action = vi.fn()
    const ask = debounce(action, 80)
    ask()
    ask.cancel()
    vi.advanceTimersByTime(1000)
    expect(action).not.toHaveBeenCalled()
  })
})
