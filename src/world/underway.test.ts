import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Underway } from './underway.js'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})

afterEach(() => {
  vi.useRealTimers()
})

/** Waits for quiet, and notes after how many milliseconds on the wall there was some. */
function waiting(underway: Underway) {
  const over: number[] = []
  void underway.quiet()?.then(() => over.push(Date.now()))
  return over
}

describe('what is under way', () => {
  it('is nothing to wait for where there is none', () => {
    expect(new Underway().quiet()).toBeUndefined()
  })

  it('is waited for until all of it is over', async () => {
    const underway = new Underway()
    const releases = [underway.hold(1000), underway.hold(1000)]
    const over = waiting(underway)
    await vi.advanceTimersByTimeAsync(300)
    releases[1]?.()
    await vi.advanceTimersByTimeAsync(300)
    expect(over).toEqual([])
    releases[0]?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(over).toEqual([600])
    expect(underway.quiet()).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is waited for by everybody who asks', async () => {
    const underway = new Underway()
    const release = underway.hold(1000)
    const [one, other] = [waiting(underway), waiting(underway)]
    release()
    await vi.advanceTimersByTimeAsync(0)
    expect([one, other]).toEqual([[0], [0]])
  })

  it('is waited for no longer than its patience, whoever releases it later', async () => {
    const underway = new Underway()
    const release = underway.hold(1000)
    const over = waiting(underway)
    await vi.advanceTimersByTimeAsync(999)
    expect(over).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(over).toEqual([1000])
    expect(underway.quiet()).toBeUndefined()
    release()
    release()
    expect(underway.quiet()).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('uses up its patience while nobody waits', async () => {
    const underway = new Underway()
    underway.hold(1000)
    await vi.advanceTimersByTimeAsync(1000)
    expect(underway.quiet()).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is waited for as long as anything has patience, in whatever order that ends', async () => {
    const underway = new Underway()
    const first = underway.hold(2000)
    const over = waiting(underway)
    underway.hold(200)
    await vi.advanceTimersByTimeAsync(100)
    first()
    await vi.advanceTimersByTimeAsync(99)
    expect(over).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(over).toEqual([200])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('may begin while others wait for what began before', async () => {
    const underway = new Underway()
    const first = underway.hold(1000)
    const over = waiting(underway)
    await vi.advanceTimersByTimeAsync(900)
    const second = underway.hold(1000)
    first()
    await vi.advanceTimersByTimeAsync(900)
    expect(over).toEqual([])
    second()
    await vi.advanceTimersByTimeAsync(0)
    expect(over).toEqual([1800])
  })

  it('is forgotten when it ends: who waits goes on, and a release from before releases nothing', async () => {
    const underway = new Underway()
    const stale = underway.hold(1000)
    const over = waiting(underway)
    underway.end()
    await vi.advanceTimersByTimeAsync(0)
    expect(over).toEqual([0])
    expect(vi.getTimerCount()).toBe(0)
    underway.hold(500)
    const next = waiting(underway)
    stale()
    await vi.advanceTimersByTimeAsync(499)
    expect(next).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(next).toEqual([500])
  })
})
