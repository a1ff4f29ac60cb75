import { describe, expect, it } from 'vitest'
import { annsMail, everyRow, smallWorld, start } from '../../../../test/support/world/small-world.js'
import type { World } from '../world.js'
import { recipientNamed, whyNoRecipient } from './outcome.js'

const every = ['message.received', 'message.delivered', 'message.bounced'] as const

/** A small world with a subscription to every event. */
function subscribedWorld(): World {
  const world = smallWorld()
  world.apply({ type: 'create-webhook', url: 'http://agent.test/hook', events: [...every] })
  return world
}

/** The events in the feed of a world after an entry. */
function eventsAfter(world: World, latest: number) {
  return world.events(latest).flatMap(({ type, data }) => (type === 'event' ? [data] : []))
}

const outcomes = [
  ['deliver-message', 'message.delivered'],
  ['bounce-message', 'message.bounced'],
] as const

describe.each(outcomes)('%s', (type, event) => {
  const sent = { type: 'send-message' as const, identity_id: 'ident_support', to: ['ann@shop.example'] }

  it('emits an event, changes no row and returns the message', () => {
    const world = subscribedWorld()
    const [before, { latest }] = [everyRow(world), world.log]
    const message = world.apply({ type, message_id: 'msg_second' })
    expect(message).toBe(world.store.get('message', 'msg_second'))
    expect(everyRow(world)).toBe(before)
    expect(eventsAfter(world, latest)).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: event,
        at: new Date(start).toISOString(),
        agent_handle: 'support',
        message_id: 'msg_second',
        thread_id: 'thrd_refund',
        subscriptions: 1,
      },
    ])
    expect(world.deliveries.list()).toMatchObject([{ event: { type: event }, message_id: 'msg_second' }])
  })

  it.each([
    ['a name', '"Lee, Ann" <ann@shop.example>', 'ann@shop.example'],
    ['another case', 'BEN@shop.example', 'ben@shop.example'],
    ['a Cc recipient', 'cy@shop.example', 'cy@shop.example'],
    ['a Bcc recipient', 'Di <di@shop.example>', 'di@shop.example'],
  ])('finds the recipient by %s', (_, recipient, shown) => {
    const world = subscribedWorld()
    const headers: [string, string][] = [
      ['CC', 'Cy <cy@shop.example>'],
      ['Bcc', 'Others: eva@shop.example, di@shop.example;'],
      ['Reply-To', 'desk@shop.example'],
    ]
    const to = ['ann@shop.example', 'ben@shop.example']
    const { message } = world.apply({ ...sent, to, headers })
    const { latest } = world.log
    world.apply({ type, message_id: message.id, recipient })
    expect(eventsAfter(world, latest)).toMatchObject([{ type: event, recipient: shown }])
  })

  it('applies to the latest outbound message of a thread', () => {
    const world = subscribedWorld()
    const first = { ...sent, thread_id: 'thrd_refund' }
    world.apply({ ...first, text: 'Earlier' })
    const { message } = world.apply({ ...first, text: 'Latest', at: '2026-01-05T10:00:00Z' })
    world.apply({ ...first, text: 'Sent before, stored later', at: '2026-01-01T00:00:00Z' })
    world.apply(annsMail({ thread_id: 'thrd_refund', at: '2026-01-06T00:00:00Z' }))
    expect(world.apply({ type, thread_id: 'thrd_refund' }).id).toBe(message.id)
  })
})

describe('the recipients of mail that names none in To', () => {
  it('are those of Bcc, or else any', () => {
    const undisclosed = { to: [], headers: [['To', 'undisclosed-recipients:;']] as const }
    const hidden = { to: [], headers: [['Bcc', 'ann@shop.example']] as const }
    for (const mail of [undisclosed, hidden]) {
      expect(recipientNamed(mail, 'Ann <ann@shop.example>')).toBe('ann@shop.example')
    }
    expect(whyNoRecipient(hidden, 'ben@shop.example')).toBe(
      'has no recipient "ben@shop.example"; it goes to ann@shop.example',
    )
  })
})
