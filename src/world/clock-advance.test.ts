import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../test/support/fake-timers.js'
import { Clock } from './clock.js'
import { ClockError } from './errors.js'

const start = Date.parse('2026-01-05T09:00:00Z')

useFakeTimers({ now: 0 })

function frozen() {
  const clock = new Clock('frozen', start)
  const ran: [string, number][] = []
  const note = (name: string) => void ran.push([name, clock.now() - start])
  const at = (offset: number, name: string) => clock.schedule(start + offset, () => note(name))
  return { clock, ran, note, at }
}

describe('Clock.advance', () => {
  it('runs due tasks by time, then by order of scheduling, each at its instant', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 20 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
        async (offsets, moves) => {
          const { clock, ran, at } = frozen()
          for (const [index, offset] of offsets.entries()) at(offset, String(index))
          for (const move of moves) await clock.advance(move)
          const end = moves.reduce((sum, move) => sum + move, 0)
          const due = offsets.map((offset, index) => [String(index), offset] as const)
          const wanted = due.filter(([, offset]) => moves.length > 0 && offset <= end)
          expect(ran).toEqual(wanted.toSorted((a, b) => a[1] - b[1]))
          expect(clock.now()).toBe(start + end)
        },
      ),
    )
  })

  it('runs tasks that other tasks schedule on the way', async () => {
    const { clock, ran, note, at } = frozen()
    at(30, 'last')
    clock.schedule(start + 10, () => {
      note('first')
      at(20, 'between')
      at(10, 'at once')
      at(5, 'late')
      at(31, 'another time')
    })
    await clock.advance(30)
    expect(ran).toEqual([
      ['first', 10],
      ['late', 10],
      ['at once', 10],
      ['between', 20],
      ['last', 30],
    ])
    await clock.advance(1)
    expect(ran.at(-1)).toEqual(['another time', 31])
  })

  it('awaits each task before the next one and before it arrives', async () => {
    const { clock, ran, note, at } = frozen()
    clock.schedule(start + 10, async () => {
      note('begun')
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
      note('ended')
    })
    at(20, 'next')
    const advancing = clock.advance(50)
    expect(clock.now()).toBe(start + 10)
    await advancing
    expect(ran).toEqual([
      ['begun', 10],
      ['ended', 10],
      ['next', 20],
    ])
    expect(clock.now()).toBe(start + 50)
  })

  it.each([
    ['arrived', []],
    ['failed on the way', [100_000]],
  ])('leaves the clock running from where it %s', async (_, failures: number[]) => {
    const clock = new Clock('10x', start)
    const ran: number[] = []
    for (const at of failures) clock.schedule(start + at, () => Promise.reject(new Error('no receiver')))
    clock.schedule(start + 110_000, () => void ran.push(clock.now() - start))
    await clock.advance(105_000).catch(() => {})
    await vi.advanceTimersByTimeAsync(499)
    expect(ran).toEqual([])
    await vi.advanceTimersByTimeAsync(501)
    expect(ran).toEqual([110_000])
  })

  it('skips canceled tasks', async () => {
    const { clock, ran, at } = frozen()
    const cancel = at(10, 'canceled')
    at(10, 'kept')
    const cancelLater = at(20, 'canceled on the way')
    clock.schedule(start + 15, () => cancelLater())
    cancel()
    cancel()
    await clock.advance(60)
    expect(ran).toEqual([['kept', 10]])
  })

  it('stops at a failing task and keeps the later ones', async () => {
    const { clock, ran, at } = frozen()
    clock.schedule(start + 10, () => Promise.reject(new Error('no receiver')))
    at(20, 'after')
    await expect(clock.advance(60)).rejects.toThrow('no receiver')
    expect(clock.now()).toBe(start + 10)
    await clock.advance(50)
    expect(ran).toEqual([['after', 20]])
  })

  it.each([-1, -0.001, Number.NEGATIVE_INFINITY])('refuses a duration of %d', async (duration) => {
    const { clock } = frozen()
    const refused = clock.advance(duration)
    await expect(refused).rejects.toThrow(ClockError)
    await expect(refused).rejects.toMatchObject({ code: 'backwards' })
    expect(clock.now()).toBe(start)
  })

  it('refuses a past instant with the current time', async () => {
    const { clock, ran, at } = frozen()
    at(0, 'due')
    await clock.advance(1000)
    await expect(clock.advanceTo(start + 999)).rejects.toMatchObject({
      code: 'backwards',
      message:
        'A clock only goes forward; it is already 2026-01-05T09:00:01.000Z, which is after 2026-01-05T09:00:00.999Z.',
    })
    expect(clock.now()).toBe(start + 1000)
    expect(ran).toHaveLength(1)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])(
    'refuses %d without running a task',
    async (duration) => {
      const { clock, ran, at } = frozen()
      at(10, 'due')
      await expect(clock.advance(duration)).rejects.toMatchObject({
        code: 'malformed',
        message: 'A clock cannot go beyond 9999-12-31T23:59:59.999Z.',
      })
      await expect(clock.advanceTo(duration)).rejects.toMatchObject({ code: 'malformed' })
      expect(ran).toEqual([])
      expect(clock.now()).toBe(start)
    },
  )
})
