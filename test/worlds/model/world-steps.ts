import fc from 'fast-check'
import { expect } from 'vitest'
import { copyOf, moveTo, remove } from './state.js'
import { at, steps } from './step.js'

const world = fc.nat(50)
const minute = 60_000

const makeWorld = steps(
  'make a world',
  fc.record({ world, total: fc.option(fc.constantFrom('page-size', 'all-threads'), { nil: undefined }) }),
  async ({ total }, { model, world: from, control }) => {
    const body = total === undefined ? {} : { readings: { 'threads.total': total } }
    const { status, body: made } = await control('POST', '/worlds', { body })
    const id = `world_${++model.made}`
    expect([status, made.id]).toEqual([201, id])
    expect([...model.worlds.map(({ key }) => key), ...model.lostKeys]).not.toContain(made.api_key)
    const start = { ...copyOf(from.start), ...(total !== undefined && { total }) }
    model.worlds.push({ id, key: made.api_key, start, state: copyOf(start), journal: [] })
  },
)

const dropWorld = steps(
  'drop a world',
  fc.record({ world }),
  async (_, { model, world: dropped, control }) => {
    const { status } = await control('DELETE', `/worlds/${dropped.id}`)
    expect(status).toBe(dropped.id === 'world_1' ? 409 : 204)
    if (status !== 204) return
    remove(model.worlds, (one) => one === dropped)
    model.lostKeys.push(dropped.key)
    expect((await control('GET', '/world')).body.error.code).toBe('unknown_world')
  },
)

const moveClock = steps(
  'move the clock',
  fc.record({ world, minutes: fc.integer({ min: -5, max: 40 }), to: fc.boolean() }),
  async ({ minutes, to }, { world: { state }, control }) => {
    const target = state.now + minutes * minute
    const body = to ? { to: new Date(target).toISOString() } : { advance: `${minutes}m` }
    const { status, body: moved } = await control('POST', '/clock', { body })
    expect([status, moved.error?.code]).toEqual(minutes < 0 ? [400, 'backwards'] : [200, undefined])
    if (minutes >= 0) moveTo(state, target)
  },
)

const read = steps(
  'read otherwise',
  fc.record({ world, total: fc.constantFrom('all-matches', 'page-size', 'all-threads', 'all') }),
  async ({ total }, { world: { state }, control }) => {
    const { status } = await control('PATCH', '/readings', { body: { 'threads.total': total } })
    expect(status).toBe(total === 'all' ? 400 : 200)
    if (status === 200) state.total = total
  },
)

const reset = steps('reset', fc.record({ world }), async (_, { world: one, control }) => {
  expect((await control('POST', '/reset')).status).toBe(200)
  one.state = copyOf(one.start)
  one.journal = []
})

const forget = steps('forget', fc.record({ world }), async (_, { world: one, control }) => {
  expect((await control('DELETE', '/journal')).status).toBe(204)
  one.journal = []
})

const keep = steps('keep', fc.record({ world }), async (_, { model, world: { state }, control }) => {
  const { body: document } = await control('GET', '/snapshot')
  model.snapshots.push({ document, state: copyOf(state) })
})

const restore = steps(
  'restore',
  fc.record({ world, snapshot: fc.nat(50) }),
  async ({ snapshot }, { model, world: one, control }) => {
    const kept = at(model.snapshots, snapshot)
    const { status } = await control('PUT', '/snapshot', { body: kept?.document ?? {} })
    expect(status).toBe(kept ? 200 : 400)
    if (!kept) return
    one.state = copyOf(kept.state)
    one.journal = []
  },
)

/** Every kind of step that is about a world as a whole. */
export const worldSteps = [makeWorld, dropWorld, moveClock, moveClock, read, reset, forget, keep, restore]
