import { describe, expect, it } from 'vitest'
import { annsMail, smallWorld, start } from '../../../../test/support/world/small-world.js'

const listed = { order: 'created', offset: 0, limit: 100 } as const

describe('receive-message', () => {
  it('creates a message and its thread', () => {
    const world = smallWorld()
    const { message, thread } = world.apply(annsMail({ subject: 'Lamp', text: 'It is broken.' }))
    expect(message).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-z]{16}$/),
      ordinal: 2,
      organization_id: 'org_a',
      identity_id: 'ident_support',
      thread_id: thread.id,
      direction: 'inbound',
      from: 'Ann <ann@shop.example>',
      to: ['support@agents.example'],
      subject: 'Lamp',
      text: 'It is broken.',
      html: null,
      body_key: null,
      attachment_ids: [],
      message_id: null,
      in_reply_to: null,
      headers: null,
      created_at: start,
    })
    expect(thread).toEqual({
      id: expect.stringMatching(/^thrd_[0-9a-z]{16}$/),
      ordinal: 1,
      organization_id: 'org_a',
      identity_id: 'ident_support',
      subject: 'Lamp',
      unread: true,
      answered: false,
      message_count: 1,
      first_message_id: message.id,
      last_message_id: message.id,
      last_message_at: start,
      created_at: start,
    })
    expect(world.store.get('message', message.id)).toMatchObject(message)
    expect(world.store.get('thread', thread.id)).toMatchObject(thread)
    expect(world.store.messages(thread.id).page(listed)).toEqual([message.id])
  })

  it('keeps HTML, ids, headers and time of the message', () => {
    const fields = {
      html: '<p>Hello</p>',
      message_id: '<x@shop.example>',
      in_reply_to: '<gone@shop.example>',
      headers: [['Subject', 'Hello']] as [string, string][],
      at: '2026-01-04T08:00:00+01:00',
    }
    const { message, thread } = smallWorld().apply(annsMail(fields))
    const { at, ...kept } = fields
    expect(message).toMatchObject({ ...kept, created_at: Date.parse(at) })
    expect(thread).toMatchObject({ created_at: Date.parse(at), last_message_at: Date.parse(at) })
  })
})

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
    expect(send()).toContain('support@agents.example')
  })
})
