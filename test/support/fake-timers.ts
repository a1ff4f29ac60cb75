import { afterEach, beforeEach, vi } from 'vitest'
import { platform } from '../../src/service/time/wall-time.js'

type Options = Parameters<typeof vi.useFakeTimers>[0]

/** The timers of the machine, without the turns of the event loop. */
export const wallTime: NonNullable<Options>['toFake'] = ['setTimeout', 'clearTimeout', 'Date', 'performance']

/**
 * Lets the simulator follow the timers that each test of a file fakes, which it otherwise does not: for tests of time itself. To be
 * called before they are faked.
 */
export function followFakeTimers(): void {
  const own = { ...platform }
  beforeEach(() => {
    Object.assign(platform, {
      setTimeout: (act: () => void, milliseconds: number) => setTimeout(act, milliseconds),
      clearTimeout: (timer: ReturnType<typeof setTimeout>) => clearTimeout(timer),
      queueMicrotask: (act: () => void) => queueMicrotask(act),
      date: () => Date.now(),
      now: () => performance.now(),
    })
  })
  afterEach(() => void Object.assign(platform, own))
}

/** Replaces the timers in each test of a file. */
export function useFakeTimers(options: Options): void {
  followFakeTimers()
  beforeEach(() => {
    vi.useFakeTimers(options)
  })
  afterEach(() => {
    // Spies on timers are restored first, since they would restore the replaced timers.
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
}
