import { afterEach, beforeEach, vi } from 'vitest'

type Options = Parameters<typeof vi.useFakeTimers>[0]

/** The timers of the machine, without the turns of the event loop. */
export const wallTime: NonNullable<Options>['toFake'] = ['setTimeout', 'clearTimeout', 'Date', 'performance']

/** Replaces the timers in each test of a file. */
export function useFakeTimers(options: Options): void {
  beforeEach(() => {
    vi.useFakeTimers(options)
  })
  afterEach(() => {
    // Spies on timers are restored first, since they would restore the replaced timers.
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
}
