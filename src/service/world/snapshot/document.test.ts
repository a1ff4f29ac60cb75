import { describe, expect, it } from 'vitest'
import {
  annsMail,
  everyRow,
  smallBeginning,
  smallWorld,
  start,
} from '../../../../test/support/world/small-world.js'
import { formatInstant } from '../../time/time.js'
import { digestOf } from '../digest.js'
import { World } from '../world.js'

const nothing = {
  rows: { organization: [], identity: [], thread: [], message: [], attachment: [], webhook: [] },
  deleted: [],
}

const keptAnswer = {
  type: 'keep-answer' as const,
  ...{ organization_id: 'org_a', operation: 'messages.send', idempotency_key: 'k1', request: '' },
  ...{ status: 201, headers: { 'x-of': 'first' }, body: '{}' },
}

describe('a snapshot', () => {
  it('of an unchanged world only identifies its origin', () => {
    const { fingerprint } = smallBeginning()
    expect(smallWorld().snapshot()).toStrictEqual({
      format: 'agent-mailbox-sim/snapshot',
      version: 3,
      secrets: 'included',
      scenario: 'small',
      seed: 7,
      start: formatInstant(start),
      fingerprint: fingerprint(),
      extensions: [],
      clock: { mode: 'frozen', began_at: formatInstant(start), now: formatInstant(start) },
      assumptions: {},
      faults: { added: 0, rules: [] },
      answers: [],
      ids: {},
      sent: 0,
      ordinals: {},
      counts: { subscriptions: {}, events: {} },
      deliveries: [],
      timeline: { played: [], triggered: { counts: {}, played: [] } },
      ...nothing,
    })
  })

  it('has written and deleted rows, without rows that were created and deleted', () => {
    const world = smallWorld()
    const { message, thread } = world.apply(annsMail({ subject: 'Hello', text: 'Words' }))
    world.apply({ type: 'set-thread-unread', thread_id: thread.id, unread: false })
    const [first, second] = [1, 2].map((port) =>
      world.apply({ type: 'create-webhook', url: `http://127.0.0.1:${port}/`, events: ['message.received'] }),
    )
    for (const id of ['whk_sales', first?.id ?? '']) world.apply({ type: 'delete-webhook', webhook_id: id })
    const { rows, deleted, ids, ordinals } = world.snapshot()
    expect(rows).toEqual({
      ...nothing.rows,
      thread: [{ ...thread, unread: false }],
      message: [message],
      webhook: [second],
    })
    expect(deleted).toEqual([{ model: 'webhook', id: 'whk_sales' }])
    expect(ids).toEqual({ message: 1, thread: 1, webhook: 2, event: 1, delivery: 2, instant: start })
    expect(ordinals).toEqual({ thread: 2, message: 3, webhook: 5 })
  })

  it('has the chosen assumptions with their origins', () => {
    const { assumptions, origins, ...initialState } = smallBeginning()
    const chosen = { 'threads.order': 'created-asc' } as const
    const origin = { 'threads.order': 'scenario' }
    const story = {
      ...initialState,
      assumptions: { ...assumptions, ...chosen },
      origins: { ...origins, ...origin },
    }
    const world = new World('world_1', story, 'frozen')
    world.setAssumptions({ 'threads.total': 'page-size' })
    const snapshot = world.snapshot()
    expect(snapshot.assumptions).toEqual({
      'threads.order': { assumption: 'created-asc', from: 'scenario' },
      'threads.total': { assumption: 'page-size', from: 'set while running' },
    })
    // Other choices of the restored world are replaced.
    const restored = smallWorld()
    restored.setAssumptions({ 'auth.keys': 'listed-keys' })
    restored.restore(snapshot)
    expect(restored.assumptions).toEqual(world.assumptions)
    expect(restored.origins).toEqual(world.origins)
    expect(digestOf(restored)).toBe(digestOf(world))
  })

  it('shares no object with its world or the restored one', () => {
    const world = smallWorld()
    world.apply(annsMail({ text: 'Hello', attachments: [{ filename: 'a.txt', content: 'aGVsbG8=' }] }))
    world.addFault({ status: 500, body: { list: [1] } })
    world.apply(keptAnswer)
    const restored = smallWorld()
    const snapshot = world.snapshot()
    restored.restore(snapshot)
    const before = [world.snapshot(), everyRow(world), restored.snapshot(), everyRow(restored)]
    overwrite(snapshot)
    expect([world.snapshot(), everyRow(world), restored.snapshot(), everyRow(restored)]).toEqual(before)
  })
})

/** Overwrites every value in a document. */
function overwrite(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    overwrite(inner)
    Object.assign(value, { [key]: null })
  }
}
