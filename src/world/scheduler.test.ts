import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../test/support/fake-timers.js'
import { WorkInFlight } from './scheduler.js'

useFakeTimers({ now: 0 })

/** Waits for quiet, and notes after how many milliseconds on the wall there was some. */
function waiting(inFlight: WorkInFlight) {
  const over: number[] = []
  const wait = async (): Promise<void> => {
    for (let busy = inFlight.quiet(); busy; busy = inFlight.quiet()) await busy
    over.push(Date.now())
  }
  void wait()
  return over
}

describe('what is under way', () => {
  it('is waited for until all of it is over', async () => {
    const inFlight = new WorkInFlight()
    const releases = [inFlight.hold(1000), inFlight.hold(1000)]
    const over = waiting(inFlight)
    await vi.advanceTimersByTimeAsync(300)
    releases[1]?.()
    await vi.advanceTimersByTimeAsync(300)
    expect(over).toEqual([])
    releases[0]?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(over).toEqual([600])
    expect(inFlight.quiet()).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is waited for until every time limit is over, in whatever order that ends', async () => {
    const inFlight = new WorkInFlight()
    const first = inFlight.hold(2000)
    const over = waiting(inFlight)
    inFlight.hold(200)
    await vi.advanceTimersByTimeAsync(100)
    first()
    await vi.advanceTimersByTimeAsync(99)
    expect(over).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(over).toEqual([200])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is forgotten when it ends: who waits goes on, and a release from before releases nothing', async () => {
    const inFlight = new WorkInFlight()
    const stale = inFlight.hold(1000)
    const over = waiting(inFlight)
    inFlight.end()
    await vi.advanceTimersByTimeAsync(0)
    expect(over).toEqual([0])
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
