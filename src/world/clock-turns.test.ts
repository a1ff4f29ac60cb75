import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../test/support/fake-timers.js'
import { Clock } from './clock.js'

const start = Date.parse('2026-01-05T09:00:00Z')

useFakeTimers({ now: 0 })

/** A clock, what was done on it and when, and a way to schedule something that takes its time. */
function frozen() {
  const clock = new Clock('frozen', start)
  const log: string[] = []
  const note = (name: string) => void log.push(`${name} at ${clock.now() - start}`)
  const slow = (offset: number, name: string) => {
    let end = () => {}
    const over = new Promise<void>((resolve) => {
      end = resolve
    })
    clock.schedule(start + offset, async () => {
      note(`${name} begins`)
      await over
      note(`${name} ends`)
    })
    return () => end()
  }
  const quick = (offset: number, name: string) => clock.schedule(start + offset, () => note(name))
  return { clock, log, note, slow, quick }
}

/** Lets everything go on that waits for no timer. */
const settle = () => vi.advanceTimersByTimeAsync(0)

/** How a promise stands. */
async function standOf(promise: Promise<unknown>): Promise<string> {
  await settle()
  const pending = Symbol()
  return Promise.race([promise, Promise.resolve(pending)]).then(
    (value) => (value === pending ? 'under way' : 'over'),
    (error: Error) => error.message,
  )
}

describe('advances that overlap', () => {
  it('go one after another, each from where the one before it arrived', async () => {
    const { clock, log, slow, quick } = frozen()
    const end = slow(10, 'slow')
    quick(15, 'in the first')
    quick(25, 'in the second')
    const [first, second] = [clock.advance(20), clock.advance(20)]
    expect([await standOf(first), await standOf(second)]).toEqual(['under way', 'under way'])
    expect(log).toEqual(['slow begins at 10'])
    end()
    await second
    expect(log).toEqual(['slow begins at 10', 'slow ends at 10', 'in the first at 15', 'in the second at 25'])
    expect(await standOf(first)).toBe('over')
    expect(clock.now()).toBe(start + 40)
  })

  it('see in their turn whether they would go back', async () => {
    const { clock, slow } = frozen()
    const end = slow(10, 'slow')
    const [first, second, third] = [clock.advance(60), clock.advanceTo(start + 50), clock.advance(5)]
    end()
    await first
    await expect(second).rejects.toMatchObject({ code: 'backwards' })
    await third
    expect(clock.now()).toBe(start + 65)
  })

  it('leave what comes after a failure to the next one', async () => {
    const { clock, log, quick } = frozen()
    clock.schedule(start + 10, async () => {
      throw new Error('no receiver')
    })
    quick(20, 'after it')
    const [first, second] = [clock.advance(30), clock.advance(30)]
    await expect(first).rejects.toThrow('no receiver')
    await second
    expect(log).toEqual(['after it at 20'])
    expect(clock.now()).toBe(start + 40)
  })

  it('are not disturbed by what a running clock does by itself', async () => {
    const clock = new Clock('10x', start)
    const log: string[] = []
    let end = () => {}
    clock.schedule(start + 10_000, () => {
      log.push('begins')
      return new Promise<void>((resolve) => {
        end = () => {
          log.push('ends')
          resolve()
        }
      })
    })
    const advancing = clock.advance(20_000)
    clock.schedule(start + 10_500, () => void log.push('by itself'))
    await vi.advanceTimersByTimeAsync(5000)
    expect(log).toEqual(['begins'])
    end()
    await advancing
    expect(log).toEqual(['begins', 'ends', 'by itself'])
    clock.stop()
  })
})

describe('a task that moves its own clock on', () => {
  it.each([
    ['is refused', (clock: Clock) => clock.advance(5)],
    ['is refused an instant', (clock: Clock) => clock.advanceTo(start + 50)],
  ])('%s, and holds nothing up', async (_, move) => {
    const { clock, log, quick } = frozen()
    clock.schedule(start + 10, () => move(clock))
    quick(20, 'after it')
    await expect(clock.advance(30)).rejects.toMatchObject({ name: 'ClockError', code: 'busy' })
    expect(clock.now()).toBe(start + 10)
    await clock.advance(30)
    expect(log).toEqual(['after it at 20'])
  })

  it('may have it done after itself, as long as it does not wait for that', async () => {
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

describe('what is due already', () => {
  it('is done by the next advance, be it by 0', async () => {
    const { clock, log, quick } = frozen()
    await clock.advance(100)
    quick(50, 'late')
    quick(100, 'just now')
    await settle()
    expect(log).toEqual([])
    await clock.advance(0)
    expect(log).toEqual(['late at 100', 'just now at 100'])
  })
})

describe('an advance in the middle of which the clock', () => {
  it.each([['is stopped', (clock: Clock) => clock.stop(), 10]])(
    '%s is over at once, with those that wait for it',
    async (_, interrupt, shown) => {
      const { clock, log, slow, quick } = frozen()
      const end = slow(10, 'slow')
      quick(10, 'after it')
      const [first, second] = [clock.advance(20), clock.advance(20)]
      await settle()
      interrupt(clock)
      expect([await standOf(first), await standOf(second)]).toEqual(['over', 'over'])
      end()
      await settle()
      expect(log).toEqual(['slow begins at 10', `slow ends at ${shown}`])
      expect(clock.now()).toBe(start + shown)
    },
  )
})

describe('a clock that was stopped', () => {
  it('is moved, set and armed no more, and its time stands still', async () => {
    const clock = new Clock('10x', start)
    await vi.advanceTimersByTimeAsync(1000)
    clock.stop()
    clock.stop()
    let done = 0
    clock.schedule(start, () => void done++)()
    clock.schedule(start, () => void done++)
    await clock.wait(60_000)
    for (const move of [clock.advance(0), clock.advance(5), clock.advanceTo(start + 60_000)]) {
      await expect(move).rejects.toMatchObject({ name: 'ClockError', code: 'stopped' })
    }
    expect(() => clock.setMode('real')).toThrow(
      'This clock has stopped, since its world was closed; fork() makes another world.',
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
    expect(clock.now()).toBe(start + 10_000)
  })
})
