import { describe, expect, it } from 'vitest'
import { annsMail, everyRow, smallWorld, start } from '../../../test/support/world/small-world.js'

const mail = annsMail({
  subject: 'Hello',
  text: 'Hi',
  attachments: [{ filename: 'a.txt', content: 'aGVsbG8=' }],
})

describe('the commands in the journal', () => {
  it('do not change when the caller modifies its command', () => {
    const world = smallWorld()
    const [to, headers] = [['support@agents.example'], [['X-A', '1']] as [string, string][]]
    const { message } = world.apply(annsMail({ to, headers }))
    const [rows, commands] = [everyRow(world), JSON.stringify(world.journal.commands())]
    to.push('everybody@agents.example')
    headers[0]?.splice(1, 1, '2')
    expect(everyRow(world)).toBe(rows)
    expect(message.to).toEqual(['support@agents.example'])
    expect(JSON.stringify(world.journal.commands())).toBe(commands)
  })
})

describe('World.rehearse', () => {
  it('returns the result of a command and changes nothing', () => {
    const [world, same] = [smallWorld(), smallWorld()]
    const before = everyRow(world)
    const rehearsed = world.rehearsal().apply(mail)
    expect(rehearsed.message).toMatchObject({ subject: 'Hello', direction: 'inbound', created_at: start })
    expect(rehearsed.thread).toMatchObject({ subject: 'Hello', unread: true, message_count: 1 })
    const update = { type: 'update-identity', identity_id: 'ident_support', display_name: 'Busy' } as const
    expect(JSON.stringify(world.rehearsal().apply(update))).toBe(JSON.stringify(same.apply(update)))
    world.rehearsal().apply({ type: 'delete-identity', identity_id: 'ident_support' })
    expect(everyRow(world)).toBe(before)
    expect(world.journal.commands()).toEqual([])
    expect(JSON.stringify(world.apply(mail))).toBe(JSON.stringify(smallWorld().apply(mail)))
  })

  it('sees earlier changes and refuses what the command would refuse', () => {
    const world = smallWorld()
    world.apply({ type: 'create-identity', agent_handle: 'billing' })
    expect(() => world.rehearsal().apply({ type: 'create-identity', agent_handle: 'billing' })).toThrow(
      'is taken',
    )
    expect(() => world.rehearsal().apply({ type: 'delete-webhook', webhook_id: 'whk_none' })).toThrow(
      'no webhook',
    )
    const { id } = world.apply(mail).thread
    const marked = world.rehearsal().apply({ type: 'set-thread-unread', thread_id: id, unread: false })
    expect(marked).toMatchObject({ id, unread: false })
    expect(world.store.get('thread', id)?.unread).toBe(true)
  })
})
