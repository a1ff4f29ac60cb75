import { describe, expect, it } from 'vitest'
import { annsMail, smallWorld, start } from '../../../../test/support/world/small-world.js'

type Fields = Parameters<typeof annsMail>[0]

function received(world = smallWorld(), fields: Fields = {}) {
  return world.apply(annsMail(fields))
}

describe('the thread of a received message', () => {
  it.each<[string, Fields]>([
    ['an unknown message', { in_reply_to: '<unknown@shop.example>', references: ['<msg_none@x>', ''] }],
    ['a message of another mailbox', { identity_id: 'ident_sales', in_reply_to: 'msg_first' }],
    ['a Message-ID of another mailbox', { identity_id: 'ident_sales', in_reply_to: '<first@shop.example>' }],
    ['text after a Message-ID', { in_reply_to: '<first@shop.example>x' }],
    ['the id of a thread', { in_reply_to: 'thrd_refund' }],
  ])('is new for %s', (_, fields) => {
    const world = smallWorld()
    const { thread } = received(world, { subject: 'Re: Refund', ...fields })
    expect(thread).toMatchObject({ message_count: 1, subject: 'Re: Refund' })
    expect(world.store.get('thread', 'thrd_refund')?.message_count).toBe(2)
  })

  it('is that of the latest reference', () => {
    const world = smallWorld()
    const other = received(world, { message_id: '<other@shop.example>' })
    const references = ['<first@shop.example>', '<other@shop.example>']
    expect(received(world, { references }).thread.id).toBe(other.thread.id)
    const answered = { in_reply_to: '<first@shop.example>', references }
    expect(received(world, answered).thread.id).toBe('thrd_refund')
  })

  it('gives the message its subject with one "Re:" unless the message has a subject', () => {
    const world = smallWorld()
    const { thread } = received(world, { subject: 'RE: Lamp' })
    expect(received(world, { thread_id: thread.id }).message.subject).toBe('RE: Lamp')
    const renamed = received(world, { thread_id: thread.id, subject: 'Another lamp' })
    expect(renamed.message.subject).toBe('Another lamp')
    expect(renamed.thread.subject).toBe('RE: Lamp')
  })
})

it('the facts of a thread follow from its messages, whatever the order of their times, and from its marks', () => {
  const world = smallWorld()
  const { thread, message } = received(world)
  const thread_id = thread.id
  const ids = [message.id]
  const mail = (direction: 'inbound' | 'outbound', minutes: number): void => {
    const where = { thread_id, at: new Date(start + minutes * 60_000).toISOString() }
    const sent = { type: 'send-message' as const, identity_id: 'ident_support', to: ['ann@shop.example'] }
    const added = world.apply(direction === 'inbound' ? annsMail(where) : { ...sent, ...where })
    ids.push(added.message.id)
  }
  const mark = (unread: boolean) => world.apply({ type: 'set-thread-unread', thread_id, unread })
  const steps: [act: () => unknown, unread: boolean, answered: boolean, last: number, minutes: number][] = [
    [() => undefined, true, false, 0, 0],
    [() => mail('outbound', -3), true, true, 0, 0],
    [() => mark(false), false, false, 0, 0],
    [() => mail('outbound', 2), false, true, 2, 2],
    [() => mail('inbound', 1), true, false, 2, 2],
    [() => mark(false), false, false, 2, 2],
    [() => mark(true), true, false, 2, 2],
    [() => mail('inbound', 3), true, false, 4, 3],
  ]
  for (const [act, unread, answered, last, minutes] of steps) {
    act()
    const times = { created_at: start, last_message_at: start + minutes * 60_000 }
    const messages = { message_count: ids.length, first_message_id: ids[0], last_message_id: ids[last] }
    expect(world.store.get('thread', thread_id)).toMatchObject({ unread, answered, ...times, ...messages })
    expect(world.store.messages(thread_id).count).toBe(ids.length)
  }
})
