import { afterEach, beforeEach, vi } from 'vitest'

type Options = Parameters<typeof vi.useFakeTimers>[0]

/** What passes by the machine, but for the turns of the event loop. */
export const wallTime: NonNullable<Options>['toFake'] = ['setTimeout', 'clearTimeout', 'Date', 'performance']

/** Replaces the timers in each test of a file. */
export function useFakeTimers(options: Options): void {
  beforeEach(() => {
    vi.useFakeTimers(options)
  })
  afterEach(() => {
    // Spies on timers go first: they would put the replaced timers back.
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
}
