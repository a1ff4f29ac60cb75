import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../test/support/fake-timers.js'
import { WorkInFlight } from './scheduler.js'

useFakeTimers({ now: 0 })

/** Waits for the end of the work; the list gets the wall time, in milliseconds, at which it ended. */
function waiting(inFlight: WorkInFlight) {
  const ended: number[] = []
  const wait = async (): Promise<void> => {
    for (let busy = inFlight.quiet(); busy; busy = inFlight.quiet()) await busy
    ended.push(Date.now())
  }
  void wait()
  return ended
}

describe('WorkInFlight', () => {
  it('is quiet once all work has ended', async () => {
    const inFlight = new WorkInFlight()
    const releases = [inFlight.hold(1000), inFlight.hold(1000)]
    const ended = waiting(inFlight)
    await vi.advanceTimersByTimeAsync(300)
    releases[1]?.()
    await vi.advanceTimersByTimeAsync(300)
    expect(ended).toEqual([])
    releases[0]?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(ended).toEqual([600])
    expect(inFlight.quiet()).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is quiet once the work has ended or its limit has passed', async () => {
    const inFlight = new WorkInFlight()
    const first = inFlight.hold(2000)
    const ended = waiting(inFlight)
    inFlight.hold(200)
    await vi.advanceTimersByTimeAsync(100)
    first()
    await vi.advanceTimersByTimeAsync(99)
    expect(ended).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toEqual([200])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('drops all work at its end, so that an older release has no effect', async () => {
    const inFlight = new WorkInFlight()
    const stale = inFlight.hold(1000)
    const ended = waiting(inFlight)
    inFlight.end()
    await vi.advanceTimersByTimeAsync(0)
    expect(ended).toEqual([0])
    expect(vi.getTimerCount()).toBe(0)
    inFlight.hold(500)
    const next = waiting(inFlight)
    stale()
    await vi.advanceTimersByTimeAsync(499)
    expect(next).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(next).toEqual([500])
  })
})
