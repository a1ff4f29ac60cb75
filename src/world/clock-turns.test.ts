import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../test/support/fake-timers.js'
import { Clock } from './clock.js'

const start = Date.parse('2026-01-05T09:00:00Z')

useFakeTimers({ now: 0 })

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((given) => {
    resolve = given
  })
  return { promise, resolve }
}

/** A frozen clock with a log of its tasks; `slow` schedules a task and returns the function that ends it. */
function frozen() {
  const clock = new Clock('frozen', start)
  const log: string[] = []
  const note = (name: string) => void log.push(`${name} at ${clock.now() - start}`)
  const slow = (offset: number, name: string) => {
    const { promise, resolve } = deferred()
    clock.schedule(start + offset, async () => {
      note(`${name} begins`)
      await promise
      note(`${name} ends`)
    })
    return resolve
  }
  const quick = (offset: number, name: string) => clock.schedule(start + offset, () => note(name))
  return { clock, log, note, slow, quick }
}

/** Runs everything that waits for no timer. */
const settle = () => vi.advanceTimersByTimeAsync(0)

/** Returns the state of a promise, or its error message. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  await settle()
  const pending = Symbol()
  return Promise.race([promise, Promise.resolve(pending)]).then(
    (value) => (value === pending ? 'pending' : 'resolved'),
    (error: Error) => error.message,
  )
}

describe('overlapping advances', () => {
  it('run one after another, each from the end of the one before', async () => {
    const { clock, log, slow, quick } = frozen()
    const end = slow(10, 'slow')
    quick(15, 'in the first')
    quick(25, 'in the second')
    const [first, second] = [clock.advance(20), clock.advance(20)]
    expect([await stateOf(first), await stateOf(second)]).toEqual(['pending', 'pending'])
    expect(log).toEqual(['slow begins at 10'])
    end()
    await second
    expect(log).toEqual(['slow begins at 10', 'slow ends at 10', 'in the first at 15', 'in the second at 25'])
    expect(await stateOf(first)).toBe('resolved')
    expect(clock.now()).toBe(start + 40)
  })

  it('are checked in their turn for moving backwards', async () => {
    const { clock, slow } = frozen()
    const end = slow(10, 'slow')
    const [first, second, third] = [clock.advance(60), clock.advanceTo(start + 50), clock.advance(5)]
    end()
    await first
    await expect(second).rejects.toMatchObject({ code: 'backwards' })
    await third
    expect(clock.now()).toBe(start + 65)
  })

  it('keep a running clock from starting another task', async () => {
    const clock = new Clock('10x', start)
    const log: string[] = []
    const { promise, resolve } = deferred()
    clock.schedule(start + 10_000, async () => {
      log.push('begins')
      await promise
      log.push('ends')
    })
    const advancing = clock.advance(20_000)
    clock.schedule(start + 10_500, () => void log.push('by itself'))
    await vi.advanceTimersByTimeAsync(5000)
    expect(log).toEqual(['begins'])
    resolve()
    await advancing
    expect(log).toEqual(['begins', 'ends', 'by itself'])
    clock.stop()
  })
})

describe('a task that advances its own clock', () => {
  it.each([
    ['advance', (clock: Clock) => clock.advance(5)],
    ['advanceTo', (clock: Clock) => clock.advanceTo(start + 50)],
  ])('is refused by %s without blocking the clock', async (_, move) => {
    const { clock, log, quick } = frozen()
    clock.schedule(start + 10, () => move(clock))
    quick(20, 'after it')
    await expect(clock.advance(30)).rejects.toMatchObject({ name: 'ClockError', code: 'busy' })
    expect(clock.now()).toBe(start + 10)
    await clock.advance(30)
    expect(log).toEqual(['after it at 20'])
  })

  it('succeeds if it does not await the advance', async () => {
    const { clock, log, quick } = frozen()
    let later: Promise<void> | undefined
    clock.schedule(start + 10, async () => {
      await Promise.resolve()
      later = clock.advance(5)
    })
    quick(20, 'after it')
    await clock.advance(20)
    await later
    expect(log).toEqual(['after it at 20'])
    expect(clock.now()).toBe(start + 25)
  })
})

describe('Clock.stop', () => {
  it('ends a running advance and those that wait for it', async () => {
    const { clock, log, slow, quick } = frozen()
    const end = slow(10, 'slow')
    quick(10, 'after it')
    const [first, second] = [clock.advance(20), clock.advance(20)]
    await settle()
    clock.stop()
    expect([await stateOf(first), await stateOf(second)]).toEqual(['resolved', 'resolved'])
    end()
    await settle()
    expect(log).toEqual(['slow begins at 10', 'slow ends at 10'])
    expect(clock.now()).toBe(start + 10)
  })

  it('stops the time for good and refuses to advance the clock or to set its mode', async () => {
    const clock = new Clock('10x', start)
    await vi.advanceTimersByTimeAsync(1000)
    clock.stop()
    clock.stop()
    let runs = 0
    clock.schedule(start, () => void runs++)()
    clock.schedule(start, () => void runs++)
    await clock.wait(60_000)
    for (const move of [clock.advance(0), clock.advance(5), clock.advanceTo(start + 60_000)]) {
      await expect(move).rejects.toMatchObject({ name: 'ClockError', code: 'stopped' })
    }
    expect(() => clock.setMode('real')).toThrow(
      'This clock has stopped because its world was closed; fork() creates another world.',
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect(runs).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
    expect(clock.now()).toBe(start + 10_000)
  })
})
