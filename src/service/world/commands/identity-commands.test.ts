import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { annsMail, smallWorld } from '../../../../test/support/world/small-world.js'

const listed = { order: 'created', offset: 0, limit: 100 } as const

describe('create-identity', () => {
  it('treats handles as case-sensitive and addresses as case-insensitive', () => {
    const world = smallWorld()
    const create = (agent_handle: string, mailbox_address: string) =>
      world.apply({ type: 'create-identity', agent_handle, mailbox_address })
    const other = create('Support', 'other@agents.example')
    expect(world.store.identityBy('handle', 'org_a', 'Support')?.id).toBe(other.id)
    expect(world.store.identityBy('handle', 'org_a', 'support')?.id).toBe('ident_support')
    expect(() => create('third', 'SUPPORT@agents.example')).toThrow('is taken')
  })

  it('refuses a taken handle until its agent is deleted', () => {
    const world = smallWorld()
    const create = () => world.apply({ type: 'create-identity', agent_handle: 'support' })
    const remove = (identity_id: string) => world.apply({ type: 'delete-identity', identity_id })
    expect(create).toThrow('The handle "support" is taken; choose another.')
    remove('ident_support')
    const second = create()
    expect(create).toThrow('is taken')
    expect(world.store.identityBy('handle', 'org_a', 'support')?.id).toBe(second.id)
    remove(second.id)
    const third = create()
    expect(third.id).not.toBe(second.id)
    expect(world.store.identityBy('handle', 'org_a', 'support')?.id).toBe(third.id)
    expect(world.store.identities('org_a').page(listed)).toEqual(['ident_sales', third.id])
  })
})

describe('update-identity', () => {
  it('increases updated_at by at least a tick each time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            pause: fc.constantFrom(0, 0, 1, 400, 999, 1000, 1500),
            tick: fc.constantFrom(1, 1000),
          }),
          { maxLength: 20 },
        ),
        async (updates) => {
          const world = smallWorld()
          let previous = world.store.get('identity', 'ident_support')?.updated_at as number
          for (const { pause, tick } of updates) {
            await world.clock.advance(pause)
            const command = { type: 'update-identity', identity_id: 'ident_support', tick } as const
            const { updated_at } = world.apply(command)
            expect(Math.floor(updated_at / tick)).toBeGreaterThan(Math.floor(previous / tick))
            expect(updated_at).toBeGreaterThanOrEqual(world.clock.now())
            // No further ahead of the clock than the previous update makes necessary.
            expect(updated_at).toBeLessThanOrEqual(Math.max(world.clock.now(), previous + tick))
            previous = updated_at
          }
        },
      ),
    )
  })
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
