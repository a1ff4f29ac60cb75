import { describe, expect, it } from 'vitest'
import { smallWorld, start } from '../../../test/support/world/small-world.js'

const listed = { order: 'created', offset: 0, limit: 100 } as const
const url = 'http://127.0.0.1:8787/hook'

describe('create-webhook', () => {
  it('subscribes a URL to events, for every agent and without a token unless told', () => {
    const world = smallWorld()
    const webhook = world.apply({ type: 'create-webhook', url, events: ['message.received'] })
    expect(webhook).toEqual({
      id: expect.stringMatching(/^whk_[0-9a-z]{16}$/),
      ordinal: 3,
      organization_id: 'org_a',
      url,
      events: ['message.received'],
      agent_handle: null,
      auth_token: null,
      created_at: start,
      updated_at: start,
    })
    expect(world.store.webhooks('org_a').page(listed)).toEqual([
      'whk_all',
      'whk_support',
      'whk_sales',
      webhook.id,
    ])
  })

  it('takes every field', () => {
    const fields = {
      organization_id: 'org_b',
      url: 'https://hooks.example/in?x=1',
      events: ['message.bounced', 'message.delivered'] as const,
      agent_handle: 'rival',
      auth_token: 'secret',
    }
    const world = smallWorld()
    const webhook = world.apply({ type: 'create-webhook', ...fields, events: [...fields.events] })
    expect(webhook).toMatchObject(fields)
    expect(world.store.webhooks('org_b').page(listed)).toEqual([webhook.id])
  })
})

describe('delete-webhook', () => {
  it('ends the subscription and gives back what it was', () => {
    const world = smallWorld()
    const before = world.store.get('webhook', 'whk_support')
    expect(world.apply({ type: 'delete-webhook', webhook_id: 'whk_support' })).toEqual(before)
    expect(world.store.webhooks('org_a').page(listed)).toEqual(['whk_all', 'whk_sales'])
    expect(world.store.get('webhook', 'whk_support')).toBeUndefined()
  })
})
