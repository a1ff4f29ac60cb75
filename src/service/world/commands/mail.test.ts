import { describe, expect, it } from 'vitest'
import { annsMail, everyRow, smallWorld } from '../../../../test/support/world/small-world.js'

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
