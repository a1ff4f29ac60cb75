import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { useFakeTimers } from '../../../test/support/fake-timers.js'
import { Clock } from './clock.js'
import { type ClockMode, parseClockMode } from './time.js'

const start = Date.parse('2026-01-05T09:00:00Z')

useFakeTimers({ now: start })

/** A clock whose log has each event with the time of the clock and of the wall since the start, in milliseconds. */
class Script {
  readonly clock: Clock
  readonly log: string[] = []
  readonly #ends = new Map<string, () => void>()
  readonly #cancels = new Map<string, () => void>()

  constructor(mode: ClockMode) {
    this.clock = new Clock(mode, start)
  }

  note(name: string): void {
    this.log.push(`${name} ${this.clock.now() - start}/${Date.now() - start}`)
  }

  /** Notes when an advance has arrived, or why it is refused. */
  async follow(advance: Promise<void>): Promise<void> {
    await advance.then(
      () => this.note('arrived'),
      (error: { code?: string; message: string }) => this.note(error.code ?? error.message),
    )
  }

  at(offset: number, name: string, task: () => unknown = () => this.note(name)): void {
    this.#cancels.set(
      name,
      this.clock.schedule(start + offset, async () => void (await task())),
    )
  }

  /** A task that ends with `end`. */
  slow(offset: number, name: string): void {
    this.at(offset, name, async () => {
      this.note(name)
      await new Promise<void>((end) => void this.#ends.set(name, end))
      this.note(`end of ${name}`)
    })
  }

  async do(step: string): Promise<unknown> {
    const [what = '', one = '', other = ''] = step.split(' ')
    const { clock } = this
    const [number, second] = [Number(one), Number(other)]
    switch (what) {
      // Tasks: `at` an instant, `after` a duration; slow, failing, and those that move, hold or cancel.
      case 'at':
        return this.at(number, other)
      case 'after':
        return this.#cancels.set(
          other,
          clock.after(number, () => this.note(other)),
        )
      case 'slow':
        return this.slow(number, other)
      case 'failing':
        return this.at(number, 'failing', () => Promise.reject(new Error('no receiver')))
      case 'waiting':
        return this.at(number, 'waiting', () => clock.wait(second).then(() => this.note('waited')))
      case 'advancing':
        return this.at(number, 'advancing', () => clock.advance(second))
      case 'advancing-to':
        return this.at(number, 'advancing', () => clock.advanceTo(start + second))
      case 'advancing-later':
        return this.at(number, 'advancing', async () => {
          await undefined
          void this.follow(clock.advance(second))
        })
      case 'canceling':
        return this.at(number, 'canceling', () => this.#cancels.get(other)?.())
      case 'holding':
        return this.at(number, 'holding', () => void this.#ends.set('hold', clock.hold(second)))
      case 'hold':
        return this.#ends.set('hold', clock.hold(number))
      case 'wait':
        return void clock.wait(number).then(() => this.note('waited'))
      case 'cancel':
        return this.#cancels.get(one)?.()
      case 'end':
        this.#ends.get(one)?.()
        return vi.advanceTimersByTimeAsync(0)
      // `advance` and `to` are awaited, `begin` and `begin-to` are not.
      case 'advance':
        return this.follow(clock.advance(number))
      case 'to':
        return this.follow(clock.advanceTo(start + number))
      case 'begin':
        void this.follow(clock.advance(number))
        return vi.advanceTimersByTimeAsync(0)
      case 'begin-to':
        return void this.follow(clock.advanceTo(start + number))
      case 'wall':
        return vi.advanceTimersByTimeAsync(number)
      case 'mode':
        return clock.setMode(one as ClockMode)
      case 'stop':
        clock.stop()
        return vi.advanceTimersByTimeAsync(0)
      case 'stop-at':
        return clock.stopAt(start + number)
      case 'timers':
        return this.log.push(`${vi.getTimerCount()} timers`)
      case 'now':
        return this.note('now')
      case '|':
        return this.log.push('|')
      default:
        throw new Error(`There is no step "${step}".`)
    }
  }
}

/** What a clock does: a title, modes with a script, and the log of that script. */
const scripts = `
  runs ten times as fast
  10x: wall 1001; now
  now 10010/1001

  runs half as fast
  0.5x: wall 1001; now
  now 500/1001

  runs due tasks by itself
  10x: at 20000 b; at 10000 a; at -5000 due; wall 2000
  due 0/0, a 10000/1000, b 20000/2000

  runs a task after the longest timer
  real: at 5184000000 a; wall 5183999999; |; wall 1
  |, a 5184000000/5184000000

  runs no task while frozen, not even a due one
  frozen: at -1000 a; at 0 b; wall 60000; |; advance 0
  |, a 0/60000, b 0/60000, arrived 0/60000

  stops at an instant
  10x: at 500 a; at 1000 b; at 1001 c; stop-at 1000; wall 10000; now
  a 500/50, b 1000/100, now 1000/10000

  can be advanced beyond that instant
  10x: stop-at 1000; to 3000
  arrived 3000/0

  runs tasks by time, then in order of scheduling
  frozen: at 20 c; at 10 a; at 10 b; advance 9; |; advance 11
  arrived 9/0 | a 10/0, b 10/0, c 20/0, arrived 20/0

  awaits a task before the next and before it arrives
  frozen: slow 10 a; at 20 b; begin 50; |; end a
  a 10/0 | end of a 10/0, b 20/0, arrived 50/0

  skips canceled tasks
  frozen: at 10 a; at 10 b; at 20 c; canceling 15 c; cancel a; cancel a; advance 60
  b 10/0, arrived 60/0

  stops at a failing task and keeps the later ones
  frozen: failing 10; at 20 a; advance 60; |; advance 50
  no receiver 10/0 | a 20/0, arrived 60/0

  runs on from where it arrived
  10x: at 110000 a; advance 105000; wall 499; |; wall 1
  arrived 105000/0 | a 110000/500

  runs on from where it failed
  10x: failing 100000; at 110000 a; advance 105000; wall 999; |; wall 1
  no receiver 100000/0 | a 110000/1000

  refuses a negative duration
  frozen: advance -1; advance -0.001; advance -Infinity; now
  backwards 0/0, backwards 0/0, backwards 0/0, now 0/0

  refuses a past instant
  frozen: at 0 a; advance 1000; to 999; now
  a 0/0, arrived 1000/0, backwards 1000/0, now 1000/0

  refuses what is no duration
  frozen: at 10 a; advance NaN; advance Infinity; advance 9007199254740991; now
  malformed 0/0, malformed 0/0, malformed 0/0, now 0/0

  refuses what is no instant
  frozen: at 10 a; to NaN; to Infinity; to 9007199254740991; now
  malformed 0/0, malformed 0/0, malformed 0/0, now 0/0

  advances one after another
  frozen: slow 10 a; at 15 b; at 25 c; begin 20; begin 20; |; end a
  a 10/0 | end of a 10/0, b 15/0, c 25/0, arrived 25/0, arrived 40/0

  checks each advance in its turn
  frozen: slow 10 a; begin 60; begin-to 50; begin 5; |; end a
  a 10/0 | end of a 10/0, arrived 60/0, backwards 65/0, arrived 65/0

  runs nothing by itself in an advance
  10x: slow 10000 a; begin 20000; at 10500 b; wall 5000; |; end a; now
  a 10000/0 | end of a 60000/5000, b 60000/5000, arrived 60000/5000, now 60000/5000

  refuses an advance by its own task
  frozen: advancing 10 5; at 20 a; advance 30; |; advance 30
  busy 10/0 | a 20/0, arrived 40/0

  refuses an advance to an instant by its own task
  frozen: advancing-to 10 50; at 20 a; advance 30; |; advance 30
  busy 10/0 | a 20/0, arrived 40/0

  advances later for a task that does not wait
  frozen: advancing-later 10 5; at 20 a; advance 20; wall 0
  a 20/0, arrived 25/0, arrived 25/0

  ends advances when it is stopped
  frozen: slow 10 a; at 10 b; begin 20; begin 20; |; stop; |; end a
  a 10/0 | arrived 10/0, arrived 10/0 | end of a 10/0

  waits on the wall in real mode
  real: after 1000 a; wall 999; |; wall 1; wall 5000; timers
  |, a 1000/1000, 0 timers

  waits on the wall while frozen
  frozen: after 1000 a; wall 999; |; wall 1; wall 5000; timers
  |, a 0/1000, 0 timers

  waits on the clock at ten times the speed
  10x: after 1000 a; wall 99; |; wall 1; wall 5000; timers
  |, a 1000/100, 0 timers

  waits as long on the wall at half the speed
  0.5x: after 1000 a; wall 999; |; wall 1; wall 5000; timers
  |, a 500/1000, 0 timers

  waits on the clock after a running advance
  10x: after 1000 a; wall 10; advance 600; wall 29; |; wall 1
  arrived 700/10 | a 1000/40

  runs what waits in an advance after its mode has changed
  frozen: after 1000 a; wall 100; mode 10x; wall 10; mode frozen; after 950 b; advance 1000; timers
  a 1000/110, b 1050/110, arrived 1100/110, 0 timers

  runs what waits in an advance
  real frozen 10x: after 60000 a; advance 59999; |; advance 9999; wall 99999; timers
  arrived 59999/0 | a 60000/0, arrived 69998/0, 0 timers

  waits on the wall after an advance that is too short
  frozen: after 10000 a; wall 3000; advance 5000; wall 6999; |; wall 1
  arrived 5000/3000 | a 5000/10000

  keeps the order of what waits
  frozen: after 2000 b; at 1000 at1; at 2000 at2; after 1000 a; advance 2000
  at1 1000/0, a 1000/0, b 2000/0, at2 2000/0, arrived 2000/0

  lets waits end after a running advance
  frozen: waiting 0 5000; after 3000 a; begin 0; wall 4000; |; wall 1000; wall 0
  |, waited 0/5000, a 0/5000, arrived 0/5000

  never runs what is canceled
  real frozen 10x: after 1000 a; wall 10; cancel a; wall 10000; timers
  0 timers

  never runs anything once stopped
  real frozen 10x: after 1000 a; wall 10; stop; wall 10000; timers
  0 timers

  is held at the end of an advance
  frozen: holding 1000 2000; begin 1000; wall 1000; now; end hold
  now 1000/1000, arrived 1000/1000

  is held no longer than the limit
  frozen: hold 2000; begin 60000; wall 1999; |; wall 1; advance 60000; timers
  |, arrived 60000/2000, arrived 120000/2000, 0 timers

  is not held once stopped
  frozen: hold 2000; begin 60000; wall 10; stop; timers
  arrived 0/10, 0 timers

  is not held while it runs
  10x: hold 60000; at 1000 a; wall 100
  a 1000/100

  follows changes of its mode
  real: wait 10000; wall 1000; mode 10x; wall 500; mode frozen; wall 3999; |; wall 1
  |, waited 6000/5500

  waits longer than the longest timer
  frozen: wait 5184000000; wall 5183999999; |; wall 1
  |, waited 0/5184000000

  ends waits when it is stopped
  frozen: wait 1000; wait 2000; wall 10; |; stop; timers
  |, waited 0/10, waited 0/10, 0 timers
`
  .trim()
  .split('\n\n')
  .map(
    (block) => block.split('\n').map((line) => line.trim()) as [title: string, script: string, log: string],
  )

describe('a clock', () => {
  it.each(scripts)('%s (%s)', async (_, scripted, log) => {
    const [modes = '', script = ''] = scripted.split(': ')
    for (const mode of modes.split(' ')) {
      vi.setSystemTime(start)
      const run = new Script(mode as ClockMode)
      for (const step of script.split('; ')) await run.do(step)
      expect(run.log.join(', ').replaceAll(', |, ', ' | '), mode).toBe(log)
      run.clock.stop()
    }
  })

  it('runs tasks that other tasks schedule on the way', async () => {
    const run = new Script('frozen')
    run.at(30, 'last')
    run.at(10, 'first', () => {
      run.note('first')
      for (const [offset, name] of [
        [20, 'between'],
        [10, 'at once'],
        [5, 'late'],
        [31, 'later'],
      ] as const) {
        run.at(offset, name)
      }
    })
    await run.do('advance 30')
    await run.do('advance 1')
    expect(run.log.map((entry) => entry.replace('/0', ''))).toEqual([
      'first 10',
      'late 10',
      'at once 10',
      'between 20',
      'last 30',
      'arrived 30',
      'later 31',
      'arrived 31',
    ])
  })

  it.each(['real', '10x'] as const)('ignores changes of the system time in mode %s', (mode) => {
    const clock = new Clock(mode, start)
    const speed = mode === 'real' ? 1 : 10
    let ran = 0
    clock.schedule(start + 40_000, () => void ran++)
    for (const [index, change] of [-3_600_000, 3_600_000].entries()) {
      vi.setSystemTime(start + change)
      vi.advanceTimersByTime(5)
      expect(clock.now()).toBe(start + 5 * speed * (index + 1))
    }
    vi.advanceTimersByTime(40_000 / speed)
    expect(ran).toBe(1)
    clock.stop()
  })

  it('passes only by advances while it is auto, also for waits and time-outs', async () => {
    const clock = new Clock('auto', start)
    const log: string[] = []
    void clock.wait(5_000).then(() => log.push(`wait ${clock.now() - start}`))
    clock.after(2_000, () => void log.push(`after ${clock.now() - start}`))
    clock.schedule(start + 3_000, () => void log.push(`task ${clock.now() - start}`))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(log).toEqual([])
    const dues: number[] = []
    for (let due = clock.nextDue; due !== undefined; due = clock.nextDue) {
      dues.push(due - start)
      await clock.advanceTo(due)
    }
    expect(dues).toEqual([2_000, 3_000, 5_000])
    expect(log).toEqual(['after 2000', 'task 3000', 'wait 5000'])
    void clock.wait(1_000).then(() => log.push('real'))
    clock.setMode('real')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(log.at(-1)).toBe('real')
  })

  it('stops at the last timestamp', async () => {
    const clock = new Clock('999999999999x', start)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(new Date(clock.now()).toISOString()).toBe('9999-12-31T23:59:59.999Z')
    await expect(clock.advance(1)).rejects.toMatchObject({
      code: 'malformed',
      message: 'A clock cannot move beyond 9999-12-31T23:59:59.999Z.',
    })
    await clock.advance(0)
    clock.stop()
  })

  it('names its time and the refused one', async () => {
    const clock = new Clock('frozen', start)
    await clock.advance(1000)
    await expect(clock.advanceTo(start + 1000)).resolves.toBeUndefined()
    await expect(clock.advanceTo(start + 999)).rejects.toMatchObject({
      name: 'WorldError',
      message:
        'A clock only moves forward; it is already 2026-01-05T09:00:01.000Z, which is after 2026-01-05T09:00:00.999Z.',
    })
  })

  it('stops permanently and refuses to be advanced or to change its mode', async () => {
    const run = new Script('10x')
    const { clock } = run
    await run.do('wall 1000')
    clock.stop()
    clock.stop()
    clock.schedule(start, () => run.note('canceled'))()
    for (const step of ['at 0 a', 'wait 60000', 'advance 0', 'advance 5', 'to 60000']) await run.do(step)
    expect(() => clock.setMode('real')).toThrow(
      'This clock has stopped because its world was closed; fork() creates another world.',
    )
    for (const step of ['wall 60000', 'timers', 'now']) await run.do(step)
    const refused = Array(3).fill('stopped 10000/1000')
    expect(run.log).toEqual(['waited 10000/1000', ...refused, '0 timers', 'now 10000/61000'])
  })

  it('does not keep the process alive', () => {
    const unref = vi.fn()
    const setTimer = vi.spyOn(globalThis, 'setTimeout')
    setTimer.mockImplementation((() => ({ unref })) as never)
    new Clock('frozen', start).after(1000, () => undefined)
    new Clock('real', start).after(1000, () => undefined)
    expect(unref).toHaveBeenCalledTimes(setTimer.mock.calls.length)
    expect(setTimer.mock.calls.length).toBeGreaterThan(1)
    setTimer.mockRestore()
  })

  it('reports a failing task as an unhandled rejection and runs the next one', async () => {
    const failures: unknown[] = []
    const listeners = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', (error) => failures.push(error))
    try {
      const clock = new Clock('real', start)
      let ran = 0
      clock.schedule(clock.now() + 10, () => Promise.reject(new Error('no receiver')))
      clock.schedule(clock.now() + 10, () => void ran++)
      await vi.advanceTimersByTimeAsync(11)
      vi.useRealTimers()
      await new Promise((resolve) => setImmediate(resolve))
      expect(ran).toBe(1)
      expect(failures).toEqual([new Error('no receiver')])
    } finally {
      process.removeAllListeners('unhandledRejection')
      for (const listener of listeners) process.on('unhandledRejection', listener)
    }
  })

  it('ends a wait when its signal aborts, and leaves no listener', async () => {
    const clock = new Clock('frozen', start)
    const controller = new AbortController()
    const { signal } = controller
    const ended: number[] = []
    const wait = (duration: number) => void clock.wait(duration, signal).then(() => ended.push(duration))
    wait(100)
    wait(1000)
    await vi.advanceTimersByTimeAsync(100)
    expect([ended, getEventListeners(signal, 'abort').length]).toEqual([[100], 1])
    controller.abort()
    wait(2000)
    await vi.advanceTimersByTimeAsync(0)
    expect([ended, getEventListeners(signal, 'abort').length]).toEqual([[100, 1000, 2000], 0])
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('parseClockMode accepts real, frozen and any finite speed, and refuses all else', () => {
  for (const mode of ['auto', 'real', 'frozen', '1x', '10x', '0.5x']) expect(parseClockMode(mode)).toBe(mode)
  for (const mode of ['', 'Real', 'x', '0x', '-1x', '1.x', '.5x', '10', '1e3x', `${'9'.repeat(400)}x`]) {
    expect(() => parseClockMode(mode)).toThrow(
      `There is no clock "${mode}"; choose auto, real, frozen or a speed such as 10x.`,
    )
  }
})
