import { describe, expect, it } from 'vitest'
import type { EventType } from '../../contract/events.js'
import { smallWorld } from '../small-world.fixture.js'
import type { World } from '../world.js'
import { settled } from './settled.fixture.js'
import { isTold, subscriptionsTo } from './subscribers.js'

const every = ['message.received', 'message.delivered', 'message.bounced'] as const

/** A world without subscriptions but these: what they are subscribed to, and whom they are scoped to. */
function worldWith(
  subscriptions: Record<string, { events: readonly EventType[]; scope?: string; of?: string }>,
) {
  const world = smallWorld()
  for (const id of ['whk_all', 'whk_support', 'whk_sales']) {
    world.apply({ type: 'delete-webhook', webhook_id: id })
  }
  const names = new Map<string, string>()
  for (const [name, { events, scope = null, of = 'org_a' }] of Object.entries(subscriptions)) {
    const url = `http://agent.test/${name}`
    const fields = { url, events: [...events], agent_handle: scope, organization_id: of }
    names.set(world.apply({ type: 'create-webhook', ...fields }).id, name)
  }
  return { world, names }
}

function eventIn(world: World, type: EventType) {
  const message = world.store.get('message', 'msg_second')
  if (!message) throw new Error('The message is missing.')
  return { id: 'evt_1', at: 0, type, message, agentHandle: 'support', recipient: null }
}

describe('the subscriptions to an event', () => {
  it('are those of its organization to its type, the oldest first, each once', () => {
    const { world, names } = worldWith({
      b: { events: every },
      other: { events: ['message.delivered', 'message.bounced'] },
      a: { events: ['message.received'] },
      rival: { events: every, of: 'org_b' },
      twice: { events: ['message.received', 'message.received'] },
    })
    const found = subscriptionsTo(eventIn(world, 'message.received'), world.store)
    expect(found.map(({ id }) => names.get(id))).toEqual(['b', 'a', 'twice'])
  })

  it('are all there are, however many', () => {
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, number) => [`n${number}`, { events: every }]),
    )
    const { world } = worldWith(many)
    expect(subscriptionsTo(eventIn(world, 'message.bounced'), world.store)).toHaveLength(150)
  })
})

describe('whether a subscription is told', () => {
  const organization = { 'events.bounced-sender': ['organization'] }
  const sendingAgent = { 'events.bounced-sender': ['sending-agent'] }

  it.each<[EventType, string | undefined, string, boolean, object]>([
    ['message.received', undefined, 'sending-agent', true, {}],
    ['message.received', 'support', 'sending-agent', true, {}],
    ['message.received', 'sales', 'sending-agent', false, {}],
    ['message.received', 'sales', 'organization', false, {}],
    ['message.bounced', undefined, 'sending-agent', true, {}],
    ['message.bounced', 'support', 'organization', true, {}],
    ['message.bounced', 'sales', 'sending-agent', false, organization],
    ['message.bounced', 'sales', 'organization', true, sendingAgent],
    ['message.delivered', 'sales', 'sending-agent', false, organization],
    ['message.delivered', 'sales', 'organization', true, sendingAgent],
  ])('%s to one scoped to %s under %s: %s', (type, scope, reading, told, noted) => {
    const { world } = worldWith({ one: { events: every, ...(scope !== undefined && { scope }) } })
    const event = eventIn(world, type)
    const [webhook] = subscriptionsTo(event, world.store)
    if (!webhook) throw new Error('There is no subscription.')
    const choice = { 'events.bounced-sender': reading }
    expect(settled(choice, (settle) => isTold(webhook, event, settle))).toEqual({ result: told, noted })
  })
})
