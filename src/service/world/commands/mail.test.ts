import { describe, expect, it } from 'vitest'
import { annsMail, everyRow, smallWorld } from '../../../../test/support/world/small-world.js'

describe('send-message', () => {
  it('uses the current display name of the agent', () => {
    const world = smallWorld()
    const send = () =>
      world.apply({ type: 'send-message', identity_id: 'ident_support', to: ['ann@shop.example'] }).message
        .from
    const rename = (display_name: string | null) =>
      world.apply({ type: 'update-identity', identity_id: 'ident_support', display_name })
    rename('Lee, Ann')
    expect(send()).toBe('"Lee, Ann" <support@agents.example>')
    rename(null)
    expect(send()).toBe('support <support@agents.example>')
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
