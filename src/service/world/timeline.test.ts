import { describe, expect, it } from 'vitest'
import { annsMail, everyRow, smallWorld, start } from '../../../test/support/world/small-world.js'
import { formatInstant } from '../time/time.js'
import type { TimelineEntry } from './story-entry.js'

const minute = 60_000

function mailAfter(after: number, subject: string): TimelineEntry {
  const ids = { message: `msg_${subject}`, thread: `thrd_${subject}` }
  return { name: subject, after, commands: [annsMail({ subject, ids })] }
}

const timeline: TimelineEntry[] = [
  mailAfter(minute, 'one'),
  { name: 'assumption', after: minute, commands: [], assumptions: { 'threads.total': 'page-size' } },
  mailAfter(3 * minute, 'three'),
]

describe('the timeline of a world', () => {
  it('plays each entry at its instant, regardless of how far an advance goes', async () => {
    const world = smallWorld('frozen', { timeline })
    await world.clock.advance(59_999)
    expect(world.timeline.played).toEqual([])
    expect(world.store.get('message', 'msg_one')).toBeUndefined()
    await world.clock.advance(1)
    expect(world.store.get('message', 'msg_one')?.created_at).toBe(start + minute)
    expect(world.assumptions['threads.total']).toBe('page-size')
    expect(world.origins['threads.total']).toBe('timeline: assumption')
    await world.clock.advance(60 * minute)
    expect(world.store.get('message', 'msg_three')?.created_at).toBe(start + 3 * minute)
    expect(world.timeline.left).toBe(0)
    expect(world.timeline.played).toEqual([
      { name: 'one', at: formatInstant(start + minute), problem: null },
      { name: 'assumption', at: formatInstant(start + minute), problem: null },
      { name: 'three', at: formatInstant(start + 3 * minute), problem: null },
    ])
  })

  it('continues after a refused entry and records the problem', async () => {
    const world = smallWorld('frozen', { timeline })
    world.apply({ type: 'delete-identity', identity_id: 'ident_support' })
    await world.clock.advance(5 * minute)
    expect(world.timeline.played.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('ident_support'),
      null,
      expect.stringContaining('ident_support'),
    ])
  })
})

describe('mail with given ids', () => {
  const ids = { message: 'msg_own', thread: 'thrd_own' }

  it('has them, as does its new thread', () => {
    const attachments = [{ filename: 'a.txt', content: 'YQ==' }]
    const { message, thread } = smallWorld().apply(annsMail({ ids, attachments }))
    expect([message.id, thread.id]).toEqual(['msg_own', 'thrd_own'])
    const again = smallWorld()
    again.apply(annsMail())
    expect(again.apply(annsMail({ ids, attachments })).message.attachment_ids).toEqual(message.attachment_ids)
  })

  it.each([
    ['message', { message: 'msg_first', thread: 'thrd_new' }],
    ['thread', { message: 'msg_new', thread: 'thrd_refund' }],
  ])('is refused if the id of the %s is taken', (_, taken) => {
    const world = smallWorld()
    const before = everyRow(world)
    expect(() => world.apply(annsMail({ ids: taken }))).toThrow(/is already taken/)
    expect(everyRow(world)).toBe(before)
  })
})
