import { describe, expect, it } from 'vitest'
import { annsMail, smallWorld } from '../../../../test/support/world/small-world.js'

const listed = { order: 'created', offset: 0, limit: 100 } as const

it('create-identity treats handles as case-sensitive', () => {
  const world = smallWorld()
  const address = { mailbox_address: 'other@agents.example' }
  const { id } = world.apply({ type: 'create-identity', agent_handle: 'Support', ...address })
  expect(world.store.identityBy('handle', 'org_a', 'Support')?.id).toBe(id)
  expect(world.store.identityBy('handle', 'org_a', 'support')?.id).toBe('ident_support')
})

describe('delete-identity', () => {
  it('removes the agent with its mail and its subscriptions', () => {
    const world = smallWorld()
    const attachments = [{ filename: 'a.txt', content: 'aGVsbG8=' }]
    const { message, thread } = world.apply(annsMail({ attachments }))
    const removed = world.apply({ type: 'delete-identity', identity_id: 'ident_support' })
    expect(removed).toMatchObject({ id: 'ident_support', agent_handle: 'support' })
    const { store } = world
    for (const scope of ['ident_support', 'thrd_refund', thread.id, 'org_a']) {
      expect(store.threads(scope).count, scope).toBe(0)
      expect(store.messages(scope).count, scope).toBe(0)
    }
    expect(store.get('message', message.id)).toBeUndefined()
    expect([...store.all('attachment')]).toEqual([])
    expect(store.messageByMessageId('ident_support', '<first@shop.example>')).toBeUndefined()
    expect(store.identityBy('handle', 'org_a', 'support')).toBeUndefined()
    expect(store.identityBy('handleAnywhere', 'support')).toBeUndefined()
    expect(store.webhooks('org_a').page(listed)).toEqual(['whk_all', 'whk_sales'])
  })

  it('leaves other agents and organizations unchanged', () => {
    const world = smallWorld()
    const sales = world.apply(annsMail({ identity_id: 'ident_sales' }))
    const rival = world.apply({
      type: 'create-webhook',
      organization_id: 'org_b',
      url: 'https://hooks.example/in',
      events: ['message.received'],
      agent_handle: 'rival',
    })
    world.apply({ type: 'create-identity', organization_id: 'org_b', agent_handle: 'support' })
    world.apply({ type: 'delete-identity', identity_id: 'ident_support' })
    const { store } = world
    expect(store.messages('org_a').page(listed)).toEqual([sales.message.id])
    expect(store.threads('org_a').page(listed)).toEqual([sales.thread.id])
    expect(store.get('webhook', rival.id)).toBeDefined()
    expect(store.identityBy('handleAnywhere', 'support')?.organization_id).toBe('org_b')
  })
})
