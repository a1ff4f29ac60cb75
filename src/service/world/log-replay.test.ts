import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { followFakeTimers, wallTime } from '../../../test/support/fake-timers.js'
import { followUp } from '../../../test/support/webhooks/stages.js'
import { anyStory, storyBeginning, take } from '../../../test/support/world/any-story.js'
import { annsMail } from '../../../test/support/world/small-world.js'
import type { LoggedChange } from '../record/log.js'
import type { ClockMode } from '../time/time.js'
import { digestOf } from './digest.js'
import type { InitialState } from './initial-state.js'
import { type LogEntry, LogReplay, logEntrySchema } from './log-replay.js'
import { World } from './world.js'
import { defaultHost } from './world-host.js'

followFakeTimers()

/** Takes the entries of a world's log. */
function entriesOf({ log }: World): LoggedChange[] {
  const { whole = [], turns } = log?.take() ?? { turns: [] }
  return [...whole, ...turns.flat()]
}

/** A world with a log; `lines` has the entries taken so far, as JSON. */
function loggedWorld(initialState: InitialState, clock: ClockMode = 'frozen') {
  const notified: string[] = []
  const world = new World('world_1', initialState, clock, {
    ...defaultHost,
    onLogged: (id) => void notified.push(id),
  })
  const lines: string[] = []
  const write = (): void => void lines.push(...entriesOf(world).map((entry) => JSON.stringify(entry)))
  return { world, lines, write, notified }
}

function recovered(initialState: InitialState, lines: readonly string[]): World {
  const { world } = loggedWorld(initialState)
  const replay = new LogReplay(initialState)
  for (const line of lines) replay.apply(JSON.parse(line))
  world.recover(replay)
  return world
}

describe('the log of a world', () => {
  it('recovers the same world after any story, in batches of any size', async () => {
    const initialState = storyBeginning()
    await fc.assert(
      fc.asyncProperty(anyStory, anyStory, fc.nat(5), async (story, more, every) => {
        const { world, lines, write } = loggedWorld(initialState)
        world.start()
        for (const [index, step] of story.entries()) {
          await take(world, step)
          if (index % (every + 1) === 0) write()
        }
        write()
        const other = recovered(initialState, lines)
        expect(digestOf(other)).toBe(digestOf(world))
        expect(other.snapshot()).toEqual(world.snapshot())
        for (const step of more) expect(await take(other, step)).toBe(await take(world, step))
        expect(digestOf(other)).toBe(digestOf(world))
        world.close()
        other.close()
      }),
      { numRuns: 10 },
    )
  })

  it('continues over resets and restored snapshots', async () => {
    const initialState = storyBeginning()
    const { world, lines, write } = loggedWorld(initialState)
    world.start()
    const first = { type: 'update-identity', identity_id: 'ident_support' } as const
    world.apply({ ...first, display_name: 'One' })
    write()
    const before = world.snapshot()
    world.reset()
    write()
    expect(digestOf(recovered(initialState, lines))).toBe(digestOf(world))
    world.apply({ ...first, display_name: 'Two' })
    world.restore(before)
    world.apply({ ...first, description: 'Three' })
    write()
    const other = recovered(initialState, lines)
    expect(other.snapshot()).toEqual(world.snapshot())
    expect(other.store.get('identity', 'ident_support')).toMatchObject({
      display_name: 'One',
      description: 'Three',
    })
  })

  it('counts what agents sent also if, as earlier versions, it does not say who sent it', () => {
    const initialState = storyBeginning()
    const { world, lines, write } = loggedWorld(initialState)
    world.start()
    const to = ['ann@mail.example']
    const mail = { type: 'send-message', identity_id: 'ident_support', to } as const
    const ids = { message: 'msg_own', thread: 'thrd_own' }
    world.apply({ ...mail, by: 'client' })
    world.apply({ ...mail, by: 'story', ids })
    write()
    const older = lines.map((line) => line.replace(/,"by":"\w+"/, ''))
    expect(older).not.toEqual(lines)
    const [now, then] = [lines, older].map((log) => recovered(initialState, log).snapshot())
    expect(then).toEqual(now)
    expect(then?.ids).toMatchObject({ message: 1, sent: 1 })
  })

  it('goes on with its story while a real clock is not running', async () => {
    vi.useFakeTimers({ now: Date.parse('2030-06-01T12:00:00Z'), toFake: wallTime })
    const hour = 3_600_000
    const initialState = storyBeginning()
    const { world, lines, write } = loggedWorld(initialState)
    world.start()
    // Far from what the machine shows, and then ten minutes further.
    world.clock.setMode('real')
    world.receivers.on('*', () => new Response(null, { status: 500 }))
    world.apply(annsMail())
    await followUp()
    await world.clock.advance(hour / 6)
    const before = world.clock.now()
    const planned = world.deliveries.list().map(({ next_attempt_at }) => next_attempt_at)
    expect(planned.length).toBeGreaterThan(0)
    write()
    world.suspend()
    for (let pause = 1; pause <= 2; pause++) {
      vi.setSystemTime(Date.now() + hour / 4)
      const next = recovered(initialState, lines)
      expect(next.clock.now()).toBe(before + (pause * hour) / 4)
      expect(next.clock.beganAt).toBe(world.clock.beganAt)
      await vi.advanceTimersByTimeAsync(0)
      expect(next.timeline.played.map(({ name }) => name)).toEqual(
        ['at once', 'mail', 'fault'].slice(0, pause + 1),
      )
      next.setAssumptions({ 'threads.total': 'page-size' })
      lines.push(...entriesOf(next).map((entry) => JSON.stringify(entry)))
      next.suspend()
    }
    vi.useRealTimers()
  })

  it('has the beginning of a story on a clock that runs, and its time when that is asked for', async () => {
    const initialState = { ...storyBeginning(), timeline: [] }
    for (const mode of ['real', '100x'] as const) {
      const { world, lines, write } = loggedWorld(initialState, mode)
      world.start()
      write()
      expect(lines.map((line) => JSON.parse(line).type)).toEqual(['begin'])
      await world.clock.advance(1)
      write()
      const { length } = lines
      world.logTime()
      const now = world.clock.now()
      write()
      expect(lines).toHaveLength(mode === 'real' ? length : length + 1)
      expect(recovered(initialState, lines).clock.now()).toBeGreaterThanOrEqual(now)
    }
  })

  it('has assumptions of gaps that may not exist', () => {
    const initialState = { ...storyBeginning(), timeline: [] }
    const { world, lines, write } = loggedWorld(initialState)
    world.start()
    world.setAssumptions({ 'threads.total?': 'page-size', 'no.such-gap?': 'x' })
    write()
    const restored = new World('world_2', initialState, 'frozen')
    restored.restore(JSON.parse(JSON.stringify(world.snapshot())))
    for (const other of [recovered(initialState, lines), restored]) {
      expect(other.assumptions['threads.total']).toBe('page-size')
      expect(other.origins).toEqual(world.origins)
    }
  })

  it('is empty for an unchanged world, even after a reset', () => {
    const { world, notified } = loggedWorld({ ...storyBeginning(), timeline: [] })
    world.start()
    world.reset()
    expect(notified).toEqual([])
    expect(world.log?.changed).toBe(false)
    world.setAssumptions({ 'threads.total': 'page-size' })
    expect(notified).toEqual(['world_1'])
    expect(entriesOf(world).map(({ type }) => type)).toEqual(['begin', 'assumptions'])
  })

  it('has an entry for the reset of a recovered world', () => {
    const initialState = { ...storyBeginning(), timeline: [] }
    const { world, lines, write } = loggedWorld(initialState)
    world.start()
    world.setAssumptions({ 'threads.total': 'page-size' })
    write()
    const other = recovered(initialState, lines)
    other.reset()
    expect(other.log?.changed).toBe(true)
    expect(entriesOf(other).map(({ type }) => type)).toEqual(['begin'])
  })

  it('refuses commands before the world starts and once it is suspended', () => {
    const { world } = loggedWorld(storyBeginning())
    const rename = { type: 'update-identity', identity_id: 'ident_support', display_name: 'X' } as const
    expect(() => world.apply(rename)).toThrow('was given up')
    world.start()
    world.apply(rename)
    world.suspend()
    expect(() => world.apply(rename)).toThrow('was given up')
  })

  it('is JSON that matches its schema, with an instant in each entry', async () => {
    const { world, lines, write } = loggedWorld(storyBeginning())
    world.start()
    world.addFault({ reset: true, times: 1 })
    await world.clock.advance(3_600_000)
    world.triggers.noteRequest('threads.list')
    world.triggers.noteRequest('identities.get')
    write()
    const entries = lines.map((line) => logEntrySchema().parse(JSON.parse(line)) as LogEntry)
    const types = 'assumptions begin clock command delivered faults ids timeline triggers'
    expect([...new Set(entries.map(({ type }) => type))].toSorted().join(' ')).toBe(types)
    expect(entries.every(({ at }) => at.startsWith('2026-01-05T'))).toBe(true)
    for (const entry of entries) {
      const replay = new LogReplay(storyBeginning())
      expect(() => replay.apply({ ...entry, colour: 'red' }), entry.type).toThrow(
        /^unknown key "colour"[^{\n]*$/,
      )
    }
  })
})
